"""Savings of sets: the number of matches that shared deals made unnecessary.

With r the surplus of a bot in a match over what was expected, the matches of a set would, if they were independent, have the variance
Σ r²; what they really have is (Σ r)².  The ratio of the two, over all sets, is how many matches without sets one with sets is worth.

Both are less than the truth, since the ratings were fitted to the same results; they are divided by their degrees of freedom,
as a residual variance is.  With S sets of k matches and p fitted ratings these are S k (k − 1) − p and S (k − 1) − p.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np

from arena.ratings.error_bars import QUANTILE
from arena.ratings.laplacian import Floats, Ints
from arena.ratings.model import POINTS_PER_E

MIN_SETS = 30
"""With fewer the ratio says nothing."""


@dataclass(frozen=True, slots=True)
class Savings:
    """The ratio of variances with its 95 % interval; a ratio below 1 means that sets did harm."""

    ratio: float
    low: float
    high: float

    def saved(self, matches: int) -> int:
        """Return how many more matches the same certainty would have needed without sets."""
        return round((self.ratio - 1) * matches)


def measure(places: Ints, elo: Floats, fitted: int) -> Savings | None:
    """Measure from whole sets; None where they are too few.

    `places` are those of each bot by set, match and bot, `elo` theirs by set and bot; `fitted` is the number of ratings that were
    fitted to these results, less one for each component.
    """
    sets, matches, bots = places.shape
    free = sets * (bots - 1) - fitted
    if sets < MIN_SETS or free < fitted:
        return None
    surplus = _scores(places) - _expected(elo)[:, None, :]
    alone = (surplus**2).sum(axis=(1, 2))
    together = (surplus.sum(axis=1) ** 2).sum(axis=1)
    if not alone.sum() or not together.sum():
        return None
    ratio = float(alone.sum() / together.sum()) * matches * free / (sets * matches * (bots - 1) - fitted)
    # The logarithm of a ratio of sums, by the delta method; sets are independent.
    error = QUANTILE * float(np.sqrt(((alone / alone.sum() - together / together.sum()) ** 2).sum()))
    return Savings(ratio, ratio * exp(-error), ratio * exp(error))


def _scores(places: Ints) -> Floats:
    """Return the pairs that each bot won in each match; a shared place counts half."""
    own, other = places[..., :, None], places[..., None, :]
    return np.asarray((own < other).sum(axis=-1) + 0.5 * ((own == other).sum(axis=-1) - 1))


def _expected(elo: Floats) -> Floats:
    ahead = (elo[:, :, None] - elo[:, None, :]) / POINTS_PER_E
    return np.asarray((1 / (1 + np.exp(-ahead))).sum(axis=-1) - 0.5)
