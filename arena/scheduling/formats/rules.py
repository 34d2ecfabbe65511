"""Formats: what an organiser can ask for, and the schedule that follows from it.

    round-robin   everybody meets everybody          swiss     equal scores meet, a fixed number of rounds
    gauntlet      one bot meets a field               knockout  who loses a tie is out
    ladder        those meet whose meeting tells most

A round-robin and a gauntlet are designs: cycles that follow from the number of entries alone.  The others adapt: each of
their rounds is a decision (`arena.scheduling.decisions`), made from the results of those before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from arena.core.errors import Refusal
from arena.core.translatable import say
from arena.games.chance import Stream
from arena.scheduling import owner_separation, seeds
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.adaptive_rounds import Rounds, TableEntries
from arena.scheduling.formats.gauntlet import Gauntlet, GauntletApart
from arena.scheduling.formats.knockout import MAX_EXTRA_SETS, Knockout
from arena.scheduling.formats.round_robin import RoundRobin
from arena.scheduling.formats.swiss import Swiss
from arena.scheduling.owner_separation import OwnerSeparation
from arena.scheduling.planning_terms import Groups
from arena.scheduling.stop_rules import (
    MIN_SETS,
    Separated,
    Sprt,
    StopRule,
    stop_from_json,
    stop_to_json,
    written,
)
from arena.scheduling.table_designs import TableDesign, evenly

ROUND_ROBIN = "round-robin"
GAUNTLET = "gauntlet"
SWISS = "swiss"
KNOCKOUT = "knockout"
LADDER = "ladder"
FORMATS = (ROUND_ROBIN, GAUNTLET, SWISS, KNOCKOUT)
"""What organisers choose from; a ladder's epochs begin by themselves."""

_ADAPTING = frozenset({SWISS, KNOCKOUT, LADDER})
MAX_CYCLES = 100_000
_MAX_SETS = 1000


@dataclass(frozen=True, slots=True)
class Rules:
    """A format and what it was given.

    `cycles` are those of a design, at most so many where a stop rule may end it before; `rounds` those of a Swiss; `sets` is the
    length of a knockout's tie.  None is the usual.  In each cycle of a round-robin everybody plays `sets_each` sets (or the next number
    with which all can play equally many), or, if it is None, so many that everybody meets everybody.
    """

    form: str = ROUND_ROBIN
    cycles: int = 1
    rounds: int | None = None
    sets: int | None = None
    stop: StopRule | None = None
    sets_each: int | None = None

    @property
    def adapts(self) -> bool:
        """Whether its rounds follow from results."""
        return self.form in _ADAPTING

    def check(self, seats: int) -> None:
        """Check that all of it can be.  Raises Refusal naming the field that cannot."""
        if self.form not in FORMATS:
            raise _wrong("format", f"{self.form!r}: must be one of {', '.join(FORMATS)}")
        if not 1 <= self.cycles <= MAX_CYCLES:
            raise _wrong("cycles", f"{self.cycles}: must be 1 to {MAX_CYCLES}")
        if self.form in {SWISS, KNOCKOUT} and seats != 2:
            raise _wrong(
                "format", f"{self.form!r}: is for tables of 2 seats, not {seats}; play a round-robin"
            )
        if self.adapts and self.cycles != 1:
            raise _wrong("cycles", f"{self.cycles}: a {self.form} has none; leave it out")
        if self.rounds is not None:
            self._only("rounds", self.rounds, SWISS)
        if self.sets is not None:
            self._only("sets", self.sets, KNOCKOUT)
        if self.sets_each is not None:
            self._only("sets_each", self.sets_each, ROUND_ROBIN)
        if self.stop is not None and self.adapts:
            raise _wrong("stop", f"{written(self.stop)}: a {self.form} ends by itself; leave it out")
        if isinstance(self.stop, Sprt) and seats != 2:
            raise _wrong(
                "stop", f"{written(self.stop)}: compares two versions at tables of 2 seats, not {seats}"
            )

    def check_entries(self, entries: int, seats: int, groups: Groups = ()) -> None:
        """Check that so many entries, of which no two of a group sit at one table, can play it.  Raises Refusal."""
        if entries < seats:
            raise Refusal(
                "too_few_bots",
                say(
                    "bots: {entries} entered; a table has {seats} seats, so enter at least {seats}",
                    entries=entries,
                    seats=seats,
                ),
                field="bots",
            )
        self._check_owners(seats, groups)
        if self.stop is None:
            return
        if isinstance(self.stop, Sprt) and entries != 2:
            raise _wrong("stop", f"{written(self.stop)}: compares two versions, but {entries} are entered")
        if isinstance(self.stop, Separated) and not 1 <= self.stop.top < entries:
            raise _wrong(
                "stop",
                f"{written(self.stop)}: {entries} bots are entered, so the best 1 to {entries - 1} can be separated",
            )
        needed = self.cycles_to_decide(entries, seats, groups)
        if self.cycles < needed:
            raise _wrong(
                "cycles",
                f"{self.cycles}: {written(self.stop)} decides when each bot has played {MIN_SETS} sets or more,"
                f" so allow at least {needed} cycles",
            )

    def _check_owners(self, seats: int, groups: Groups) -> None:
        """Check that bots of one owner need not sit together; at two seats their tables are played, and not rated."""
        if seats == 2 or not owner_separation.is_crowded(groups):
            return
        if self.form == GAUNTLET and groups[0] is not None and groups[0] in groups[1:]:
            raise _one_owner(
                say(
                    "bots: the owner of the first has others in the field, which can never meet it at a rated table of"
                    " {seats} seats; leave them out, or make the tournament unrated",
                    seats=seats,
                )
            )
        found = owner_separation.owners(groups)
        if found < seats:
            raise _one_owner(
                say(
                    "bots: they have {owners} owners, each house bot counted as one; at a rated table of {seats} seats"
                    " no two bots have one owner. Enter bots of others in place of some, or make the tournament unrated",
                    owners=found,
                    seats=seats,
                )
            )

    def cycles_to_decide(self, entries: int, seats: int, groups: Groups = ()) -> int:
        """Return after how many cycles each entry has played as many sets as a stop rule wants to see."""
        return ceil(MIN_SETS / self._sets_in_cycle(entries, seats, groups))

    def _sets_in_cycle(self, entries: int, seats: int, groups: Groups) -> int:
        """Count the sets that each entry plays in a cycle at least."""
        if self.form == ROUND_ROBIN and seats == 2 and self.sets_each is None:
            return entries - 1
        tables = self._cycle(entries, seats, groups)
        return min(Counter(entry for table in tables for entry in table).values())

    def _cycle(self, entries: int, seats: int, groups: Groups) -> Sequence[TableEntries]:
        """Return one cycle of a design, whatever the lots."""
        return self.schedule(entries, seats, DecisionState(cycles=1), bytes(seeds.SECRET_BYTES), groups)

    def most_sets(self, entries: int, seats: int, more: int = 0, groups: Groups = ()) -> int:
        """Count the sets that it comes to if no stop rule ends it and every tie is as long as it can be."""
        if self.form == SWISS:
            return ((self.rounds or Swiss.usual_rounds(entries)) + more) * (entries // 2)
        if self.form == KNOCKOUT:
            return (entries - 1) * ((self.sets or 1) + MAX_EXTRA_SETS)
        return (self.cycles + more) * len(self._cycle(entries, seats, groups))

    def to_json(self) -> dict[str, Any]:
        """Return what is not usual, for the store and for what the seeds follow from; the form and cycles stand beside it."""
        given = {
            "rounds": self.rounds,
            "sets": self.sets,
            "stop": None if self.stop is None else stop_to_json(self.stop),
            "sets_each": self.sets_each,
        }
        return {name: value for name, value in given.items() if value is not None}

    @classmethod
    def from_json(cls, form: str, cycles: int, given: Mapping[str, Any]) -> Rules:
        """Read what `to_json` gave.  Raises UsageError for a stop rule that cannot be."""
        stop = given.get("stop")
        return cls(
            form,
            cycles,
            given.get("rounds"),
            given.get("sets"),
            None if stop is None else stop_from_json(stop),
            given.get("sets_each"),
        )

    def schedule(
        self, entries: int, seats: int, course: DecisionState, secret: bytes, groups: Groups = ()
    ) -> Sequence[TableEntries]:
        """Return all tables that are planned so far, by the number of their set.

        At more than two seats no two entries of one of the `groups` (`arena.scheduling.planning_terms`) sit together.
        """
        if self.adapts:
            return tuple(table for each in course.rounds for table in each.tables)
        stream = Stream(seeds.schedule_seed(secret))
        if self.form == GAUNTLET:
            field, _ = stream.shuffle(range(1, entries))
            if seats > 2 and owner_separation.is_crowded(groups[1:]):
                sizes, order = owner_separation.by_group(groups, field)
                return Numbered(GauntletApart(sizes, seats, course.cycles), (0, *order))
            return Numbered(Gauntlet(entries, seats, course.cycles), (0, *field))
        numbering, _ = stream.shuffle(range(entries))
        if seats > 2 and owner_separation.is_crowded(groups):
            sizes, order = owner_separation.by_group(groups, numbering)
            return Numbered(OwnerSeparation(sizes, seats, course.cycles, self.sets_each), order)
        if self.sets_each is not None:
            each = evenly(entries, seats, self.sets_each)
            return Numbered(TableDesign(entries, seats, course.cycles, each), numbering)
        design = (
            RoundRobin(entries, course.cycles) if seats == 2 else TableDesign(entries, seats, course.cycles)
        )
        return Numbered(design, numbering)

    def adapting(self, entries: int, more: int, groups: Groups = ()) -> Rounds:
        """Return what draws the rounds of a Swiss or a knockout; entries are seeded in the order of their numbers."""
        if self.form == SWISS:
            return Swiss(entries, (self.rounds or Swiss.usual_rounds(entries)) + more, groups)
        return Knockout(tuple(range(entries)), self.sets or 1)

    def _only(self, name: str, value: int, form: str) -> None:
        if self.form != form:
            raise _wrong(name, f"{value}: only a {form} has them, not a {self.form}")
        if not 1 <= value <= _MAX_SETS:
            raise _wrong(name, f"{value}: must be 1 to {_MAX_SETS}")


@dataclass(frozen=True, slots=True)
class Numbered(Sequence[TableEntries]):
    """A design whose places were given to the entries by lot."""

    design: Sequence[TableEntries] | RoundRobin | TableDesign | Gauntlet | OwnerSeparation | GauntletApart
    numbering: tuple[int, ...]

    def __len__(self) -> int:
        """Count the tables."""
        return len(self.design)

    def __getitem__(self, number: Any) -> Any:  # noqa: ANN401 - as Sequence has it; tables are asked for one at a time
        """Return the entries of the table with that number."""
        return tuple(self.numbering[place] for place in self.design[number])


def _one_owner(message: str) -> Refusal:
    return Refusal("one_owner", message, field="bots")


def _wrong(field: str, message: str) -> Refusal:
    return Refusal(f"{field}_invalid", say("{field} {message}", field=field, message=message), field=field)
