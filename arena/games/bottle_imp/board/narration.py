"""The Bottle Imp: who takes a trick and the bottle, and how a hand ends."""

from __future__ import annotations

from arena.core.translatable import say
from arena.games.bottle_imp.board.drawing import lay_out, play_order
from arena.games.bottle_imp.state import NOBODY, POINTS
from arena.games.bottle_imp.view import BottleImpView
from arena.games.kernel import DummyPlayed, Played
from arena.games.narrating import Happening, list_scores


def _name(side: int, happening: Happening) -> str:
    return happening.names[side] if side < len(happening.names) else "Lopaka"


def _trick(happening: Happening) -> list[str]:
    before: BottleImpView = happening.before
    after: BottleImpView = happening.after
    hand_is_over = after.last_hand != before.last_hand or after.hand_number != before.hand_number
    if before.choosing != "play" or (len(after.tricks) == len(before.tricks) and not hand_is_over):
        return []
    played = [
        int(step.action.split()[1])
        for step in happening.steps
        if isinstance(step, Played | DummyPlayed) and step.action.startswith("play ")
    ]
    cards = (*before.trick, *played)
    if len(after.tricks) > len(before.tricks):
        cards = after.tricks[len(before.tricks)].cards
    laid = lay_out(cards, before.leader, play_order(before, len(happening.names)), before.price, None)
    winner = next((_name(card.side, happening) for card in laid.cards if card.wins), None)
    if winner is None:
        return []
    worth = sum(POINTS[card] for card in cards)
    if laid.sold < before.price:
        told = say(
            "{name} takes the trick for {points} and the bottle; its price is now {price}.",
            name=winner,
            points=worth,
            price=laid.sold,
        )
    else:
        told = say("{name} takes the trick for {points}.", name=winner, points=worth)
    return [told]


def _hand(happening: Happening) -> list[str]:
    hand = happening.after.last_hand
    if hand is None or (hand == happening.before.last_hand and happening.after.choosing):
        return []
    if happening.before.hand_number == happening.after.hand_number and happening.after.choosing:
        return []
    told: list[str] = []
    if hand.owner != NOBODY:
        told.append(say("{name} is left with the bottle, and damned.", name=_name(hand.owner, happening)))
    told.append(say("The hand is over: {scores}.", scores=list_scores(happening.names, hand.scores)))
    return told


def narrate(happening: Happening) -> list[str]:
    """Return who took the trick, and at the end of a hand who is damned and what each seat scored."""
    return [*_trick(happening), *_hand(happening)]
