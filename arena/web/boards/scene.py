"""Making scenes (`arena.games.drawing`): a position as one onlooker may see it, with all that is drawn of it.

Three constructors, one for each kind of onlooker; what the onlooker may not see is not in the scene, so no drawing can
give it away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.drawing import Clock, Scene, Table, Views, any_view
from arena.games.kernel import Action, Choice, Result, Said, Step


def is_open_game(game: str) -> bool:
    """Return whether all seats of a game see the same, so that there is but one point of view."""
    drawing = registry.package(game).drawing
    return drawing is not None and drawing.is_open


def open_scene(
    game: str,
    state: Any,  # noqa: ANN401 - each game has its own state
    names: Sequence[str],
    *,
    after: Sequence[Step] = (),
    said: Sequence[Said] = (),
    clocks: Sequence[Clock | None] = (),
    chosen: Mapping[int, Action] | None = None,
) -> Scene:
    """Show a position with all cards open.  Raises UsageError for an unknown game."""
    rules = registry.find(game)
    views = tuple(rules.view(state, seat) for seat in range(len(names)))
    acting = _acting(game, state)
    return Scene(
        game=game,
        names=tuple(names),
        eye=None,
        table=_table(game, views),
        views=views,
        acting=acting,
        after=tuple(after),
        said=tuple(said),
        clocks=tuple(clocks),
        legal=_legal(game, state, acting),
        chosen=dict(chosen or {}),
        result=rules.result(state),
    )


def seat_scene(
    game: str,
    view: Any,  # noqa: ANN401 - each game has its own view
    seat: int,
    names: Sequence[str],
    *,
    acting: Sequence[int] = (),
    after: Sequence[Step] = (),
    said: Sequence[Said] = (),
    clocks: Sequence[Clock | None] = (),
    legal: Sequence[Action] = (),
    chosen: Action | None = None,
    result: Result | None = None,
    answerable: bool = False,
) -> Scene:
    """Make the scene of a seat from what it was sent: its view, and the steps as `seen` writes them."""
    views = tuple(view if each == seat else None for each in range(len(names)))
    return Scene(
        game=game,
        names=tuple(names),
        eye=seat,
        table=_table(game, views),
        views=views,
        acting=tuple(acting),
        after=tuple(after),
        said=tuple(said),
        clocks=tuple(clocks),
        legal={seat: tuple(legal)} if legal else {},
        chosen={} if chosen is None else {seat: chosen},
        result=result,
        answerable=answerable,
    )


def seat_scene_of(
    game: str,
    state: Any,  # noqa: ANN401 - each game has its own state
    seat: int,
    names: Sequence[str],
    *,
    after: Sequence[Step] = (),
    said: Sequence[Said] = (),
    clocks: Sequence[Clock | None] = (),
    chosen: Action | None = None,
) -> Scene:
    """Show a state from one seat, as `seat_scene` would; the steps are the match's own."""
    rules = registry.find(game)
    acting = _acting(game, state)
    seen = [rules.seen(step, seat) for step in after]
    return seat_scene(
        game,
        rules.view(state, seat),
        seat,
        names,
        acting=acting,
        after=[step for step in seen if step is not None],
        said=said,
        clocks=clocks,
        legal=_legal(game, state, acting).get(seat, ()),
        chosen=chosen,
        result=rules.result(state),
    )


def public_scene(
    game: str,
    state: Any,  # noqa: ANN401 - each game has its own state
    names: Sequence[str],
    *,
    after: Sequence[Step] = (),
    said: Sequence[Said] = (),
    clocks: Sequence[Clock | None] = (),
) -> Scene:
    """Make the public scene of a state; the steps are the match's own.

    Raises UsageError for a game that has no mask: nothing of it can be shown safely.
    """
    rules, drawing = registry.find(game), registry.package(game).drawing
    if drawing is None:
        raise UsageError(f"game {game!r}: its board has no mask (DRAWING in board/drawing.py)")
    views = tuple(rules.view(state, seat) for seat in range(len(names)))
    acting = _acting(game, state)
    seen = [rules.seen(step, None) for step in after]
    return Scene(
        game=game,
        names=tuple(names),
        eye=None,
        table=drawing.mask(views),
        views=views if drawing.is_open else (None,) * len(views),
        acting=acting,
        after=tuple(step for step in seen if step is not None),
        said=tuple(said),
        clocks=tuple(clocks),
        legal=_legal(game, state, acting) if drawing.is_open else {},
        chosen={},
        result=rules.result(state),
    )


def _table(game: str, views: Views) -> Table:
    drawing = registry.package(game).drawing
    return Table(any_view(views), (), ()) if drawing is None else drawing.mask(views)


def _acting(game: str, state: Any) -> tuple[int, ...]:  # noqa: ANN401 - each game has its own state
    return tuple(decision.seat for decision in registry.find(game).to_act(state))


def _legal(
    game: str,
    state: Any,  # noqa: ANN401 - each game has its own state
    acting: Sequence[int],
) -> dict[int, tuple[Action, ...]]:
    rules = registry.find(game)
    choices = {each.seat for each in rules.to_act(state) if isinstance(each, Choice)}
    return {seat: rules.legal(state, seat) for seat in acting if seat in choices}
