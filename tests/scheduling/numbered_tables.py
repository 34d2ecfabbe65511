"""Schedules as lists: they compute each table when it is asked for by its number."""

from __future__ import annotations

from typing import Protocol


class Schedule(Protocol):
    """A schedule, by the numbers of its tables."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> tuple[int, ...]: ...


def tables_of(schedule: Schedule) -> list[tuple[int, ...]]:
    """Return all tables of a schedule."""
    return [schedule[number] for number in range(len(schedule))]
