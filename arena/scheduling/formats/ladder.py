"""Pairings of a ladder: those from which most is learnt about strength.

At two seats a set between i and j is worth about p(1 − p)·Var(R_i − R_j): much where their difference is in doubt and the result is
open.  So new versions, of which nothing is known, are placed fast.  Of five sets four go where they are worth most, one is drawn
by lot: so estimates never prevent any two bots from meeting.  Nothing depends on how entries are numbered: lots settle ties.

Source of the criterion: Glickman and Jensen 2005, *Adaptive paired comparison design*, their expected gain to first order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from arena.core.translatable import mark, say
from arena.games.chance import Stream
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.adaptive_format import AdaptiveFormat
from arena.scheduling.formats.adaptive_rounds import PlayedRound, Rounds, ShownRound, TableEntries
from arena.scheduling.owner_separation import owners
from arena.scheduling.planning_terms import Groups, Terms

LOT_EVERY = 5
"""One table in this many is drawn by lot."""


@dataclass(frozen=True, slots=True)
class LadderStanding:
    """Ratings of the entries in units of e, and the variances of their errors, by entry.

    Raises ValueError where they are not as many, or not all finite, or a variance is negative.
    """

    ratings: NDArray[np.float64]
    variances: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.ratings.ndim != 1 or self.variances.shape != self.ratings.shape:
            raise ValueError(
                f"variances of shape {self.variances.shape}: there must be one for each of {self.ratings.shape} ratings"
            )
        if not (np.isfinite(self.ratings).all() and np.isfinite(self.variances).all()):
            raise ValueError("ratings and variances: must be finite")
        if (self.variances < 0).any():
            raise ValueError(f"variances {self.variances.min()}: must not be negative")


def pairings(
    known: LadderStanding, seats: int, tables: int, stream: Stream, groups: Groups = ()
) -> tuple[TableEntries, ...]:
    """Choose some tables; each entry sits at most once at a table, and no two of one group (`arena.scheduling.planning_terms`).

    Raises ValueError for too few entries, or groups.
    """
    entries = len(known.ratings)
    if not 2 <= seats <= entries or (groups and owners(groups) < seats):
        raise ValueError(f"entries {entries}: a table has {seats} seats")
    lots, stream = stream.shuffle(range(entries))
    order = np.array(lots)
    chooser = _Chooser(known.ratings[order], known.variances[order], _families(groups, entries)[order])
    chosen: list[TableEntries] = []
    for number in range(tables):
        if number % LOT_EVERY == LOT_EVERY - 1:
            drawn, stream = stream.shuffle(range(entries))
            places = chooser.apart(drawn, seats)
        else:
            places = chooser.pair() if seats == 2 else chooser.neighbours(seats)
        chooser.take(places)
        chosen.append(tuple(sorted(lots[place] for place in places)))
    return tuple(chosen)


def _families(groups: Groups, entries: int) -> NDArray[np.int64]:
    """Return a number for each entry that it shares with its owner's others; a bot without owner has one of its own."""
    known = groups or (None,) * entries
    first = 1 + max((group for group in known if group is not None), default=-1)
    return np.array([first + number if group is None else group for number, group in enumerate(known)])


class _Chooser:
    """Chooser of tables: it has the variances expected once the tables chosen so far are played; entries are in an order by lot."""

    def __init__(
        self, ratings: NDArray[np.float64], variances: NDArray[np.float64], families: NDArray[np.int64]
    ) -> None:
        self._ratings = ratings
        self._families = families
        self._variances = variances.copy()
        # Upper bound of the best pair of an entry with a later one.  Values only decrease, so a bound remains valid.
        self._bounds = (variances + variances.max()) / 4
        self._bounds[-1] = -1.0

    def pair(self) -> TableEntries:
        """Return the most informative pair; of equals the first."""
        while True:
            first = int(np.argmax(self._bounds))
            others = slice(first + 1, None)
            gains = self._open(first, others) * (self._variances[first] + self._variances[others])
            gains[self._families[others] == self._families[first]] = -1.0
            best = int(np.argmax(gains))
            if gains[best] >= self._bounds[first]:
                return first, first + 1 + best
            self._bounds[first] = gains[best]

    def neighbours(self, seats: int) -> TableEntries:
        """Return the entry of which least is known, with those nearest to it; of equals the first."""
        first = int(np.argmax(self._variances))
        far = np.abs(self._ratings - self._ratings[first])
        far[first] = -1.0
        return self.apart([int(at) for at in np.argsort(far, kind="stable")], seats)

    def apart(self, places: Sequence[int], seats: int) -> TableEntries:
        """Return the first places of which no two are of one family."""
        table: list[int] = []
        for place in places:
            if len(table) < seats and self._families[place] not in self._families[table]:
                table.append(place)
        return tuple(table)

    def take(self, table: TableEntries) -> None:
        """Count a set as played: it adds the information of its pairs, who meet once in each match, with its weight."""
        seats = len(table)
        meetings = 3 * seats / (seats + 1)
        shrunk = {}
        for i in table:
            others = np.array([j for j in table if j != i])
            # fsum, since a sum must not depend on the order of the others.
            information = meetings * fsum(self._open(i, others))
            shrunk[i] = self._variances[i] / (1 + self._variances[i] * information / 2)
        for i, variance in shrunk.items():
            self._variances[i] = variance

    def _open(self, i: int, others: slice | NDArray[np.int64]) -> NDArray[np.float64]:
        """Return p(1 − p) of an entry against others: 1/4 where the result is most open."""
        # By the difference's size, so that i against j is, to the last bit, j against i.
        odds = np.exp(-np.abs(self._ratings[others] - self._ratings[i]))
        return np.asarray(odds / (1 + odds) ** 2, dtype=np.float64)


class LadderFormat(AdaptiveFormat):
    """An epoch of a ladder.

    Its rounds follow from the Elo of the whole pool and from who is there, not from its own results alone, and it ends by the clock: so
    `arena.competition.ladders` has them drawn (`arena.scheduling.controller.draw_ladder_round`), and this class draws none.
    """

    name: ClassVar[str] = mark("ladder")
    label: ClassVar[str] = mark("Ladder")
    hint: ClassVar[str] = ""
    position: ClassVar[int] = 6
    is_standing: ClassVar[bool] = True

    def most_sets(self, entries: int, seats: int, more: int = 0, groups: Groups = ()) -> int:  # noqa: ARG002 - a ladder has none
        """Raise ValueError: it plays on until its time is over."""
        raise ValueError("a ladder has no number of sets: its epochs end by the clock")

    def rounds(self, entries: int, seats: int, more: int, terms: Terms) -> Rounds:  # noqa: ARG002 - a ladder has none
        """Raise ValueError: its rounds do not follow from its own results."""
        raise ValueError("a ladder's rounds follow from the Elo of its pool: draw_ladder_round draws them")

    def rounds_shown(
        self, entries: int, course: DecisionState, played: Sequence[PlayedRound]
    ) -> tuple[ShownRound, ...]:
        """Return none: an epoch has thousands of rounds."""
        del entries, course, played
        return ()

    def describe(self, course: DecisionState, names: Sequence[str]) -> str:  # noqa: ARG002 - always the same
        """Return its name."""
        return say("Ladder")


FORMAT = LadderFormat
