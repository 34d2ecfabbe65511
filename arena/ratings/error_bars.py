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
from threadpoolctl import ThreadpoolController

from arena.ratings.fit import Solution
from arena.ratings.laplacian import Floats, Ints
from arena.ratings.rating_data import Sets
from arena.ratings.totals import UNITS_PER_POINT

QUANTILE = 1.959963984540054
"""Of the normal distribution, for 95 % on both sides together."""

_LEAST_OWN = 0.02
"""What is left of a set's gradient when the fit has been pulled to it: a bot's only set would have no error otherwise."""

_PRIOR_WEIGHT = 0.5
"""So much of a set is added to each bot's, as wide as the model has it for matches that share nothing: a few sets that all went
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
    theta = solution.theta
    bots = len(theta)
    whole = _information(solution)
    spread = _pseudo_inverse(whole, solution.component)
    meat = np.zeros((bots, bots))
    component = solution.component
    played, sets_of = np.zeros(bots), np.zeros(component.max() + 1)
    for members, gradient, information, times in _blocks(theta, sets):
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


def _information(solution: Solution) -> Floats:
    theta, pairs = solution.theta, solution.pairs
    low, high, bots = pairs.low, pairs.high, len(theta)
    meetings = pairs.low_points + pairs.high_points
    p = 1 / (1 + np.exp(theta[high] - theta[low]))
    weight = meetings * p * (1 - p)
    information = np.zeros((bots, bots))
    np.add.at(information, (low, high), -weight)
    information += information.T
    information[np.diag_indices(bots)] = -information.sum(axis=1)
    return information


def _pseudo_inverse(information: Floats, component: Ints) -> Floats:
    """Invert the information on what sums to zero in each component."""
    together = component[:, None] == component[None, :]
    # Along each component the information is 0: what is added there, and taken off again, does not touch the rest.
    scale = max(float(information.diagonal().mean()), 1e-9)
    shares = together / np.bincount(component)[component]
    inverse = np.triu(scipy.linalg.lapack.dpotri(scipy.linalg.cholesky(information + scale * shares))[0])
    return np.asarray(inverse + np.triu(inverse, 1).T - shares / scale)


def _blocks(theta: Floats, sets: Sets) -> list[tuple[Ints, Floats, Floats, Floats]]:
    """Return, for all sets with the same number of bots: their bots, gradients, information matrices, and counts."""
    c = sets
    low_points, high_points = c.low_units / UNITS_PER_POINT, c.high_units / UNITS_PER_POINT
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
    meetings = low_points + high_points
    p = 1 / (1 + np.exp(theta[c.high] - theta[c.low]))
    surplus = low_points - meetings * p
    weight = meetings * p * (1 - p)
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


def _solved(own: Floats, gradient: Floats) -> Floats:
    """Solve own · x = gradient for each set, where `own` is what a set leaves of itself; never quite nothing."""
    size = own.shape[1]
    if size == 2:  # a set of two is one number: quick, and exact
        left = np.maximum(own[:, 0, 0] - own[:, 0, 1], _LEAST_OWN)
        return np.asarray(gradient / left[:, None])
    # The eigenvalues are between 0 and 1: where their sum leaves the least one room, it is enough.
    shift = np.zeros(len(own))
    near = size - np.trace(own, axis1=1, axis2=2) > 1 - _LEAST_OWN
    if near.any():
        shift[near] = np.maximum(0.0, _LEAST_OWN - np.linalg.eigvals(own[near]).real.min(axis=1))
    return np.asarray(
        np.linalg.solve(own + shift[:, None, None] * np.eye(size), gradient[:, :, None])[:, :, 0]
    )
