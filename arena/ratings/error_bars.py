"""Error bars: standard errors of the fit that allow for correlated matches within a set.

The covariance is the sandwich A⁺ M A⁺, where A is the information of the fit (a Laplacian, the prior's draws included) and M
sums x_c x_cᵀ over the sets c.  x_c is the gradient g_c of the set, corrected for the pull of the set on the fit itself:
x_c = (I − A_c A⁺)⁻¹ g_c.  That is the jackknife that leaves out a set at a time, to first order (CR3, the HC3 of clusters):
without it few sets make the bars too short.

A Laplacian says nothing about the mean of a component, so all of it is relative to that mean.

Sources: Liang and Zeger 1986, *Longitudinal data analysis using generalized linear models*, for the clustered sandwich; MacKinnon and
White 1985, *Some heteroskedasticity-consistent covariance matrix estimators*, for HC3; Bell and McCaffrey 2002, *Bias reduction in
standard errors for linear regression with multi-stage samples*, for its form with clusters.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from arena.ratings.fit import Solution
from arena.ratings.laplacian import Floats, Ints
from arena.ratings.rating_data import Sets
from arena.ratings.totals import UNITS_PER_POINT

QUANTILE = 1.959963984540054
"""Of the normal distribution, for 95 % on both sides together."""

_LEAST_OWN = 0.02
"""Share of a set's gradient that remains when the fit follows that set: without it, a bot's only set would have no error."""

_PRIOR_WEIGHT = 0.5
"""Weight, in sets, of a prior set per bot, as wide as the model expects of independent matches: a few sets that all went
alike are no proof that all will.  After twenty sets it makes a bar longer by about one part in a hundred."""


def covariance(solution: Solution, sets: Sets) -> Floats:
    """Return the covariance matrix of the ratings in units of e, relative to the mean of each component."""
    # Several threads would wait for each other on the cores that matches are played on, and take twice the processor's time; and how
    # many there are would show in the last digits.
    with _libraries().limit(limits=1, user_api="blas"):
        return _covariance(solution, sets)


@lru_cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def _covariance(solution: Solution, sets: Sets) -> Floats:
    theta, component = solution.theta, solution.component
    bots = len(theta)
    whole = _information(solution)
    spread = _pseudo_inverse(whole, component)
    alone = np.bincount(sets.cluster, minlength=len(sets.count)) == 1
    meat, played, sets_of = _of_pairs(solution, spread, _part(sets, alone))
    for members, gradient, information, times in _blocks(theta, _part(sets, ~alone)):
        pull = information @ spread[members[:, :, None], members[:, None, :]]
        adjusted = _solved(np.eye(members.shape[1]) - pull, gradient)
        outer = times[:, None, None] * adjusted[:, :, None] * adjusted[:, None, :]
        at = members[:, :, None] * bots + members[:, None, :]
        meat += np.bincount(at.ravel(), outer.ravel(), bots * bots).reshape(bots, bots)
        played += np.bincount(members.ravel(), np.repeat(times, members.shape[1]), bots)
        sets_of += np.bincount(component[members[:, 0]], times, len(sets_of))
    each = 1 / np.sqrt(np.maximum(played, 1))
    meat += _PRIOR_WEIGHT * whole * each[:, None] * each[None, :]
    left_out = np.where(sets_of > 1, (sets_of - 1) / np.maximum(sets_of, 1), 1.0)
    return np.asarray(spread @ meat @ spread * left_out[component])


def _part(sets: Sets, chosen: NDArray[np.bool_]) -> Sets:
    """Return the rows of some sets; the numbers of the sets stay."""
    rows = chosen[sets.cluster]
    return Sets(
        sets.cluster[rows],
        sets.low[rows],
        sets.high[rows],
        sets.low_units[rows],
        sets.high_units[rows],
        sets.count,
    )


def _of_pairs(solution: Solution, spread: Floats, sets: Sets) -> tuple[Floats, Floats, Floats]:
    """Return what the sets of two bots add to M, how many sets each bot has, and how many each component.

    Such a set is one number, its surplus x: a gradient of x and −x, corrected by one division, exactly.
    """
    low, high, component = sets.low, sets.high, solution.component
    bots = len(component)
    surplus, weight = _surplus(solution.theta, sets)
    own = np.diag(spread)
    left = np.maximum(1 - weight * (own[low] + own[high] - 2 * spread[low, high]), _LEAST_OWN)
    times = sets.count[sets.cluster].astype(np.float64)
    played = _counted(low, times, bots) + _counted(high, times, bots)
    sets_of = _counted(component[low], times, component.max() + 1)
    return _laplacian(low, high, times * (surplus / left) ** 2, bots), played, sets_of


def _information(solution: Solution) -> Floats:
    theta, pairs = solution.theta, solution.pairs
    p = 1 / (1 + np.exp(theta[pairs.high] - theta[pairs.low]))
    weight = (pairs.low_points + pairs.high_points) * p * (1 - p)
    return _laplacian(pairs.low, pairs.high, weight, len(theta))


def _laplacian(low: Ints, high: Ints, weight: Floats, bots: int) -> Floats:
    """Add up the Laplacian of edges with weights; two may join the same bots."""
    matrix = _counted(low * bots + high, -weight, bots * bots).reshape(bots, bots)
    matrix += matrix.T
    matrix[np.diag_indices(bots)] = -matrix.sum(axis=1)
    return np.asarray(matrix)


def _counted(numbers: Ints, weight: Floats, length: int) -> Floats:
    """Add up weights by number; without any they are floats, too."""
    return np.bincount(numbers, weight, length).astype(np.float64, copy=False)


def _pseudo_inverse(information: Floats, component: Ints) -> Floats:
    """Invert the information on what sums to zero in each component."""
    together = component[:, None] == component[None, :]
    # Along each component the information is 0: what is added there, and taken off again, does not touch the rest.
    scale = max(float(information.diagonal().mean()), 1e-9)
    shares = together / np.bincount(component)[component]
    inverse = scipy.linalg.lapack.dpotri(scipy.linalg.cholesky(information + scale * shares))[0]
    return np.asarray(inverse + np.triu(inverse, 1).T - shares / scale)


def _blocks(theta: Floats, sets: Sets) -> list[tuple[Ints, Floats, Floats, Floats]]:
    """Return, for all sets with the same number of bots: their bots, gradients, information matrices, and counts."""
    c = sets
    rows = np.arange(len(c.cluster))
    bots = len(theta)
    keys, where = np.unique(
        np.concatenate((c.cluster * bots + c.low, c.cluster * bots + c.high)), return_inverse=True
    )
    owner = keys // bots
    sizes = np.bincount(owner, minlength=len(c.count))
    first = np.concatenate(((0,), np.cumsum(sizes)))[:-1]
    low_at = where[: len(rows)] - first[c.cluster]
    high_at = where[len(rows) :] - first[c.cluster]
    surplus, weight = _surplus(theta, sets)
    found = []
    for size in np.unique(sizes[sizes > 0]):
        chosen = np.flatnonzero(sizes == size)
        number = np.full(len(c.count), -1, dtype=np.intp)
        number[chosen] = np.arange(len(chosen))
        own = np.flatnonzero(number[c.cluster] >= 0)
        at, i, j = number[c.cluster[own]], low_at[own], high_at[own]
        gradient = np.zeros((len(chosen), size))
        np.add.at(gradient, (at, i), surplus[own])
        np.add.at(gradient, (at, j), -surplus[own])
        information = np.zeros((len(chosen), size, size))
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            np.add.at(information, (at, a, b), sign * weight[own])
        members = (keys % bots)[first[chosen][:, None] + np.arange(size)]
        found.append((members, gradient, information, c.count[chosen].astype(np.float64)))
    return found


def _surplus(theta: Floats, sets: Sets) -> tuple[Floats, Floats]:
    """Return, for each pair of a set, the points that `low` took beyond those expected, and their variance by the fit."""
    low_points, high_points = sets.low_units / UNITS_PER_POINT, sets.high_units / UNITS_PER_POINT
    meetings = low_points + high_points
    p = 1 / (1 + np.exp(theta[sets.high] - theta[sets.low]))
    return low_points - meetings * p, meetings * p * (1 - p)


def _solved(own: Floats, gradient: Floats) -> Floats:
    """Solve own · x = gradient for each set, where `own` is what a set leaves of itself; never quite nothing."""
    size = own.shape[1]
    # The eigenvalues are between 0 and 1: where their sum leaves the least one room, it is enough.
    shift = np.zeros(len(own))
    near = size - np.trace(own, axis1=1, axis2=2) > 1 - _LEAST_OWN
    if near.any():
        shift[near] = np.maximum(0.0, _LEAST_OWN - np.linalg.eigvals(own[near]).real.min(axis=1))
    return np.asarray(
        np.linalg.solve(own + shift[:, None, None] * np.eye(size), gradient[:, :, None])[:, :, 0]
    )
