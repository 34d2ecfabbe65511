"""What a seat sees of Matching Pennies: all but the stake of the round."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.matching_pennies.state import MatchingPenniesState


class MatchingPenniesView(NamedTuple):
    """The position as one seat may know it."""

    round: int
    rounds: int
    points: tuple[int, ...]


def build(state: MatchingPenniesState) -> MatchingPenniesView:
    """Show the position to a seat."""
    return MatchingPenniesView(state.round, state.rounds, state.points)
