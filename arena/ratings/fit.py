"""The fit: maximum likelihood of the model over all totals, by Newton's method on sparse matrices.

With θ the ratings in units of e, s_ij the points that i took from j, n_ij = s_ij + s_ji and p_ij = 1/(1 + e^(θ_j − θ_i)):

    gradient_i = Σ_j s_ij − n_ij p_ij          Hessian = −(Laplacian of the graph with weights n_ij p_ij p_ji)

The likelihood is concave; a step that might lower it is halved.  The prior is a draw per bot, spread over its opponents
as its meetings are, so a maximum exists in every connected group; groups that never met are each fitted by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import scipy

from arena.ratings.laplacian import Floats, Ints, Laplacian
from arena.ratings.model import MEAN_ELO, POINTS_PER_E, PRIOR_DRAWS
from arena.ratings.rating_data import Totals
from arena.ratings.totals import UNITS_PER_POINT

_TOLERANCE = 1e-5
"""The fit ends with a step in which no rating moved by more, in units of e, from equations solved as well; what is left is about
its square."""

_STEPS = 100
_LARGEST_EXPONENT = 700.0
"""Of e, before a float overflows."""

_SAFE_STEP = 0.5
"""A step in which no rating moves by more always raises the likelihood, wherever it ends.

Along a step of Newton's the slope falls from d at first at the rate d.  While two ratings have moved by at most t against each other,
that rate is at most d e^t: at t, from 0 to 1, the slope is at least d (2 − e^t), and the likelihood rises by 0.28 d or more.
"""

_ROUGH = 1e-2
_EXACTNESS = 1e-3
"""Far from the maximum a step is off by about its own square, so its equations are solved no better than that."""


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


def solve(
    totals: Totals,
    *,
    anchor: str | None = None,
    prior: float = PRIOR_DRAWS,
    mean: float = MEAN_ELO,
    start: Mapping[str, float] = MappingProxyType({}),
) -> Solution:
    """Find the maximum.  The anchor, or the mean of a component that does not hold it, is placed at `mean`.

    `start` has the Elo of an earlier table by name.  It makes the fit quicker and does not change the result.
    """
    names = totals.names
    met = Pairs(
        low=totals.low,
        high=totals.high,
        low_points=totals.low_units / UNITS_PER_POINT,
        high_points=totals.high_units / UNITS_PER_POINT,
    )
    if not names:
        nothing: Floats = np.zeros(0)
        return Solution((), nothing, nothing, np.zeros(0, dtype=np.intp), met)
    pulled = with_prior(met, len(names), prior)
    begin = np.array([start.get(name, mean) - mean for name in names]) / POINTS_PER_E
    theta = maximum(pulled, begin)
    held = names.index(anchor) if anchor in names else None
    component = _components(met.low, met.high, len(names), held)
    return Solution(names, _placed(theta * POINTS_PER_E, component, held, mean), theta, component, pulled)


def maximum(pairs: Pairs, start: Floats) -> Floats:
    """Maximise the likelihood from a start: ratings in units of e, each component's free constant left where it falls."""
    low, high, bots = pairs.low, pairs.high, len(start)
    meetings = pairs.low_points + pairs.high_points
    laplacian = Laplacian(low, high, bots)
    theta, residual = start, _ROUGH
    p, gradient = _expected(theta, pairs, meetings)
    for _ in range(_STEPS):
        step = laplacian.solve(meetings * p * (1 - p), gradient, residual)
        while True:
            moved = theta + step
            p, gradient = _expected(moved, pairs, meetings)
            largest = float(np.abs(step).max())
            if largest <= _SAFE_STEP or gradient @ step >= 0:  # it has not come to the top of its line
                break
            step = step / 2
        theta = moved
        if max(largest, residual) < _TOLERANCE:
            break
        residual = min(_ROUGH, _EXACTNESS * largest**2)
    return theta


def with_prior(pairs: Pairs, bots: int, prior: float) -> Pairs:
    """Add to each pair its share of both bots' virtual draws."""
    meetings = pairs.low_points + pairs.high_points
    met = np.bincount(pairs.low, meetings, bots) + np.bincount(pairs.high, meetings, bots)
    half = prior / 2 * meetings * (1 / met[pairs.low] + 1 / met[pairs.high])
    return replace(pairs, low_points=pairs.low_points + half, high_points=pairs.high_points + half)


def _expected(theta: Floats, pairs: Pairs, meetings: Floats) -> tuple[Floats, Floats]:
    """Return for each pair the chance that `low` is ahead, and the gradient of the likelihood."""
    behind = theta[pairs.high] - theta[pairs.low]
    p = 1 / (1 + np.exp(np.minimum(behind, _LARGEST_EXPONENT)))
    surplus = pairs.low_points - meetings * p
    bots = len(theta)
    gradient = np.bincount(pairs.low, surplus, bots) - np.bincount(pairs.high, surplus, bots)
    return p, np.asarray(gradient, dtype=np.float64)


def _components(low: Ints, high: Ints, bots: int, anchor: int | None) -> Ints:
    """Return, by bot, the number of its connected component: the anchor's is 0, then the larger ones, then by alphabet."""
    graph = scipy.sparse.coo_array((np.ones(len(low)), (low, high)), shape=(bots, bots))
    _, label = scipy.sparse.csgraph.connected_components(graph, directed=False)
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
