"""Checks of Lost Cities."""

from __future__ import annotations

from arena.games.checks import Checks
from arena.games.lost_cities.checks.twins import make_twins
from arena.games.lost_cities.state import DECK, LostCitiesState
from arena.games.lost_cities.view import LostCitiesView


def _cards(state: LostCitiesState) -> list[int]:
    deal = state.deal
    piles = (
        *state.hands,
        *state.expeditions[0],
        *state.expeditions[1],
        *state.discards,
        deal.pile[state.drawn :],
    )
    return sorted(card for pile in piles for card in pile)


def _held(view: LostCitiesView) -> tuple[int, ...]:
    return (len(view.hand),)


CHECKS = Checks(
    twins=make_twins,
    deck=DECK,
    cards=_cards,
    held=_held,
    golden_options=({"hands": 2},),  # shows who starts the second
    min_actions_per_second=150_000,
)
