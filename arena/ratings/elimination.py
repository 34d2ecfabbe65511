"""Elimination: which entries can no longer be the best, at an error that holds however often one looks.

In a round each entry that is still in plays, against opponents by lot; its score is the mean of its sets, 0 to 1.  If j is the best,
then no i is expected to score more than j, given any past: a gambler who bets on i's lead over j, each time a share λ of the
fortune, cannot expect to win.  So the wealth

    W(j) = mean over i ≠ j and λ of  Π (1 + λ (s_i − s_j))

is a supermartingale that begins at 1, and ever reaches 1/error with a probability of at most `error` (Ville's inequality).  An entry
with so much bet against it successfully leaves.  Nothing else is assumed: neither Elo, nor that rounds, deals or opponents are alike;
only that the best scores no less than another against the same opponents.

Source: Waudby-Smith and Ramdas 2024, *Estimating means of bounded random variables by betting*; Ville 1939, *Étude critique de la
notion de collectif*.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
"""By round and entry, 0 to 1; NaN where an entry did not play."""

_SHARES = 2.0 ** -np.arange(0.25, 7.0, 0.75)
"""Shares λ that are bet, 0.84 to 0.01: large ones expose weak entries early, small ones separate close entries in the end."""

_MAX_LOG = 300.0
"""Beyond this the logarithm of a wealth makes no difference, and its exponential is no number."""

_ROUNDS_AT_ONCE = 64
"""So that a late look does not take much memory."""


class Contenders:
    """Which of `entries` may still be the best, look by look."""

    def __init__(self, entries: int, error: float) -> None:
        self._limit = 1 / error
        self._wealth = np.zeros((entries, entries, len(_SHARES)))
        self.still_in = list(range(entries))
        """Entries that may still be the best.  One always remains: if the evidence is against all, the one with least against it."""

    def look(self, scores: Scores) -> tuple[int, ...]:
        """Look at the rounds since the last look; return who leaves."""
        among = np.ix_(self.still_in, self.still_in)
        for start in range(0, len(scores), _ROUNDS_AT_ONCE):
            self._wealth[among] += _growth(scores[start : start + _ROUNDS_AT_ONCE, self.still_in])
        against = _wealth_against(self._wealth)
        out = sorted(
            (each for each in self.still_in if against[each] >= self._limit), key=against.__getitem__
        )
        leaves = out[1:] if len(out) == len(self.still_in) else out
        self.still_in = [each for each in self.still_in if each not in leaves]
        return tuple(sorted(leaves))

    def rounds_left(self, played: int, most: int) -> int | None:
        """Estimate how many rounds more it takes, after `played`, until one is left; None if `most` more are not enough at this pace.

        The logarithm of a wealth grows by the same expected amount in each round, so it is extrapolated in proportion.
        """
        if len(self.still_in) < 2:
            return 0
        among = np.ix_(self.still_in, self.still_in)
        first, last = 1, most
        while first < last:
            middle = (first + last) // 2
            if self._is_decided(among, 1 + middle / played):
                last = middle
            else:
                first = middle + 1
        return first if first <= most and self._is_decided(among, 1 + first / played) else None

    def _is_decided(self, among: tuple[NDArray[np.intp], ...], factor: float) -> bool:
        """Return whether all but one would leave if there had been `factor` times the rounds."""
        wealth = self._wealth.copy()
        wealth[among] *= factor
        against = _wealth_against(wealth)[self.still_in]
        return bool((against >= self._limit).sum() >= len(self.still_in) - 1)


def _growth(scores: Scores) -> NDArray[np.float64]:
    """Return by how much the logarithms of the wealths grow, by the entry bet on, the one bet against, and the share."""
    leads = np.nan_to_num(scores[:, :, None] - scores[:, None, :])
    return np.stack([np.log1p(share * leads).sum(axis=0) for share in _SHARES], axis=-1)


def _wealth_against(wealth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return W(j) by entry."""
    each = np.exp(np.minimum(wealth, _MAX_LOG)).mean(axis=2)
    np.fill_diagonal(each, 0.0)
    total: NDArray[np.float64] = each.sum(axis=0) / max(1, len(each) - 1)
    return total
