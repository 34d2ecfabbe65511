"""Twins of The Bottle Imp: matches that differ only in what a seat cannot see."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from arena.games.bottle_imp.rules import BOTTLE_IMP
from arena.games.bottle_imp.state import OVER, PASSING, SUIT, BottleImpState
from arena.games.kernel import Chance, Played
from arena.games.playouts import Configuration, play
from arena.games.twins import Twin, follow, shuffle_places


def make_twins(chooser: Random, seat: int, length: float) -> tuple[Twin, Twin]:
    """Twin cards change places with hidden cards of their colour, so that others follow colour as they did."""
    tables = [("standard", 3), ("standard", 4), ("lopaka", 2), ("bright_house", 2)]
    table = Configuration(BOTTLE_IMP, *chooser.choice([each for each in tables if each[1] > seat]))
    playout = play(table, chooser.randbytes(32), chooser, hands=1)
    points = slice(0, int(len(playout.points) * length))
    true = follow(playout, playout.points[0].state, playout.opening, points)
    hidden = _hidden_cards(true.state, seat)
    other = {"?": "?"}
    for colour in {SUIT[card] for card in hidden}:
        cards = sorted(hidden & colour)
        shuffled = shuffle_places(cards, range(len(cards)), chooser)
        other |= {str(card): str(new) for card, new in zip(cards, shuffled, strict=True)}

    def rename(text: str) -> str:
        return " ".join(word if text.startswith("open") else other.get(word, word) for word in text.split())

    renamed = [
        replace(
            point,
            answers=tuple(rename(answer) for answer in point.answers if isinstance(answer, str)),
            steps=tuple(
                step.replace(action=rename(step.action)) for step in point.steps if isinstance(step, Played)
            ),
        )
        for point in playout.points
    ]
    (deal,) = playout.opening
    assert isinstance(deal, Chance)
    groups = tuple(map(rename, deal.outcome))
    start: BottleImpState = true.start
    dealt = [tuple(map(int, group.split())) for group in groups]
    places = len(start.hands)
    twin_start = start.replace(
        hands=tuple(tuple(sorted(group)) for group in dealt[:places]),
        deal=start.deal.replace(rest=sum(dealt[places:], ())),
    )
    twin = replace(playout, points=tuple(renamed))
    return true, follow(twin, twin_start, (Chance("deal", groups),), points)


def _hidden_cards(state: BottleImpState, seat: int) -> set[int]:
    """Return the cards that a seat has never seen: others' hands, and their part of the devil's trick."""
    if state.place == OVER:
        return set()
    deal, hands = state.deal, state.hands
    form, given = deal.form, state.given
    unseen = {*deal.rest}
    for place, hand in enumerate(hands):
        later = place > 1 and form.variant == "bright_house" and len(given) < 2
        if later or form.sides[place] != seat:
            unseen |= {*hand}
    for verb, chosen in zip(form.verbs, given, strict=False):
        if verb != "open":
            unseen |= {card for other, card in enumerate(chosen) if other != seat}
    unseen -= {card for trick in state.tricks for card in trick.cards} | {*state.trick}
    if state.place != PASSING:
        unseen -= {*(hands[2] if form.variant == "lopaka" else ())}
        unseen -= {*hands[0], *hands[1]} if form.variant == "bright_house" else set()
    mine = [hand for place, hand in enumerate(hands) if form.sides[place] == seat]
    if form.variant == "bright_house" and len(given) < 2:
        mine = mine[:1]
    passed = [chosen[seat] for verb, chosen in zip(form.verbs, given, strict=False) if verb != "open"]
    return unseen - {card for hand in mine for card in hand} - {*passed}
