"""Elo tables with all that they say of how sure they are: error bars, rank ranges, and who is ahead of whom how surely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from arena.ratings.errors import QUANTILE, covariance
from arena.ratings.fit import Solution, solve
from arena.ratings.laplacian import Floats
from arena.ratings.model import MEAN_ELO, POINTS_PER_E, PRIOR_DRAWS
from arena.ratings.sets import SetTotal, clusters
from arena.ratings.totals import PairTotal

MOST_FOR_SUPERIORITY = 200
"""Bots of a table up to which it says how likely each is the stronger of each two."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A row of a table; Elo and error are rounded to a tenth.

    `error` is the half width of the 95 % interval, relative to the mean of its component.  `rank_low` to `rank_high` are the
    ranks in its component that it may really have: only those count as ahead or behind that are so with 95 % confidence.
    """

    name: str
    elo: float
    error: float
    component: int
    rank_low: int
    rank_high: int


@dataclass(frozen=True, slots=True)
class Ratings:
    """A table, best first inside each component, and the chance by row and column that the row is the stronger.

    `superiority` is empty for more than 200 bots; it is NaN between components, ½ on the diagonal.
    """

    rows: tuple[Rated, ...]
    superiority: tuple[tuple[float, ...], ...]


def rate(
    totals: Sequence[PairTotal],
    sets: Mapping[SetTotal, int],
    *,
    anchor: str | None = None,
    prior: float = PRIOR_DRAWS,
    mean: float = MEAN_ELO,
) -> Ratings:
    """Fit the totals, and take the errors from the sets that they are the sums of, each with its number."""
    solution = solve(totals, anchor=anchor, prior=prior, mean=mean)
    if not solution.names:
        return Ratings((), ())
    spread = _spread(solution, sets)
    difference = _difference(spread)
    ahead = _ahead(solution, difference)
    order = sorted(
        range(len(solution.names)),
        key=lambda i: (int(solution.component[i]), -round(float(solution.elo[i]), 1), solution.names[i]),
    )
    better, worse = _certain(solution, difference)
    sizes = np.bincount(solution.component)
    rows = tuple(
        Rated(
            name=solution.names[i],
            elo=round(float(solution.elo[i]), 1) + 0.0,
            error=round(float(QUANTILE * np.sqrt(spread[i, i])), 1),
            component=int(solution.component[i]),
            rank_low=1 + int(better[i]),
            rank_high=int(sizes[solution.component[i]] - worse[i]),
        )
        for i in order
    )
    if len(rows) > MOST_FOR_SUPERIORITY:
        return Ratings(rows, ())
    return Ratings(rows, tuple(tuple(float(round(ahead[i, j], 4)) for j in order) for i in order))


def _spread(solution: Solution, sets: Mapping[SetTotal, int]) -> Floats:
    """Give the covariance in Elo²."""
    index = {name: i for i, name in enumerate(solution.names)}
    return covariance(solution, clusters(sets, index)) * POINTS_PER_E**2


def _difference(spread: Floats) -> Floats:
    """Give the standard error of each difference, from the covariance."""
    own = np.diag(spread)
    return np.asarray(np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * spread, 0.0)))


def _ahead(solution: Solution, difference: Floats) -> Floats:
    gap = solution.elo[:, None] - solution.elo[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = ndtr(gap / difference)
    np.fill_diagonal(chance, 0.5)
    chance[solution.component[:, None] != solution.component[None, :]] = np.nan
    return np.asarray(chance)


def _certain(solution: Solution, difference: Floats) -> tuple[Floats, Floats]:
    """Count, for each, those that are better and those that are worse with 95 % confidence."""
    gap = solution.elo[:, None] - solution.elo[None, :]
    sure = solution.component[:, None] == solution.component[None, :]
    return (
        np.asarray((sure & (gap < -QUANTILE * difference)).sum(axis=1)),
        np.asarray((sure & (gap > QUANTILE * difference)).sum(axis=1)),
    )
