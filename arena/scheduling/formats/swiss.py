"""Swiss: in each round bots with about equal scores meet, and nobody meets the same one twice.

In a score group the upper half meets the lower half, as in the Dutch system (FIDE handbook C.04.3); where that would be a second
meeting, the next best opponent is taken, from the next group if need be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, log2
from typing import ClassVar, Literal

from arena.core.translatable import mark, say, say_many
from arena.games.chance import Stream
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.adaptive_format import AdaptiveFormat
from arena.scheduling.formats.adaptive_rounds import PlayedRound, Round
from arena.scheduling.formats.tournament_format import ROUNDS, Parameter, more_rounds
from arena.scheduling.planning_terms import Groups

_HALVES_OF_BYE = 4
"""A bye counts as a set won: two matches of two halves each."""

_TRIES = 20_000
"""How many pairings are tried before a second meeting is allowed."""


@dataclass(frozen=True, slots=True)
class Swiss:
    """Two seats, a fixed number of rounds, one set a pairing."""

    entries: int
    rounds: int
    groups: Groups = ()
    """Entries of one group (`arena.scheduling.planning_terms`) meet only where somebody would have to meet the same one twice."""

    @staticmethod
    def usual_rounds(entries: int) -> int:
        """Return a number of rounds that finds the best: what a knockout would take, and two more, but no second meeting."""
        return max(1, min(ceil(log2(max(2, entries))) + 2, entries - 1 + entries % 2))

    def next(self, played: Sequence[PlayedRound], gone: Collection[int], stream: Stream) -> Round | None:
        """Draw the next round: by lot in the first, then by score."""
        here = [entry for entry in range(self.entries) if entry not in gone]
        if len(played) >= self.rounds or len(here) < 2:
            return None
        scores = standing(played, self.entries)
        lots, _ = stream.shuffle(range(self.entries))
        # Equal scores stand as the first round's results left them less predictable: by lot.
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


def standing(played: Sequence[PlayedRound], entries: int) -> list[int]:
    """Add up the halves of each entry; a bye counts as a set won."""
    scores = [0] * entries
    for each in played:
        for one in each.sets:
            for entry, halves in zip(one.table, one.halves, strict=True):
                scores[entry] += halves
        for entry in each.byes:
            scores[entry] += _HALVES_OF_BYE
    return scores


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


class SwissFormat(AdaptiveFormat):
    """Bots with equal points meet; the number of rounds is chosen, or follows from the number of entries."""

    name: ClassVar[str] = mark("swiss")
    label: ClassVar[str] = mark("Swiss")
    hint: ClassVar[str] = mark("Bots with equal points meet: ranks a large field in few matches. Two seats.")
    position: ClassVar[int] = 3
    parameters: ClassVar[tuple[Parameter, ...]] = (ROUNDS,)
    extension_unit: ClassVar[Literal["cycles", "rounds"] | None] = "rounds"
    is_for_two_seats: ClassVar[bool] = True
    standings_note: ClassVar[str] = mark("A match won is 1 point, a draw ½, a bye 2.")

    def _rounds(self, entries: int, more: int) -> int:
        return self.given.get("rounds", Swiss.usual_rounds(entries)) + more

    def most_sets(self, entries: int, seats: int, more: int = 0, groups: Groups = ()) -> int:  # noqa: ARG002 - two seats, any owners
        """Count the sets of all rounds."""
        return self._rounds(entries, more) * (entries // 2)

    def rounds(self, entries: int, seats: int, more: int, groups: Groups = ()) -> Swiss:  # noqa: ARG002 - two seats
        """Return what pairs equal scores."""
        return Swiss(entries, self._rounds(entries, more), groups)

    def describe(self, course: DecisionState, names: Sequence[str]) -> str:
        """Return how many rounds it has, as soon as that is known."""
        if "rounds" not in self.given and not course.rounds:
            return say("Swiss")  # how many rounds it takes follows from how many enter
        return say_many(
            "Swiss, {number} round", "Swiss, {number} rounds", self._rounds(len(names), course.more)
        )

    @classmethod
    def describe_more(cls, more: int) -> str:
        """Return that so many more rounds were allowed."""
        return more_rounds(more)

    def pairing_points(self, entries: int, played: Sequence[PlayedRound]) -> Sequence[int]:
        """Return the half points by which it pairs."""
        return standing(played, entries) if played else ()


FORMAT = SwissFormat
