"""Seat advantage: the share of its pairs that each seat wins, with its interval.

In a set each bot sits once in each seat, so how strong the bots are cancels out; sets, not matches, are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.ratings.error_bars import QUANTILE

MIN_SETS = 10


@dataclass(frozen=True, slots=True)
class SeatShare:
    """A seat's share of its pairs, 0 to 1, ½ being even, and the half width of the 95 % interval."""

    seat: int
    share: float
    error: float


def shares(sets: Sequence[Sequence[Sequence[int]]]) -> tuple[SeatShare, ...]:
    """Measure from whole sets: for each, the places by seat of its matches.  Nothing where there are fewer than ten."""
    if len(sets) < MIN_SETS:
        return ()
    means = [_mean([_shares(places) for places in matches]) for matches in sets]
    count = len(means)
    found = []
    for seat in range(len(means[0])):
        values = [mean[seat] for mean in means]
        share = sum(values) / count
        variance = sum((value - share) ** 2 for value in values) / (count - 1)
        found.append(SeatShare(seat, share, QUANTILE * (variance / count) ** 0.5))
    return tuple(found)


def _shares(places: Sequence[int]) -> list[float]:
    """Return each seat's share of its pairs in one match; a shared place counts half."""
    rivals = len(places) - 1
    return [(sum((own < other) + 0.5 * (own == other) for other in places) - 0.5) / rivals for own in places]


def _mean(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]
