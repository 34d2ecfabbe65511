"""The ladder's pairings: those that tell most about who is stronger.

At two seats a set between i and j tells about p(1 − p)·Var(R_i − R_j): much where their difference is in doubt and the result is
open.  So new versions, of which nothing is known, are placed fast.  Of five sets four go where they tell most, one is drawn
by lot: what is believed never keeps anybody from meeting anybody.

Source of the criterion: Glickman and Jensen 2005, *Adaptive paired comparison design*, their expected gain to first order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.games.chance import Stream
from arena.schedule.rounds import Table

LOT_EVERY = 5
"""Of so many tables one is drawn by lot."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the entries: ratings in units of e, and the covariance of their errors; both by entry."""

    ratings: NDArray[np.float64]
    covariance: NDArray[np.float64]


def pairings(known: Known, seats: int, tables: int, stream: Stream) -> tuple[Table, ...]:
    """Choose some tables; each entry number stands at most once at a table.  Raises ValueError for too few entries."""
    entries = len(known.ratings)
    if entries < seats:
        raise ValueError(f"entries {entries}: a table has {seats} seats")
    chooser = _Chooser(known)
    chosen: list[Table] = []
    for number in range(tables):
        if number % LOT_EVERY == LOT_EVERY - 1:
            order, stream = stream.shuffle(range(entries))
            table = tuple(sorted(order[:seats]))
        else:
            table = chooser.pair() if seats == 2 else chooser.neighbours(seats)
        chooser.take(table)
        chosen.append(table)
    return tuple(chosen)


class _Chooser:
    """The variances as they will be once what has been chosen is played."""

    def __init__(self, known: Known) -> None:
        ratings = known.ratings
        own = np.diag(known.covariance)
        p = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
        self._openness = p * (1 - p)
        self._variance = np.maximum(own[:, None] + own[None, :] - 2 * known.covariance, 0.0)
        np.fill_diagonal(self._variance, 0.0)
        self._own = own.copy()
        self._ratings = ratings

    def pair(self) -> Table:
        """Give the pair that tells most; of equals the first."""
        gain = self._openness * self._variance
        return tuple(int(at) for at in np.unravel_index(int(np.argmax(np.triu(gain, 1))), gain.shape))

    def neighbours(self, seats: int) -> Table:
        """Give the entry of which least is known, with those nearest to it."""
        first = int(np.argmax(self._own))
        far = np.abs(self._ratings - self._ratings[first])
        far[first] = -1.0
        return tuple(sorted(int(at) for at in np.argsort(far, kind="stable")[:seats]))

    def take(self, table: Table) -> None:
        """Count a set as played: it adds the information of its pairs, each met twice at two seats."""
        meetings = 2.0 if len(table) == 2 else 3.0 * len(table) / (len(table) + 1)
        for i in table:
            information = meetings * sum(self._openness[i, j] for j in table if j != i)
            shrunk = 1 / (1 + self._own[i] * information / 2)
            self._own[i] *= shrunk
            self._variance[i, :] *= (1 + shrunk) / 2
            self._variance[:, i] *= (1 + shrunk) / 2
