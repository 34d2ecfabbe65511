"""Gauntlet: one bot against a field; at more than two seats, it and each group of the field in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import ClassVar

from arena.core.translatable import mark, say
from arena.games.chance import Stream
from arena.scheduling import owner_separation, seeds
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.adaptive_rounds import TableEntries
from arena.scheduling.formats.cyclic_format import CyclicFormat, Numbered
from arena.scheduling.formats.tournament_format import one_owner
from arena.scheduling.owner_separation import OwnerSeparation
from arena.scheduling.planning_terms import Groups
from arena.scheduling.table_designs import evenly


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Entry 0 meets all others equally often.  A sequence of tables, each computed when it is asked for.

    The field forms a ring and is cut into groups of `seats` − 1, over and over until each group ends where the first began:
    so in a cycle each of the field plays equally often.
    """

    entries: int
    seats: int = 2
    cycles: int = 1

    def __len__(self) -> int:
        """Count the tables of all cycles."""
        field = self.entries - 1
        return self.cycles * field // gcd(field, self.seats - 1)

    def __getitem__(self, number: int) -> tuple[int, ...]:
        """Return the entries of the table with that number."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        field, group = self.entries - 1, self.seats - 1
        first = number * group
        return (0, *(1 + (first + place) % field for place in range(group)))


@dataclass(frozen=True, slots=True)
class GauntletApart:
    """A gauntlet of more than two seats in whose field no two of one group sit together; `sizes` are the field's groups.

    In a cycle all of the field meet entry 0, equally often unless a group is too large for that.
    """

    sizes: tuple[int, ...]
    seats: int
    cycles: int = 1

    @property
    def _field(self) -> OwnerSeparation:
        field, group = sum(self.sizes), self.seats - 1
        # As many tables as the largest group has entries, since only one of them sits at each.
        needed = -(-self.sizes[0] * group // field)
        return OwnerSeparation(self.sizes, group, self.cycles, evenly(field, group, needed))

    def __len__(self) -> int:
        """Count the tables of all cycles."""
        return len(self._field)

    def __getitem__(self, number: int) -> tuple[int, ...]:
        """Return the entries of the table with that number."""
        return (0, *(1 + place for place in self._field[number]))


class GauntletFormat(CyclicFormat):
    """Entry 0 meets all others."""

    name: ClassVar[str] = mark("gauntlet")
    label: ClassVar[str] = mark("Gauntlet")
    hint: ClassVar[str] = mark("One bot plays all others: the best measure of that bot.")
    position: ClassVar[int] = 2
    has_leader: ClassVar[bool] = True
    compares_versions: ClassVar[bool] = True

    def _check_owners(self, seats: int, groups: Groups) -> None:
        if groups[0] is not None and groups[0] in groups[1:]:
            raise one_owner(
                say(
                    "bots: the owner of the first has others in the field, which can never meet it at a rated table of"
                    " {seats} seats; leave them out, or make the tournament unrated",
                    seats=seats,
                )
            )
        super()._check_owners(seats, groups)

    def schedule(
        self, entries: int, seats: int, course: DecisionState, secret: bytes, groups: Groups = ()
    ) -> Sequence[TableEntries]:
        """Return the tables of all cycles that are planned; the order of the field is drawn by lot."""
        field, _ = Stream(seeds.schedule_seed(secret)).shuffle(range(1, entries))
        if seats > 2 and owner_separation.is_crowded(groups[1:]):
            sizes, order = owner_separation.by_group(groups, field)
            return Numbered(GauntletApart(sizes, seats, course.cycles), (0, *order))
        return Numbered(Gauntlet(entries, seats, course.cycles), (0, *field))

    def describe_design(self, names: Sequence[str]) -> str:
        """Return who meets the field, as soon as that is known."""
        return say("Gauntlet of {bot} against the field", bot=names[0]) if names else say("Gauntlet")


FORMAT = GauntletFormat
