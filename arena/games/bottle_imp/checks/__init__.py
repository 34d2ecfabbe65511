"""Checks of The Bottle Imp."""

from __future__ import annotations

from arena.games.bottle_imp.checks.twins import make_twins
from arena.games.bottle_imp.state import DECK, BottleImpState
from arena.games.bottle_imp.view import BottleImpView
from arena.games.checks import Checks


def _cards(state: BottleImpState) -> list[int]:
    given, verbs = state.given, state.deal.form.verbs
    aside = [
        cards
        for verb, cards in zip(verbs, given, strict=False)
        if verb == "devil" or (verb == "left" and len(given) < len(verbs))
    ]
    tricks = [trick.cards for trick in state.tricks]
    return sorted(
        card for cards in (*state.hands, *tricks, state.trick, *aside, state.deal.rest) for card in cards
    )


def _held(view: BottleImpView) -> tuple[int, ...]:
    if len(view.cards) > 1 and view.choosing in {"devil", "pass"}:
        # The second hand is dealt, but not in the view before its turn.
        return len(view.cards[0]), len(view.cards[1]) or 9
    return tuple(map(len, view.cards))


CHECKS = Checks(
    twins=make_twins,
    deck=DECK,
    cards=_cards,
    held=_held,
    min_actions_per_second=100_000,
)
