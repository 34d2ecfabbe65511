"""Formats that are designs: cycles that follow from the number of entries alone, which a stop rule may end."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar, Protocol

from arena.core.translatable import say_many
from arena.scheduling import seeds
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.adaptive_rounds import TableEntries
from arena.scheduling.formats.tournament_format import CYCLES, Format, Parameter, wrong
from arena.scheduling.planning_terms import Groups
from arena.scheduling.stop_rules import MIN_SETS, Separated, Sprt, describe_aim, written


class CyclicFormat(Format):
    """A format that is played in cycles."""

    parameters: ClassVar[tuple[Parameter, ...]] = (CYCLES,)

    @abstractmethod
    def describe_design(self, names: Sequence[str]) -> str:
        """Return what is played in each cycle; `names` are the entries'."""

    def check_entries(self, entries: int, seats: int, groups: Groups = ()) -> None:
        """Check that the format can be played with this number of entries, and that its stop rule can decide.  Raises Refusal."""
        super().check_entries(entries, seats, groups)
        if self.stop is None:
            return
        if isinstance(self.stop, Sprt) and entries != 2:
            raise wrong("stop", f"{written(self.stop)}: compares two versions, but {entries} are entered")
        if isinstance(self.stop, Separated) and not 1 <= self.stop.top < entries:
            raise wrong(
                "stop",
                f"{written(self.stop)}: {entries} bots are entered, so the best 1 to {entries - 1} can be separated",
            )
        needed = self.cycles_to_decide(entries, seats, groups)
        if self.cycles < needed:
            raise wrong(
                "cycles",
                f"{self.cycles}: {written(self.stop)} decides when each bot has played {MIN_SETS} sets or more,"
                f" so allow at least {needed} cycles",
            )

    def cycles_to_decide(self, entries: int, seats: int, groups: Groups = ()) -> int:
        """Return after how many cycles each entry has played as many sets as a stop rule wants to see."""
        return ceil(MIN_SETS / self._sets_in_cycle(entries, seats, groups))

    def _sets_in_cycle(self, entries: int, seats: int, groups: Groups) -> int:
        """Count the sets that each entry plays in a cycle at least."""
        tables = self._cycle(entries, seats, groups)
        return min(Counter(entry for table in tables for entry in table).values())

    def _cycle(self, entries: int, seats: int, groups: Groups) -> Sequence[TableEntries]:
        """Return one cycle of the design, before lots are drawn."""
        return self.schedule(entries, seats, DecisionState(cycles=1), bytes(seeds.SECRET_BYTES), groups)

    def most_sets(self, entries: int, seats: int, more: int = 0, groups: Groups = ()) -> int:
        """Count the sets of all cycles."""
        return (self.cycles + more) * len(self._cycle(entries, seats, groups))

    def describe(self, course: DecisionState, names: Sequence[str]) -> str:
        """Return what is played, and how often: `Round-robin, 2 cycles`."""
        form, cycles = self.describe_design(names), self.cycles + course.more
        if self.stop is None:
            return say_many("{form}, {number} cycle", "{form}, {number} cycles", cycles, form=form)
        return say_many(
            "{form} until {aim}, at most {number} cycle",
            "{form} until {aim}, at most {number} cycles",
            cycles,
            form=form,
            aim=describe_aim(self.stop),
        )


class Design(Protocol):
    """A sequence of tables, computed where it is asked."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> TableEntries: ...


@dataclass(frozen=True, slots=True)
class Numbered(Sequence[TableEntries]):
    """A design whose places were given to the entries by lot."""

    design: Design
    numbering: tuple[int, ...]

    def __len__(self) -> int:
        """Count the tables."""
        return len(self.design)

    def __getitem__(self, number: Any) -> Any:  # noqa: ANN401 - as Sequence has it; tables are asked for one at a time
        """Return the entries of the table with that number."""
        return tuple(self.numbering[place] for place in self.design[number])
