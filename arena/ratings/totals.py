"""Totals: all that the Elo is computed from, as integers, so that no order of arrival can be seen in them.

The unit is 1/280 point: half a pair's weight, 140 · 3/(k + 1), is whole for 2 to 6 seats.

    seats k      2    3    4   5   6
    half units   140  105  84  70  60
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

UNITS_PER_POINT = 280
MAX_SEATS = 6


@dataclass(frozen=True, slots=True, order=True)
class PairTotal:
    """Units that two versions took from each other; `low` < `high`, names such as `greedy@1`."""

    low: str
    high: str
    low_units: int
    high_units: int


@dataclass(frozen=True, slots=True)
class PairResult:
    """Result between two seats of one match: 1, ½ or 0 wins for the first, doubled."""

    seat: int
    other: int
    doubled: int


def half_units(seats: int) -> int:
    """Return the units of half a win in a match of 2 to 6 seats."""
    if not 2 <= seats <= MAX_SEATS:
        raise ValueError(f"seats {seats}: pairs of 2 to {MAX_SEATS} seats can be rated")
    return 420 // (seats + 1)


def pair_results(places: Sequence[int], forfeits: Collection[int] = ()) -> tuple[PairResult, ...]:
    """Split a match into its pairs of seats.

    Where seats forfeited it, only that counts that each of them lost to each other seat.
    """
    if forfeits:
        others = [seat for seat in range(len(places)) if seat not in forfeits]
        return tuple(PairResult(seat, other, 0) for seat in sorted(forfeits) for other in others)
    return tuple(
        PairResult(a, b, 1 + (places[a] < places[b]) - (places[a] > places[b]))
        for a, b in combinations(range(len(places)), 2)
    )


def total(matches: Iterable[tuple[Sequence[str], Sequence[int], Collection[int]]]) -> tuple[PairTotal, ...]:
    """Add up matches, each the names in its seats, their places, and the seats that forfeited it.

    Pairs of one version are never rated.
    """
    sums: dict[tuple[str, str], list[int]] = {}
    for names, places, forfeits in matches:
        half = half_units(len(names))
        for result in pair_results(places, forfeits):
            first, second = names[result.seat], names[result.other]
            if first == second:
                continue
            won = (result.doubled * half, (2 - result.doubled) * half)
            if first > second:
                first, second, won = second, first, won[::-1]
            pair = sums.setdefault((first, second), [0, 0])
            pair[0] += won[0]
            pair[1] += won[1]
    return tuple(PairTotal(low, high, *units) for (low, high), units in sorted(sums.items()))
