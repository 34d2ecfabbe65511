"""The parts of a match that one jumps to: hands, tricks, rounds, votes, turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from arena.core.translatable import mark
from arena.games import registry
from arena.games.drawing import Titles
from arena.web.boards.decorations import decorate


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its points in order, and the point at which it is about to begin."""

    title: str | None
    points: tuple[int, ...]

    @property
    def start(self) -> int:
        """Return the point before its first decision."""
        return max(self.points[0] - 1, 0)


@dataclass(frozen=True, slots=True)
class Section:
    """A large part, such as a hand, and the parts in it; where there are none, one without a title."""

    title: str
    parts: tuple[Part, ...]


def _one_part(_: object) -> Titles:
    return mark("Match"), None


def sections(game: str, states: Sequence[Any]) -> tuple[Section, ...]:
    """Cut a match into parts, given its state at each point; a game without titles is one part."""
    package = registry.package(game)
    view, named = package.game.view, package.drawing.titles if package.drawing else _one_part
    found: list[tuple[str, list[tuple[str | None, list[int]]]]] = []
    for number in range(1, len(states)):
        large, small = decorate(game, "a title", _one_part(None), partial(named, view(states[number - 1], 0)))
        if not found or found[-1][0] != large:
            found.append((large, []))
        parts = found[-1][1]
        if not parts or parts[-1][0] != small:
            parts.append((small, []))
        parts[-1][1].append(number)
    return tuple(
        Section(large, tuple(Part(small, tuple(points)) for small, points in parts)) for large, parts in found
    )
