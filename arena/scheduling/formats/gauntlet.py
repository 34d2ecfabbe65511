"""Gauntlet: one bot against a field; at more than two seats, it and each group of the field in turn."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from arena.scheduling.owner_separation import OwnerSeparation
from arena.scheduling.table_designs import evenly


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Entry 0 meets all others equally often.  A sequence of tables, computed where it is asked.

    The field stands in a ring and is cut into groups of `seats` − 1, over and over until each group ends where the first began:
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
