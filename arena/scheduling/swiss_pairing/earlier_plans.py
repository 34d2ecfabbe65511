"""The Swiss of plans 1 and 2 (`arena.scheduling.planning_terms`), by which their tournaments are continued and checked.

In a score group the upper half meets the lower half; where that would be a second meeting, the next best opponent is taken, from
the next group if need be.  Where no pairing is found soon, all earlier meetings are forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.games.chance import Stream
from arena.scheduling.formats.adaptive_rounds import PlayedRound, Round
from arena.scheduling.planning_terms import Groups
from arena.scheduling.swiss_pairing.scores import standing

_TRIES = 20_000
"""Pairings tried before a second meeting is allowed."""


@dataclass(frozen=True, slots=True)
class EarlierSwiss:
    """Two seats, a fixed number of rounds, one set a pairing."""

    entries: int
    rounds: int
    groups: Groups = ()
    """Groups (`arena.scheduling.planning_terms`) whose entries meet only if a second meeting is the alternative."""

    def next(self, played: Sequence[PlayedRound], gone: Collection[int], stream: Stream) -> Round | None:
        """Draw the next round: by lot in the first, then by score."""
        here = [entry for entry in range(self.entries) if entry not in gone]
        if len(played) >= self.rounds or len(here) < 2:
            return None
        scores = standing(played, self.entries)
        lots, _ = stream.shuffle(range(self.entries))
        # Break ties between equal scores by lot.
        order = sorted(here, key=lambda entry: (-scores[entry], lots[entry]))
        byes: tuple[int, ...] = ()
        if len(order) % 2:
            had = {entry for each in played for entry in each.byes}
            byes = (next((entry for entry in reversed(order) if entry not in had), order[-1]),)
            order.remove(byes[0])
        met = {frozenset(one.table) for each in played for one in each.sets}
        kin = {
            frozenset((a, b))
            for a, b in combinations(order, 2)
            if self.groups and _are_kin(self.groups, a, b)
        }
        tables = (
            (_Pairing(scores, met | kin).pairs(order) if kin else None)
            or _Pairing(scores, met).pairs(order)
            or _Pairing(scores, set()).pairs(order)
        )
        assert tables is not None  # noqa: S101 - with nobody met the first try succeeds
        return Round(tables, byes)


def _are_kin(groups: Groups, a: int, b: int) -> bool:
    return groups[a] is not None and groups[a] == groups[b]


class _Pairing:
    """A search, depth first, for pairs that have not met."""

    def __init__(self, scores: Sequence[int], met: Collection[frozenset[int]]) -> None:
        self._scores = scores
        self._met = met
        self._tries = _TRIES

    def pairs(self, order: Sequence[int]) -> tuple[tuple[int, int], ...] | None:
        """Pair all, the best first; None if that cannot be done, or not soon."""
        done: list[tuple[int, int]] = []
        # By level: who is left to be paired, and the opponents that the first of them may still try.
        left = [list(order)]
        choices = [self._opponents(left[0])]
        while left[-1]:
            first = left[-1][0]
            other = next(choices[-1], None)
            self._tries -= 1
            if self._tries < 0:
                return None
            if other is None:
                left.pop()
                choices.pop()
                if not left:
                    return None
                done.pop()
                continue
            done.append((first, other))
            left.append([entry for entry in left[-1] if entry not in {first, other}])
            choices.append(self._opponents(left[-1]))
        return tuple(done)

    def _opponents(self, order: Sequence[int]) -> Iterator[int]:
        if not order:
            return iter(())
        first = order[0]
        group = sum(self._scores[entry] == self._scores[first] for entry in order)
        ideal = max(1, group // 2)
        places = sorted(range(1, len(order)), key=lambda place: (place >= group, abs(place - ideal), place))
        return (order[place] for place in places if frozenset((first, order[place])) not in self._met)
