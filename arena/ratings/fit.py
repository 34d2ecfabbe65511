"""The fit: maximum likelihood of the model over all totals, by Newton's method on sparse matrices.

With θ the ratings in units of e, s_ij the points that i took from j, n_ij = s_ij + s_ji and p_ij = 1/(1 + e^(θ_j − θ_i)):

    gradient_i = Σ_j s_ij − n_ij p_ij          Hessian = −(Laplacian of the graph with weights n_ij p_ij p_ji)

The likelihood is concave; a step that would lower it is halved.  The prior is a draw per bot, spread over its opponents
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
"""The fit ends with a step in which no rating moved by more, in units of e; what is left is about its square."""

_STEPS = 100
_NOISE = 1e-13
"""By how much of itself a likelihood may seem to fall without having fallen: a sum of a million numbers is not exact."""


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
    """Find the maximum.  The anchor, or the mean of a component that does not hold it, stands at `mean`.

    `start` is where to look first: Elo of an earlier table by name.  It makes the fit quicker and changes nothing else.
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
    theta = start
    likelihood, p = _expected(theta, pairs, meetings)
    for _ in range(_STEPS):
        surplus = pairs.low_points - meetings * p
        gradient = np.asarray(
            np.bincount(low, surplus, bots) - np.bincount(high, surplus, bots), dtype=np.float64
        )
        step = laplacian.solve(meetings * p * (1 - p), gradient)
        while True:
            moved = theta + step
            after, p = _expected(moved, pairs, meetings)
            largest = float(np.abs(step).max())
            if after >= likelihood - _NOISE * abs(likelihood) or largest < _TOLERANCE:
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


def _expected(theta: Floats, pairs: Pairs, meetings: Floats) -> tuple[float, Floats]:
    """Return the logarithm of the likelihood, and for each pair the chance that `low` is ahead."""
    ahead = theta[pairs.low] - theta[pairs.high]
    distance = np.abs(ahead)
    # −log p = log(1 + e^−x); what does not overflow is log(1 + e^−|x|) and the rest of the straight line
    bend = np.exp(-distance)
    p = np.where(ahead > 0, 1.0, bend) / (1 + bend)
    against = np.where(ahead > 0, pairs.high_points, pairs.low_points)
    return -float(meetings @ np.log1p(bend) + against @ distance), p


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
