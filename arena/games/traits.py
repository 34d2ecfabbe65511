"""Traits of a bot's play: the values that a game's `traits.py` is written with.

    the points of a match ──count──▶ by seat, by trait: an amount, and the opportunities for it

A trait's value is the quotient of its sums over many matches: expeditions begun per hand, promises kept of those made.  Only
matches whose cards are open to all are counted, so a count may look at whole positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.games.kernel import Played, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """Something that bots do more or less of.  Texts are English and marked (`arena.core.translatable.mark`)."""

    id: str
    label: str
    """Name of its value: `Expeditions started per hand`."""

    more: str
    """Sentence about a bot whose value is far above the average: `Starts many expeditions`."""

    less: str
    """The same far below it."""

    is_share: bool = False
    """Whether the value is a share, 0 to 1, which is shown in percent."""


@dataclass(frozen=True, slots=True)
class PastPoint:
    """A point of a match that is over: the position before it, its steps, and the position after it."""

    before: Any
    steps: tuple[Step, ...]
    after: Any

    @property
    def played(self) -> tuple[Played, ...]:
        """Return the actions of seats among the steps."""
        return tuple(step for step in self.steps if isinstance(step, Played))


Tally: TypeAlias = tuple[float, float]
"""An amount, and the opportunities for it."""


class Tallies:
    """Tallies by seat and trait, added up over a match.  Mutable."""

    def __init__(self, seats: int) -> None:
        self._by_seat: list[dict[str, Tally]] = [{} for _ in range(seats)]

    def add(self, seat: int, trait: str, amount: float, of: float = 1) -> None:
        """Add an amount and the opportunities for it."""
        tallies = self._by_seat[seat]
        so_far = tallies.get(trait, (0.0, 0.0))
        tallies[trait] = (so_far[0] + amount, so_far[1] + of)

    def by_seat(self) -> tuple[Mapping[str, Tally], ...]:
        """Return what was added, by seat."""
        return tuple(self._by_seat)


Count: TypeAlias = Callable[[int, Sequence[PastPoint]], Sequence[Mapping[str, Tally]]]
"""Takes the number of seats and the points of a match that ended by its rules, without the deal; returns tallies by seat."""


@dataclass(frozen=True, slots=True)
class Traits:
    """A game's traits, in the order in which they are shown, and how they are counted."""

    traits: tuple[Trait, ...]
    count: Count


def _count_nothing(seats: int, _: Sequence[PastPoint]) -> Sequence[Mapping[str, Tally]]:
    return ({},) * seats


NO_TRAITS = Traits((), _count_nothing)
"""Traits of a game that names none."""
