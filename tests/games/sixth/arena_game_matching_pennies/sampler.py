"""Draws what a seat does not know of Matching Pennies: the stake of the round, for seat 0."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arena.games.chance import Stream
from arena.games.kernel import Setup, Step
from arena_game_matching_pennies.rules import STAKES
from arena_game_matching_pennies.state import MatchingPenniesState
from arena_game_matching_pennies.view import MatchingPenniesView


def sample(
    setup: Setup,
    view: MatchingPenniesView,
    history: Sequence[Step],
    seat: int,
    random: Random,
) -> MatchingPenniesState:
    """Draw a state that agrees with what a seat knows."""
    first, second = view.points
    stake = view.stake or (random.choice(STAKES) if view.round < view.rounds else 0)
    return MatchingPenniesState(Stream(random.randbytes(32)), view.rounds, view.round, stake, (first, second))
