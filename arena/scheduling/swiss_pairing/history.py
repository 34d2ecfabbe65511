"""Inputs of a Swiss pairing besides scores: how often each pair has met, and which entries have had byes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from arena.scheduling.formats.adaptive_rounds import PlayedRound
from arena.scheduling.planning_terms import Groups
from arena.scheduling.swiss_pairing.cheapest_matching import Matching, Pair
from arena.scheduling.swiss_pairing.look_ahead import all_pairs

BYE = -1
"""The opponent of an entry that has a bye: with it an odd field is even."""


@dataclass(frozen=True)
class History:
    """The rounds so far; `here` are the entries that still play, in order."""

    here: tuple[int, ...]
    played: tuple[PlayedRound, ...]
    groups: Groups = ()

    @property
    def vertices(self) -> tuple[int, ...]:
        """Return an even number: the entries, and the bye where they are odd."""
        return (BYE, *self.here) if len(self.here) % 2 else self.here

    @cached_property
    def meetings(self) -> Mapping[Pair, int]:
        """Return how often each pair that may meet now has met; a bye is for entries that have had fewest."""
        met = Counter(pair for each in self.played for pair in matching(each))
        fewest = min(met[BYE, entry] for entry in self.here)
        return {pair: met[pair] for pair in all_pairs(self.vertices) if pair[0] != BYE or met[pair] == fewest}

    @cached_property
    def fewest_meetings(self) -> int:
        """Return how often those have met that have met least: in a second cycle of meetings once, and so on."""
        return min(count for pair, count in self.meetings.items() if pair[0] != BYE)

    def unmet(self) -> frozenset[Pair]:
        """Return the pairs that have met least, and the byes."""
        least = self.fewest_meetings
        return frozenset(pair for pair, count in self.meetings.items() if count == least or pair[0] == BYE)

    def kin(self) -> frozenset[Pair]:
        """Return the pairs of entries that belong to one owner."""
        if not self.groups:
            return frozenset()
        return frozenset(
            (a, b)
            for a, b in all_pairs(self.here)
            if self.groups[a] is not None and self.groups[a] == self.groups[b]
        )

    def before(self) -> History | None:
        """Return the history one round earlier; None at the start, and where others played then."""
        if not self.played or paired(self.played[-1]) != set(self.here):
            return None
        return History(self.here, self.played[:-1], self.groups)


def matching(played: PlayedRound) -> Matching:
    """Return the pairs of a round, a bye as one with `BYE`."""
    tables = ((min(one.table), max(one.table)) for one in played.sets)
    return tuple(sorted((*tables, *((BYE, entry) for entry in played.byes))))


def paired(played: PlayedRound) -> frozenset[int]:
    """Return the entries that had an opponent or a bye in a round."""
    return frozenset(entry for pair in matching(played) for entry in pair) - {BYE}
