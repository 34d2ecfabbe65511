"""Scales that pages draw on."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor
from typing import Protocol

from arena.rankings.set_measures import SeatAdvantage

_MARGIN = 40
"""Elo left free at both ends of a scale."""

_ROUND = 50


class Rated(Protocol):
    """A row with an Elo, or without one yet."""

    @property
    def elo(self) -> float | None:
        """Return its Elo."""

    @property
    def error(self) -> float | None:
        """Return the half width of its 95 % interval."""

    @property
    def provisional(self) -> bool:
        """Return whether it is not to be trusted yet."""


def elo_scale(rows: Iterable[Rated]) -> tuple[float, float]:
    """Return the ends of a scale for these Elo, whole fifties: intervals fit in, but for those of provisional ratings."""
    ends = [
        row.elo + side * (_MARGIN if row.provisional else max(row.error or 0.0, _MARGIN))
        for row in rows
        if row.elo is not None
        for side in (-1, 1)
    ]
    low, high = min(ends, default=1450.0), max(ends, default=1550.0)
    return _ROUND * floor(low / _ROUND), _ROUND * ceil(high / _ROUND)


def share_scale(rows: Iterable[SeatAdvantage]) -> tuple[float, float]:
    """Return the ends, in percent and the same distance from 50, of a scale that these shares and their intervals fit in."""
    far = max(
        (
            abs(share - 0.5) + error
            for row in rows
            for share, error in zip(row.shares, row.errors, strict=True)
        ),
        default=0.0,
    )
    half = min(50.0, max(5.0, 5.0 * ceil(20 * far)))
    return 50 - half, 50 + half
