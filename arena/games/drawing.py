"""Drawing of a game's positions: the values that its `board/drawing.py` is written with.

A drawing is made from a `Scene`, a position as one onlooker may see it.  The game says which parts of its views are
public (`mask`), which points a replay can jump to (`titles`), and what its template needs beyond the views (`details`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.games.kernel import Action, Result, Said, Step

Views: TypeAlias = Sequence[Any]
"""By seat: its view, or None where the onlooker may not have it."""

Details: TypeAlias = Mapping[str, Any]
"""More names for a game's template."""


@dataclass(frozen=True, slots=True)
class Table:
    """Public state of the table.  Tuples by seat are in seat order.

    `view` is a view of the game with blank private fields; `held` counts the cards of each of a seat's hands; `known` names
    the cards of its hand that all have seen it take up.
    """

    view: Any
    held: tuple[tuple[int, ...], ...]
    known: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """A seat's clock: milliseconds left in its bank, and whether it runs."""

    left_ms: float
    running: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A position as one onlooker may see it.  Tuples by seat are in seat order.

    `eye` is the seat whose point of view it is, None for the public one.  `views` has the views of the seats whose cards are
    open to the onlooker, None for the others.  `acting` decide next; `legal` has their actions as far as the onlooker may
    know them, `chosen` what they will choose, if that is known.  `after` are the steps that led here, `said` the lines of the
    talk at hand.  With `answerable` the legal actions, and the cards of the seat's hand, are drawn as buttons of a form: name `action`, value the action.
    """

    game: str
    names: tuple[str, ...]
    eye: int | None
    table: Table
    views: tuple[Any, ...]
    acting: tuple[int, ...] = ()
    after: tuple[Step, ...] = ()
    said: tuple[Said, ...] = ()
    clocks: tuple[Clock | None, ...] = ()
    legal: Mapping[int, tuple[Action, ...]]
    chosen: Mapping[int, Action]
    result: Result | None = None
    answerable: bool = False


Titles: TypeAlias = tuple[str, str | None]
"""The titles of the large part of a match that a decision belongs to, and of the part in that, if it has parts: texts to translate."""


def any_view(views: Views) -> Any:  # noqa: ANN401 - each game has its own view
    """Return the first view that is known."""
    return next(view for view in views if view is not None)


def show_all(views: Views) -> Table:
    """Return the view as it is: the mask of a game that hides nothing."""
    return Table(any_view(views), ((),) * len(views), ((),) * len(views))


def _no_details(_: Scene) -> Details:
    return {}


def _no_scores(_: object) -> Sequence[int]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Drawing of a game, apart from the template.

    `mask` takes the known views and returns the public view.  It must return the same from any of a
    position's views it is made, and give nothing away.  `titles` takes a view before a decision.
    `scores` takes what `mask` let through and returns each seat's score so far, or nothing where there is none; `standing`
    returns what each seat would have if the match ended there, if that is more than `scores` count.
    """

    mask: Callable[[Views], Table]
    titles: Callable[[Any], Titles]
    details: Callable[[Scene], Details] = _no_details
    scores: Callable[[Any], Sequence[int]] = _no_scores
    standing: Callable[[Any], Sequence[int]] | None = None

    @property
    def is_open(self) -> bool:
        """Whether all seats see the same, so that there is only one point of view."""
        return self.mask is show_all
