"""Figures that a benchmark reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value with its limit; `at_least` says on which side of the limit is good."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = True
    note: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the value is on the good side of its limit, or None where there is no limit."""
        if self.limit is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit
