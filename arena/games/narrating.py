"""Narration of a step's outcome: the values that a game's `board/narration.py` is written with.

A narration sees the public views before and after a point, those that `Drawing.mask` let through.  So it gives
nothing away, and all onlookers read the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.games.kernel import Said, Step


@dataclass(frozen=True, slots=True)
class Moment:
    """A past point: the public view before it, and its steps as the public learnt them."""

    before: Any
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """A point of a match as the public sees it: masked views, its steps, the talk before it.

    `past` holds the points before it, the first one first.
    """

    before: Any
    after: Any
    steps: tuple[Step, ...]
    said: tuple[Said, ...]
    names: tuple[str, ...]
    past: Sequence[Moment] = ()


Narrate: TypeAlias = Callable[[Happening], Sequence[str]]
"""Returns what came of a point as sentences that can be translated (`say`); often none."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards in the record's notation, which a score sheet draws."""

    names: str


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a score sheet: a seat's, or, where `seat` is None, that of what `name` says; it has a cell for each head."""

    seat: int | None
    name: str
    cells: tuple[int | str | Cards, ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Scoring of the end of a hand, a round or a voyage.  All texts can be translated (`say`)."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[SheetRow, ...]


DrawUp: TypeAlias = Callable[[Happening], ScoreSheet | None]
"""Returns the score sheet of what ended at a point, None where nothing did."""


def nothing_ended(_: Happening) -> ScoreSheet | None:
    """Return no sheet: that of a game that draws none."""
    return None


def nothing_came_of_it(_: Happening) -> Sequence[str]:
    """Return no sentence: the narration of a game that has none."""
    return ()


def list_scores(names: Sequence[str], scores: Sequence[int]) -> str:
    """Write who scored what: `greedy −14, random 30`; a side without a name, such as a dummy, is left out."""
    written = [
        f"{name} {'−' if score < 0 else ''}{abs(score)}" for name, score in zip(names, scores, strict=False)
    ]
    return ", ".join(written)
