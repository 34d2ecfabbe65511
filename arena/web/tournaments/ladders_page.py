"""Ladders: the list, starting one, stopping it."""

from __future__ import annotations

import math
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request, Response
from pydantic import BaseModel

from arena.accounts.actors import Actor
from arena.competition import ladders
from arena.competition.ladders import LadderRequest
from arena.core.errors import Refusal, RefusalKind, UsageError
from arena.core.translatable import say
from arena.games.registry import GAMES
from arena.storage import Store
from arena.web.auth.arena_access import OrganiserPageArena
from arena.web.auth.page_auth import require_page_scope, see_other
from arena.web.http.path_parameters import TheStore
from arena.web.tournaments import tournament_form
from arena.web.ui.game_titles import TITLES
from arena.web.ui.templating import render

router = APIRouter(prefix="/organise/ladders", include_in_schema=False)

_HOUR_S = 3600
_LARGEST = 2**31 - 1
_FIELDS = {"epoch": "epoch_h", "rest": "rest_s", "priority": "priority", "delay": "delay_s"}
"""The field of the form for the word with which an error of the services begins."""
Organiser = Annotated[Actor, require_page_scope("tournaments")]


class LadderForm(BaseModel):
    """The form as a browser sends it: the text of each field."""

    table: str = ""
    epoch_h: str = f"{ladders.DAY_S / _HOUR_S:g}"
    rest_s: str = f"{ladders.STANDARD_REST_S:g}"
    priority: str = str(ladders.STANDARD_PRIORITY)
    delay_s: str = "0"


@router.get("")
def show(request: Request, store: TheStore, actor: Organiser) -> Response:
    """Show all ladders, and the form to start one."""
    actor.require("tournaments")
    return _show(request, store, LadderForm(), {})


@router.post("")
def start(
    request: Request, store: TheStore, arena: OrganiserPageArena, form: Annotated[LadderForm, Form()]
) -> Response:
    """Start a ladder, or go on with one that was stopped."""
    try:
        arena.ladders.start(_read(form))
    except UsageError as error:
        message = str(error)
        field = error.field if isinstance(error, Refusal) else message.split(maxsplit=1)[0]
        field = _FIELDS.get(field, field)
        return _show(
            request, store, form, {field if field in {*_FIELDS.values(), "table"} else "table": message}
        )
    return see_other("/organise/ladders")


@router.post("/{ladder_id}/stop")
def stop(
    request: Request,
    store: TheStore,
    arena: OrganiserPageArena,
    ladder_id: Annotated[int, Path(ge=1, le=_LARGEST)],
) -> Response:
    """Stop a ladder after the round that is being played."""
    try:
        arena.ladders.stop(ladder_id)
    except Refusal as error:
        if error.kind is not RefusalKind.CONFLICT:
            raise
        return _show(request, store, LadderForm(), {"": str(error)})
    return see_other("/organise/ladders")


def _read(form: LadderForm) -> LadderRequest:
    """Read the form.  Raises Refusal."""
    game, _, table = form.table.partition("/")
    tables = {key: (variant, seats) for key, variant, seats in _tables(game)}
    if table not in tables:
        raise Refusal("table_invalid", say("table: choose one from the list"), field="table")
    variant, seats = tables[table]
    return LadderRequest(
        game,
        variant,
        seats,
        epoch_s=_number("epoch_h", form.epoch_h) * _HOUR_S,
        rest_s=_number("rest_s", form.rest_s),
        priority=int(_number("priority", form.priority, whole=True)),
        delay_s=int(_number("delay_s", form.delay_s, whole=True)),
    )


def _tables(game: str) -> tuple[tuple[str, str, int], ...]:
    return tournament_form.tables(GAMES[game]) if game in GAMES else ()


def _number(name: str, text: str, *, whole: bool = False) -> float:
    try:
        number = float(int(text) if whole else float(text))
    except ValueError:
        number = math.nan
    if not 0 <= number <= _LARGEST:
        raise Refusal(
            "number_invalid", say("{name} {text!r}: must be a number", name=name, text=text[:40]), field=name
        )
    return number


def _show(request: Request, store: Store, form: LadderForm, errors: dict[str, str]) -> Response:
    return render(
        request,
        "organise_ladders.html",
        status=422 if errors else 200,
        ladders=ladders.listing(store),
        games=[(game.id, game.title, tournament_form.tables(game)) for game in GAMES.values()],
        titles=TITLES,
        values=form.model_dump(),
        errors=errors,
    )
