"""The fit: maximum likelihood of the model over all totals, by Newton's method on sparse matrices.

With θ the ratings in units of e, s_ij the points that i took from j, n_ij = s_ij + s_ji and p_ij = 1/(1 + e^(θ_j − θ_i)):

    gradient_i = Σ_j s_ij − n_ij p_ij          Hessian = −(Laplacian of the graph with weights n_ij p_ij p_ji)

The likelihood is concave; a step that would lower it is halved.  The prior is a draw per bot, spread over its opponents
as its meetings are, so a maximum exists in every connected group; groups that never met are each fitted by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from arena.ratings.laplacian import Floats, Ints, Laplacian
from arena.ratings.model import MEAN_ELO, POINTS_PER_E, PRIOR_DRAWS
from arena.ratings.totals import UNITS_PER_POINT, PairTotal

_TOLERANCE = 1e-7
"""The fit ends with a step in which no rating moved by more, in units of e; what is left is about its square."""

_STEPS = 100


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted rating, rounded to a tenth; `component` numbers the groups that never met, the largest first."""

    name: str
    elo: float
    component: int


@dataclass(frozen=True, slots=True)
class Pairs:
    """The totals as arrays: who met, by number, and the points that each took."""

    low: Ints
    high: Ints
    low_points: Floats
    high_points: Floats


@dataclass(frozen=True, slots=True)
class Solution:
    """The maximum before it is rounded: names, ratings in Elo and in units of e, and what they were fitted to."""

    names: tuple[str, ...]
    elo: Floats
    theta: Floats
    component: Ints
    pairs: Pairs
    """With the prior's draws in them."""


def fit(
    totals: Sequence[PairTotal], *, anchor: str | None = None, prior: float = PRIOR_DRAWS
) -> tuple[Fitted, ...]:
    """Fit the Elo of all bots in the totals, best first inside each component.

    The component that holds the anchor has it at 1500 and is number 0; every other has its mean there.
    """
    solution = solve(totals, anchor=anchor, prior=prior)
    rows = (
        Fitted(name, round(float(elo), 1) + 0.0, int(component))
        for name, elo, component in zip(solution.names, solution.elo, solution.component, strict=True)
    )
    return tuple(sorted(rows, key=lambda row: (row.component, -row.elo, row.name)))


def solve(
    totals: Sequence[PairTotal],
    *,
    anchor: str | None = None,
    prior: float = PRIOR_DRAWS,
    mean: float = MEAN_ELO,
) -> Solution:
    """Find the maximum.  The anchor, or the mean of a component that does not hold it, stands at `mean`."""
    pairs = sorted(totals)
    names = tuple(sorted({name for pair in pairs for name in (pair.low, pair.high)}))
    index = {name: i for i, name in enumerate(names)}
    met = Pairs(
        low=np.array([index[pair.low] for pair in pairs], dtype=np.intp),
        high=np.array([index[pair.high] for pair in pairs], dtype=np.intp),
        low_points=np.array([pair.low_units for pair in pairs], dtype=np.float64) / UNITS_PER_POINT,
        high_points=np.array([pair.high_units for pair in pairs], dtype=np.float64) / UNITS_PER_POINT,
    )
    if not names:
        nothing: Floats = np.zeros(0)
        return Solution((), nothing, nothing, np.zeros(0, dtype=np.intp), met)
    pulled = with_prior(met, len(names), prior)
    theta = maximum(pulled, len(names))
    held = None if anchor is None else index.get(anchor)
    component = _components(met.low, met.high, len(names), held)
    return Solution(names, _placed(theta * POINTS_PER_E, component, held, mean), theta, component, pulled)


def maximum(pairs: Pairs, bots: int) -> Floats:
    """Maximise the likelihood: ratings in units of e, each component's free constant left where it falls."""
    low, high = pairs.low, pairs.high
    meetings = pairs.low_points + pairs.high_points
    laplacian = Laplacian(low, high, bots)
    theta: Floats = np.zeros(bots)
    likelihood = _likelihood(theta, pairs)
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(theta[high] - theta[low]))
        surplus = pairs.low_points - meetings * p
        gradient = np.asarray(
            np.bincount(low, surplus, bots) - np.bincount(high, surplus, bots), dtype=np.float64
        )
        step = laplacian.solve(meetings * p * (1 - p), gradient)
        while True:
            moved = theta + step
            after = _likelihood(moved, pairs)
            largest = float(np.abs(step).max())
            if after >= likelihood or largest < _TOLERANCE:
                break
            step = step / 2
        theta, likelihood = moved, after
        if largest < _TOLERANCE:
            break
    return theta


def with_prior(pairs: Pairs, bots: int, prior: float) -> Pairs:
    """Add to each pair its share of both bots' virtual draws."""
    meetings = pairs.low_points + pairs.high_points
    met = np.bincount(pairs.low, meetings, bots) + np.bincount(pairs.high, meetings, bots)
    half = prior / 2 * meetings * (1 / met[pairs.low] + 1 / met[pairs.high])
    return replace(pairs, low_points=pairs.low_points + half, high_points=pairs.high_points + half)


def _likelihood(theta: Floats, pairs: Pairs) -> float:
    ahead = theta[pairs.low] - theta[pairs.high]
    # −log p = log(1 + e^−x); what does not overflow is log(1 + e^−|x|) and the rest of the straight line
    bend = np.log1p(np.exp(-np.abs(ahead)))
    straight = np.where(ahead > 0, pairs.high_points, pairs.low_points) * np.abs(ahead)
    return -float((pairs.low_points + pairs.high_points) @ bend + straight.sum())


def _components(low: Ints, high: Ints, bots: int, anchor: int | None) -> Ints:
    """Give each group that never met its number: the anchor's first, then the larger, then the first in the alphabet."""
    graph = coo_array((np.ones(len(low)), (low, high)), shape=(bots, bots))
    _, label = connected_components(graph, directed=False)
    sizes = np.bincount(label)
    first = [int(np.argmax(label == group)) for group in range(len(sizes))]
    held = -1 if anchor is None else int(label[anchor])
    order = sorted(range(len(sizes)), key=lambda group: (group != held, -sizes[group], first[group]))
    number = np.empty(len(sizes), dtype=np.intp)
    number[order] = np.arange(len(sizes))
    return np.asarray(number[label], dtype=np.intp)


def _placed(elo: Floats, component: Ints, anchor: int | None, mean: float) -> Floats:
    """Shift each component to its anchor or its mean."""
    sizes = np.bincount(component)
    centre = np.bincount(component, elo) / sizes
    if anchor is not None:
        centre[component[anchor]] = elo[anchor]
    return np.asarray(elo - centre[component] + mean)
