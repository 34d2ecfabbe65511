"""What a seat sees of Matching Pennies: seat 1 knows what the round is worth, seat 0 does not."""

from __future__ import annotations

from typing import NamedTuple

from arena_game_matching_pennies.state import MatchingPenniesState

KNOWS_STAKE = 1
"""The seat that knows what a round is worth."""


class MatchingPenniesView(NamedTuple):
    """The position as one seat may know it."""

    round: int
    """The round that is played, from 0."""
    rounds: int
    """How many rounds the match has."""
    points: tuple[int, ...]
    """Points so far, by seat."""
    stake: int
    """What the round is worth; 0 for a seat that does not know, and after the last round."""


def build(state: MatchingPenniesState, seat: int) -> MatchingPenniesView:
    """Show the position to a seat."""
    return MatchingPenniesView(
        state.round, state.rounds, state.points, state.stake if seat == KNOWS_STAKE else 0
    )
