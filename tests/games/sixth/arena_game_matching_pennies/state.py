"""The position of Matching Pennies."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.chance import Stream


class MatchingPenniesState(NamedTuple):
    """A whole position; a round is worth what chance turned up for it."""

    stream: Stream
    rounds: int
    round: int
    stake: int
    points: tuple[int, int]
