"""Checks of Land Unter."""

from __future__ import annotations

from arena.games.checks import Checks
from arena.games.land_unter.checks.twins import make_twins
from arena.games.land_unter.state import WEATHER, LandUnterState
from arena.games.land_unter.view import LandUnterView


def _cards(state: LandUnterState) -> list[int]:
    return sorted(card for cards in (*state.dealt, state.rest) for card in cards)


def _held(view: LandUnterView) -> tuple[int, ...]:
    return (len(view.hand),)


CHECKS = Checks(
    twins=make_twins,
    deck=WEATHER,
    cards=_cards,
    held=_held,
    min_actions_per_second=100_000,
)
