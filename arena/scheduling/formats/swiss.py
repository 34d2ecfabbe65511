"""Swiss: in each round bots with about equal scores meet, and no pair meets twice if that can be avoided."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import ClassVar, Literal

from arena.core.translatable import mark, say, say_many
from arena.games.chance import Stream
from arena.scheduling.decisions import DecisionState, RoundDrawn
from arena.scheduling.formats.adaptive_format import AdaptiveFormat
from arena.scheduling.formats.adaptive_rounds import PlayedRound, Round, Rounds, TableEntries
from arena.scheduling.formats.tournament_format import ROUNDS, Parameter, more_rounds
from arena.scheduling.planning_terms import Groups, Terms
from arena.scheduling.swiss_pairing.earlier_plans import EarlierSwiss
from arena.scheduling.swiss_pairing.history import History
from arena.scheduling.swiss_pairing.pairing import pair_round
from arena.scheduling.swiss_pairing.scores import standing

_LAST_EARLIER_PLAN = 2


@dataclass(frozen=True, slots=True)
class Swiss:
    """Two seats, a fixed number of rounds, one set a pairing."""

    entries: int
    rounds: int
    groups: Groups = ()
    """Entries of one group (`arena.scheduling.planning_terms`) meet only where two would have to meet twice otherwise."""

    @staticmethod
    def usual_rounds(entries: int) -> int:
        """Return a number of rounds that finds the best: what a knockout would take, and two more, but no second meeting."""
        return max(1, min(ceil(log2(max(2, entries))) + 2, entries - 1 + entries % 2))

    def next(self, played: Sequence[PlayedRound], gone: Collection[int], stream: Stream) -> Round | None:
        """Draw the next round: by lot in the first, then by score."""
        here = tuple(entry for entry in range(self.entries) if entry not in gone)
        if len(played) >= self.rounds or len(here) < 2:
            return None
        history = History(here, tuple(played), self.groups)
        return pair_round(history, standing(played, self.entries), self.rounds - len(played), stream)


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

    def rounds(self, entries: int, seats: int, more: int, terms: Terms) -> Rounds:  # noqa: ARG002 - two seats
        """Return what pairs equal scores, by the plan that the tournament began with."""
        pairs = EarlierSwiss if terms.version <= _LAST_EARLIER_PLAN else Swiss
        return pairs(entries, self._rounds(entries, more), terms.apart)

    def describe(self, course: DecisionState, names: Sequence[str]) -> str:
        """Return how many rounds it has, as soon as that is known."""
        if "rounds" not in self.given and not course.rounds:
            return say("Swiss")  # how many rounds it takes follows from how many enter
        return say_many(
            "Swiss, {number} round", "Swiss, {number} rounds", self._rounds(len(names), course.more)
        )

    @classmethod
    def describe_more(cls, more: int) -> str:
        """Return a sentence about `more` rounds being allowed."""
        return more_rounds(more)

    def repeated(self, rounds: Sequence[RoundDrawn]) -> tuple[TableEntries, ...]:
        """Return the pairs of the last of these rounds that had met before."""
        *earlier, last = rounds
        met = {frozenset(table) for each in earlier for table in each.tables}
        return tuple(table for table in last.tables if frozenset(table) in met)

    def pairing_points(self, entries: int, played: Sequence[PlayedRound]) -> Sequence[int]:
        """Return the half points by which it pairs."""
        return standing(played, entries) if played else ()


FORMAT = SwissFormat
