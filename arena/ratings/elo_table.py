"""Elo tables with all that they say of how sure they are: error bars, rank ranges, and who is ahead of whom how surely."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import scipy

from arena.ratings.error_bars import QUANTILE, covariance
from arena.ratings.fit import Solution, solve
from arena.ratings.laplacian import Floats
from arena.ratings.model import MEAN_ELO, POINTS_PER_E, PRIOR_DRAWS
from arena.ratings.rating_data import Inputs

MAX_FOR_SUPERIORITY = 200
"""Bots of a table up to which it says how likely each is the stronger of each two."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A row of a table; Elo and error are rounded to a tenth.

    `error` is the half width of the 95 % interval, relative to the mean of its component; None where the sets are not known
    that the totals are made of.  `rank_low` to `rank_high` are the ranks in its component that it may really have: only those
    count as ahead or behind that are so with 95 % confidence.
    """

    name: str
    elo: float
    error: float | None
    component: int
    rank_low: int
    rank_high: int


@dataclass(frozen=True, slots=True)
class Ratings:
    """A table, best first inside each component, and the chance by row and column that the row is the stronger.

    `superiority` is empty for more than 200 bots, or where it was not asked for; it is NaN between components, ½ on the diagonal.
    """

    rows: tuple[Rated, ...]
    superiority: tuple[tuple[float, ...], ...]


def rate(
    inputs: Inputs,
    *,
    anchor: str | None = None,
    prior: float = PRIOR_DRAWS,
    mean: float = MEAN_ELO,
    start: Mapping[str, float] = MappingProxyType({}),
    superiority: bool = True,
) -> Ratings:
    """Fit the totals, and take the errors from the sets that they are the sums of; `start` is that of `solve`.

    Without `superiority` only the rows are found: of n bots that saves n² numbers.
    """
    solution = solve(inputs.totals, anchor=anchor, prior=prior, mean=mean, start=start)
    bots = len(solution.names)
    if not bots:
        return Ratings((), ())
    spread = (
        covariance(solution, inputs.sets) * POINTS_PER_E**2
        if inputs.complete
        else np.full((bots, bots), np.nan)
    )
    difference = _difference(spread)
    better, worse = _certain(solution, difference)
    component = solution.component
    # + 0.0: there is no −0.0
    columns = (
        np.round(solution.elo, 1) + 0.0,
        np.round(QUANTILE * np.sqrt(np.maximum(np.diag(spread), 0.0)), 1),
        component,
        1 + better,
        np.bincount(component)[component] - worse,
    )
    rows = [
        Rated(name, elo, error if inputs.complete else None, group, low, high)
        for name, elo, error, group, low, high in zip(
            solution.names, *(column.tolist() for column in columns), strict=True
        )
    ]
    order = sorted(range(bots), key=lambda i: (rows[i].component, -rows[i].elo, rows[i].name))
    table = tuple(rows[i] for i in order)
    if not superiority or bots > MAX_FOR_SUPERIORITY:
        return Ratings(table, ())
    ahead = np.round(_ahead(solution, difference), 4)[np.ix_(order, order)]
    return Ratings(table, tuple(map(tuple, ahead.tolist())))


def _difference(spread: Floats) -> Floats:
    """Return the standard error of each difference, from the covariance."""
    own = np.diag(spread)
    return np.asarray(np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * spread, 0.0)))


def _ahead(solution: Solution, difference: Floats) -> Floats:
    gap = solution.elo[:, None] - solution.elo[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = scipy.special.ndtr(gap / difference)
    np.fill_diagonal(chance, 0.5)
    chance[solution.component[:, None] != solution.component[None, :]] = np.nan
    return np.asarray(chance)


def _certain(solution: Solution, difference: Floats) -> tuple[Floats, Floats]:
    """Count, for each, those that are better and those that are worse with 95 % confidence."""
    gap = solution.elo[:, None] - solution.elo[None, :]
    together = solution.component[:, None] == solution.component[None, :]
    behind = together & (gap < -QUANTILE * difference)
    return np.asarray(behind.sum(axis=1)), np.asarray(behind.sum(axis=0))
