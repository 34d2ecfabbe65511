"""A rating from points against known ratings: the Elo at which just these points were to be expected."""

from __future__ import annotations

from collections.abc import Sequence

from arena.ratings.model import MEAN_ELO, expected

_DRAWS = 4.0
"""Virtual draws against the mean, so that one result makes no champion."""
_SPAN = 2000.0
_STEPS = 40


def performance(results: Sequence[tuple[float, float]]) -> float:
    """Return the performance from pairs of an opponent's Elo and the points taken from it, 0 to 1; the mean without any."""
    points = _DRAWS / 2 + sum(taken for _, taken in results)
    low, high = MEAN_ELO - _SPAN, MEAN_ELO + _SPAN
    for _ in range(_STEPS):
        elo = (low + high) / 2
        found = _DRAWS * expected(elo, MEAN_ELO) + sum(expected(elo, opponent) for opponent, _ in results)
        low, high = (elo, high) if found < points else (low, elo)
    return (low + high) / 2
