"""The parts of a match that one jumps to: hands, tricks, rounds, votes, turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.games import registry
from arena.web.ui.languages import mark


class Title(NamedTuple):
    """A marked text and the number in it: `_(title.text, n=title.n)`."""

    text: str
    n: int | str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its points in order, and the point at which it is about to begin."""

    title: Title | None
    points: tuple[int, ...]

    @property
    def start(self) -> int:
        """Return the point before its first decision."""
        return max(self.points[0] - 1, 0)


@dataclass(frozen=True, slots=True)
class Section:
    """A large part, such as a hand, and the parts in it; where there are none, one without a title."""

    title: Title
    parts: tuple[Part, ...]


_HAND, _ROUND, _TURN, _TRICK = (
    mark("Hand %(n)s"),
    mark("Round %(n)s"),
    mark("Turn %(n)s"),
    mark("Trick %(n)s"),
)
_VOTES = {"leak": mark("Vote: a leak"), "move": mark("Vote: a move"), "overboard": mark("Vote: overboard")}

_Titles = tuple[Title, Title | None]


def _lost_cities(view: Any) -> _Titles:  # noqa: ANN401 - each game has its own view
    return Title(_HAND, view.hand_number + 1), Title(_TURN, view.turn + 1)


def _land_unter(view: Any) -> _Titles:  # noqa: ANN401
    return Title(_ROUND, view.round + 1), None


def _bottle_imp(view: Any) -> _Titles:  # noqa: ANN401
    trick = Title(_TRICK, len(view.tricks) + 1) if view.choosing == "play" else Title(mark("Passing"))
    return Title(_HAND, view.hand_number + 1), trick


def _lifeboats(view: Any) -> _Titles:  # noqa: ANN401
    if view.stage in {"launch", "board"}:
        return Title(mark("Setting up")), None
    return Title(_ROUND, view.round + 1), Title(_VOTES.get(view.vote, mark("Changing boats")))


def _teotlatolli(view: Any) -> _Titles:  # noqa: ANN401
    gods = " : ".join([str(len(each)) for each in view.completed])
    return Title(mark("Gods %(n)s"), gods), Title(_TURN, view.turn + 1)


_TITLES: Mapping[str, Callable[[Any], _Titles]] = {
    "lost_cities": _lost_cities,
    "land_unter": _land_unter,
    "bottle_imp": _bottle_imp,
    "lifeboats": _lifeboats,
    "teotlatolli": _teotlatolli,
}
"""By game, from a view before a decision: the large part and the part in it that the decision belongs to."""


def sections(game: str, states: Sequence[Any]) -> tuple[Section, ...]:
    """Cut a match into parts, given its state at each point; a game without titles is one part."""
    view, titles = registry.find(game).view, _TITLES.get(game, lambda _: (Title(mark("Match")), None))
    found: list[tuple[Title, list[tuple[Title | None, list[int]]]]] = []
    for number in range(1, len(states)):
        large, small = titles(view(states[number - 1], 0))
        if not found or found[-1][0] != large:
            found.append((large, []))
        parts = found[-1][1]
        if not parts or parts[-1][0] != small:
            parts.append((small, []))
        parts[-1][1].append(number)
    return tuple(
        Section(large, tuple(Part(small, tuple(points)) for small, points in parts)) for large, parts in found
    )
