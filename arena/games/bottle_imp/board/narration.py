"""The Bottle Imp: who takes a trick and the bottle, and how a hand ends."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.bottle_imp.board.drawing import BottleTrick, lay_out, play_order
from arena.games.bottle_imp.state import NOBODY, POINTS
from arena.games.bottle_imp.view import BottleImpView, Hand
from arena.games.kernel import DummyPlayed, Played
from arena.games.narrating import Cards, Happening, ScoreSheet, SheetRow, list_scores


def _name(side: int, happening: Happening) -> str:
    return happening.names[side] if side < len(happening.names) else "Lopaka"


def _finished_trick(happening: Happening) -> BottleTrick | None:
    before: BottleImpView = happening.before
    after: BottleImpView = happening.after
    hand_is_over = after.last_hand != before.last_hand or after.hand_number != before.hand_number
    if before.choosing != "play" or (len(after.tricks) == len(before.tricks) and not hand_is_over):
        return None
    played = [
        int(step.action.split()[1])
        for step in happening.steps
        if isinstance(step, Played | DummyPlayed) and step.action.startswith("play ")
    ]
    cards = (*before.trick, *played)
    if len(after.tricks) > len(before.tricks):
        cards = after.tricks[len(before.tricks)].cards
    return lay_out(cards, before.leader, play_order(before, len(happening.names)), before.price, None)


def _winner(laid: BottleTrick) -> int:
    return next((card.side for card in laid.cards if card.wins), NOBODY)


def _worth(laid: BottleTrick) -> int:
    return sum(POINTS[card.number] for card in laid.cards)


def _trick(happening: Happening) -> list[str]:
    laid = _finished_trick(happening)
    if laid is None or _winner(laid) == NOBODY:
        return []
    winner, worth = _name(_winner(laid), happening), _worth(laid)
    if laid.sold < laid.price:
        told = say(
            "{name} takes the trick for {points} and the bottle; its price is now {price}.",
            name=winner,
            points=worth,
            price=laid.sold,
        )
    else:
        told = say("{name} takes the trick for {points}.", name=winner, points=worth)
    return [told]


def _finished_hand(happening: Happening) -> Hand | None:
    hand: Hand | None = happening.after.last_hand
    if hand is None or (hand == happening.before.last_hand and happening.after.choosing):
        return None
    if happening.before.hand_number == happening.after.hand_number and happening.after.choosing:
        return None
    return hand


def draw_up(happening: Happening) -> ScoreSheet | None:
    """Return the sheet of a hand that is over: what each side won, and what the bottle made of it."""
    hand = _finished_hand(happening)
    if hand is None:
        return None
    before: BottleImpView = happening.before
    won = [sum(trick.winner == side for trick in before.tricks) for side in range(len(hand.scores))]
    points = list(before.points)
    last = _finished_trick(happening)
    if last is not None and _winner(last) != NOBODY:
        won[_winner(last)] += 1
        points[_winner(last)] += _worth(last)
    devil = Cards(" ".join(map(str, hand.devil)))
    rows = [
        SheetRow(
            side if side < len(happening.names) else None,
            _name(side, happening),
            (
                won[side],
                points[side],
                devil if side == hand.owner else "",
                score,
                happening.after.totals[side],
            ),
        )
        for side, score in enumerate(hand.scores)
    ]
    heads = (say("Tricks"), say("Points won"), say("Damned: the devil's trick"), say("Score"), say("Total"))
    return ScoreSheet(say("Score of hand {n}", n=before.hand_number + 1), heads, tuple(rows))


def _hand(happening: Happening) -> list[str]:
    hand = _finished_hand(happening)
    if hand is None:
        return []
    told: list[str] = []
    if hand.owner != NOBODY:
        told.append(say("{name} is left with the bottle, and damned.", name=_name(hand.owner, happening)))
    told.append(say("The hand is over: {scores}.", scores=list_scores(happening.names, hand.scores)))
    return told


def narrate(happening: Happening) -> list[str]:
    """Return who took the trick, and at the end of a hand who is damned and what each seat scored."""
    return [*_trick(happening), *_hand(happening)]
