"""An anytime-valid test of whether the best k are separated from the rest.

A 95 % interval that is looked at after each block is wrong far more often than 5 % of the time.  So the bound is a confidence
sequence: with I = 1/se² the information on a difference d, all the while with chance 1 − α

    d² · I  <  (1 + ρ/I) · log((1 + I/ρ) / α²)

and α is shared out over all pairs of one of the k and one of the rest.

Source: Robbins 1970, *Statistical methods related to the law of the iterated logarithm*; Howard, Ramdas, McAuliffe and Sekhon 2021,
*Time-uniform, nonparametric, nonasymptotic confidence sequences*, equation (14), the two-sided normal mixture.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from arena.ratings.laplacian import Floats

_SHARPEST_AT = 15.0
"""The standard error, in Elo, at which the bound is tightest: where tables of near bots are decided."""


def bound(error: float, alpha: float) -> float:
    """Return how large a difference must be to be certain, with its standard error; both in Elo."""
    information = 1 / error**2
    rho = 1 / (_SHARPEST_AT**2 * (2 * log(1 / alpha) + log(1 + 2 * log(1 / alpha))))
    return error * sqrt((1 + rho / information) * log((1 + information / rho) / alpha**2))


def separated(elo: Floats, covariance: Floats, k: int, alpha: float = 0.05) -> bool:
    """Return whether each of the best k is certainly ahead of each of the rest; both arrays are by bot, in Elo and Elo²."""
    order = np.argsort(-elo, kind="stable")
    best, rest = order[:k], order[k:]
    if not len(best) or not len(rest):
        return True
    share = alpha / (len(best) * len(rest))
    for i in best:
        for j in rest:
            variance = float(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
            if variance <= 0 or elo[i] - elo[j] < bound(sqrt(variance), share):
                return False
    return True
