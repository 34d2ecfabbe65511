"""Round-robin: each entry meets each other one.  At two seats by the circle method, at more by a design (`arena.scheduling.table_designs`).

One bot stays, the others walk round a table; the two rows that face each other are the pairs of a round (for six):

    round 0   0 1 2        round 1   0 5 1
              5 4 3                  4 3 2

An odd number is made even by a ghost: its opponent has a bye.  Source: Berger tables, FIDE handbook C.05 annex 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.core.translatable import mark, say, say_many
from arena.games.chance import Stream
from arena.scheduling import owner_separation, seeds
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.adaptive_rounds import TableEntries
from arena.scheduling.formats.cyclic_format import CyclicFormat, Numbered
from arena.scheduling.formats.tournament_format import CYCLES, Parameter
from arena.scheduling.owner_separation import OwnerSeparation
from arena.scheduling.planning_terms import Groups
from arena.scheduling.table_designs import TableDesign, evenly

SETS_EACH = Parameter(
    "sets_each",
    mark("Sets each"),
    "In each cycle of a round-robin every bot plays so many sets",
    mark("all meet each other"),
    mark("For large fields: how many sets each bot plays per cycle."),
)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Each pair meets once in every cycle.  A sequence of pairs of entries, computed where it is asked."""

    entries: int
    cycles: int = 1

    def __len__(self) -> int:
        """Count the pairs of all cycles."""
        return self.cycles * (self.entries * (self.entries - 1) // 2)

    def __getitem__(self, number: int) -> tuple[int, int]:
        """Return the pair with that number, round by round."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        per_round = self.entries // 2
        rounds = self.entries - 1 + self.entries % 2
        round_number, table = divmod(number % (rounds * per_round), per_round)
        ghost = self.entries % 2
        # With a ghost its table, the one of the bot that stays, falls out; n − 1 bots walk.
        return self._table(round_number, table + ghost)

    def _table(self, round_number: int, table: int) -> tuple[int, int]:
        walkers = self.entries - 1 + self.entries % 2
        stays = walkers
        if table == 0:
            return stays, round_number
        return (round_number + table) % walkers, (round_number - table) % walkers


class RoundRobinFormat(CyclicFormat):
    """In each cycle every bot plays `sets_each` sets (or the next number with which all can play equally many).

    Without `sets_each`, every bot meets every other.
    """

    name: ClassVar[str] = mark("round-robin")
    label: ClassVar[str] = mark("Round-robin")
    hint: ClassVar[str] = mark("Every bot plays every other: the most reliable ranking.")
    position: ClassVar[int] = 1
    parameters: ClassVar[tuple[Parameter, ...]] = (CYCLES, SETS_EACH)

    def schedule(
        self, entries: int, seats: int, course: DecisionState, secret: bytes, groups: Groups = ()
    ) -> Sequence[TableEntries]:
        """Return the tables of all cycles that are planned; who has which place in the design is drawn by lot."""
        numbering, _ = Stream(seeds.schedule_seed(secret)).shuffle(range(entries))
        sets_each = self.given.get("sets_each")
        if seats > 2 and owner_separation.is_crowded(groups):
            sizes, order = owner_separation.by_group(groups, numbering)
            return Numbered(OwnerSeparation(sizes, seats, course.cycles, sets_each), order)
        if sets_each is not None:
            each = evenly(entries, seats, sets_each)
            return Numbered(TableDesign(entries, seats, course.cycles, each), numbering)
        if seats == 2:
            return Numbered(RoundRobin(entries, course.cycles), numbering)
        return Numbered(TableDesign(entries, seats, course.cycles), numbering)

    def _sets_in_cycle(self, entries: int, seats: int, groups: Groups) -> int:
        if seats == 2 and "sets_each" not in self.given:
            return entries - 1
        return super()._sets_in_cycle(entries, seats, groups)

    def describe_design(self, names: Sequence[str]) -> str:  # noqa: ARG002 - for a gauntlet
        """Return what is played in each cycle."""
        form = say("Round-robin")
        if "sets_each" not in self.given:
            return form
        return say_many(
            "{form} with {number} set each",
            "{form} with {number} sets each",
            self.given["sets_each"],
            form=form,
        )


FORMAT = RoundRobinFormat
