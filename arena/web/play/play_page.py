"""Playing oneself: choose a game and who sits at the table, then the board from one's own seat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from arena.core.errors import Refusal, UsageError
from arena.core.translatable import say
from arena.games import registry
from arena.games.kernel import SILENCE
from arena.games.registry import GAMES, AnyGame
from arena.web import boards
from arena.web.auth.api_auth import check_origin
from arena.web.auth.page_auth import see_other
from arena.web.auth.player_identity import Person, ThePerson, remember
from arena.web.docs import markdown_documents
from arena.web.http import sse
from arena.web.http.path_parameters import EyeName, PointNumber, TheStore
from arena.web.http.rate_limits import TABLES, TheAddress, TheRates
from arena.web.http.sse import EventStream
from arena.web.matches import stepper
from arena.web.play import play_forms, seat_view
from arena.web.play.game_request import PACES, QUICK, STANDARD_PACE, check
from arena.web.play.human_game import HumanGame
from arena.web.play.human_games import TheTables, record_of
from arena.web.play.opponents import STANDARD, HouseOpponent, choice_of_levels, opponents
from arena.web.ui.form_state import Refused
from arena.web.ui.form_state import answer as answer_form
from arena.web.ui.game_titles import describe_seats
from arena.web.ui.languages import choose
from arena.web.ui.templating import render, render_part

router = APIRouter(dependencies=[Depends(check_origin)], include_in_schema=False)

PART = "X-Part"
"""The header by which our script says that it does not need the page again."""
_PATIENCE_S = 1.5
"""Time that a browser without our script waits for the others' answers before the page is shown as it is."""
_FORM_FIELDS = 60

TableId = Annotated[str, Path(max_length=64, description="The table's id.")]


@router.get("/play")
async def show_choice(
    request: Request,
    store: TheStore,
    tables: TheTables,
    person: ThePerson,
    *,
    game: Annotated[str | None, Query(max_length=64)] = None,
    variant: Annotated[str | None, Query(max_length=64)] = None,
    seats: Annotated[int | None, Query(ge=1, le=64)] = None,
) -> Response:
    """Show what can be played; of one game, all that can be chosen."""
    return await _choice(request, store, tables, person, game=game, variant=variant, seats=seats)


@router.post("/play")
async def open_table(
    request: Request,
    store: TheStore,
    tables: TheTables,
    person: ThePerson,
    *,
    rates: TheRates,
    address: TheAddress,
) -> Response:
    """Open a table as the form says, and go there."""
    form = await request.form(max_fields=_FORM_FIELDS)
    game = str(form.get("game", ""))
    try:
        await rates.take_from(TABLES, address)
        wish = check(
            await run_in_threadpool(opponents, store, game),
            game=game,
            variant=str(form.get("variant") or "") or None,
            seat=play_forms.seat(form),
            names=_rivals(form),
            options=play_forms.options(form),
            pace=str(form.get("pace") or STANDARD_PACE),
            talks=bool(form.get("talks")),
        )
        person = person if person.owner else Person.new()
        table = tables.open(wish, person.owner or "", address)
    except UsageError as error:
        known = game if game in GAMES else None
        return await _choice(request, store, tables, person, game=known, error=error, form=form)
    response = await _back(request, table)
    remember(request, response, person)
    return response


def _rivals(form: FormData) -> list[str]:
    """Return who is asked to play: where a button names a `rival`, that one in each place."""
    asked = [str(name) for name in form.getlist("opponent")]
    rival = form.get("rival")
    return [str(rival)] * len(asked) if rival else asked


@router.get("/play/{table_id}")
async def show_table(
    request: Request,
    tables: TheTables,
    person: ThePerson,
    table_id: TableId,
    *,
    point: PointNumber = None,
    view: EyeName = stepper.ALL,
) -> Response:
    """Show the table from the person's seat; when the match is over, all of it, to be stepped through."""
    table = _find(tables, table_id, person)
    if table is None:
        return render(request, "play_gone.html", status=404)
    language = choose(request)
    if table.record is not None:
        played = await run_in_threadpool(seat_view.course, table, language)
        context = seat_view.ended(table, played) | stepper.page(played, language, number=point, view=view)
        response = render(request, "play_over.html", **context)
    else:
        context = seat_view.seat(table, language)
        context |= {
            "pieces": boards.pieces(table.wish.game),
            "sign_key": boards.sign_key(table.wish.game, language),
        }
        response = render(request, "play_table.html", **context)
    response.headers["Cache-Control"] = "private, no-store"
    return response


@router.get("/play/{table_id}/board")
async def show_board(
    request: Request,
    tables: TheTables,
    person: ThePerson,
    table_id: TableId,
    *,
    point: PointNumber = None,
    view: EyeName = stepper.ALL,
) -> Response:
    """Show the board of a match that is over alone, for a page that steps without leaving."""
    table = tables.find(table_id, person.owner)
    if table.record is None:
        raise HTTPException(409, say("The replay is available when the match is over."))
    language = choose(request)
    played = await run_in_threadpool(seat_view.course, table, language)
    context = stepper.position(played, language, number=point, view=view)
    return render_part(request, "board.html", **context)


@router.get("/play/{table_id}/events")
async def follow(request: Request, tables: TheTables, person: ThePerson, table_id: TableId) -> Response:
    """Send the part of the page that changes, whenever it does."""
    table = tables.find(table_id, person.owner)
    return EventStream(_follow(tables, table, choose(request)))


async def _follow(tables: TheTables, table: HumanGame, language: str) -> AsyncIterator[bytes]:
    version = -1
    with tables.watched(table):
        while table.live:
            version = await table.changes(version)
            yield sse.event("seat", seat_view.draw_seat(table, language), str(version))
    yield sse.event("end", {})


@router.post("/play/{table_id}/answer")
async def answer(request: Request, tables: TheTables, person: ThePerson, table_id: TableId) -> Response:
    """Take a choice, or a line of talk."""
    table = tables.find(table_id, person.owner)
    form = await request.form(max_fields=_FORM_FIELDS)
    decision = play_forms.number(form, "decision")
    if "action" in form:
        await table.answer(decision, str(form["action"]))
    else:
        await table.say(decision, SILENCE if "silence" in form else play_forms.line(form))
    return await _back(request, table)


@router.post("/play/{table_id}/resign")
async def resign(request: Request, tables: TheTables, person: ThePerson, table_id: TableId) -> Response:
    """Resign, and see all cards."""
    table = tables.find(table_id, person.owner)
    await table.resign()
    return await _back(request, table)


@router.post("/play/{table_id}/leave")
async def leave(tables: TheTables, person: ThePerson, table_id: TableId) -> Response:
    """End the match without result, and forget it."""
    await tables.leave(tables.find(table_id, person.owner))
    return see_other("/play")


@router.post("/play/{table_id}/again")
async def play_again(
    request: Request,
    tables: TheTables,
    person: ThePerson,
    table_id: TableId,
    *,
    rates: TheRates,
    address: TheAddress,
) -> Response:
    """Open another table for the same wish."""
    table = tables.find(table_id, person.owner)
    await rates.take_from(TABLES, address)
    return await _back(request, tables.open(table.wish, table.owner, address, table.series))


@router.get("/play/{table_id}/record")
async def download(tables: TheTables, person: ThePerson, table_id: TableId) -> Response:
    """Return the record of a match that is over."""
    return record_of(tables.find(table_id, person.owner))


def _find(tables: TheTables, table_id: str, person: Person) -> HumanGame | None:
    try:
        return tables.find(table_id, person.owner)
    except Refusal:
        return None


async def _back(request: Request, table: HumanGame) -> Response:
    """Show the table once it is the person's turn again; a page with our script learns that from its events."""
    if PART in request.headers:
        return Response(status_code=204)
    try:
        async with asyncio.timeout(_PATIENCE_S):
            while table.live and table.asked is None:
                await table.changes(table.version)
    except TimeoutError:
        pass
    return see_other(f"/play/{table.id}")


# --- the form -------------------------------------------------------------------------------------------------


async def _choice(
    request: Request,
    store: TheStore,
    tables: TheTables,
    person: Person,
    *,
    game: str | None,
    variant: str | None = None,
    seats: int | None = None,
    error: UsageError | None = None,
    form: FormData | None = None,
) -> Response:
    rules = None if game is None else registry.find(game)
    levels = {} if rules is not None else await run_in_threadpool(_levels, store)
    context: dict[str, Any] = {
        "games": [_tile(each, choose(request), levels.get(each.id, ())) for each in GAMES.values()],
        "chosen": None,
        "standard": STANDARD,
        "open": bool(tables.playing.control),
        "places": tables.places(),
        "own": [(table, registry.find(table.wish.game).title) for table in tables.of(person.owner)],
    }
    if rules is not None:
        if form is not None:
            variant, seats = str(form.get("variant") or "") or None, len(form.getlist("opponent")) + 1
        known = await run_in_threadpool(opponents, store, rules.id)
        chosen = _chosen(rules, variant, seats) | {"opponents": known}
        context["chosen"] = chosen
        context["rivals"] = [
            (each.name, say("{level} – {bot}", level=say(each.level_name), bot=each.name)) for each in known
        ]
        context["places_at_table"] = _places(chosen["seats"])
        context |= {
            "paces": [(name, words) for name, (words, _) in PACES.items()],
            "standard_pace": STANDARD_PACE,
        }
    refused = None if error is None else _refused(error, form)
    return answer_form(request, "play.html", refused, **context)


def _refused(error: UsageError, form: FormData | None) -> Refused:
    """Keep why a form was refused; that of an option is at its field."""
    refused = Refused.of("table", error, **_sent(form))
    option = f"option_{refused.field}"
    return replace(refused, field=option) if form is not None and option in form else refused


def _places(seats: int) -> list[tuple[str, str]]:
    """Return the seats that a person can choose, as people count them."""
    first = say("{number} – usually moves first", number=1)
    later = [(str(seat), str(seat + 1)) for seat in range(1, seats)]
    return [("any", say("Random")), ("0", first), *later]


def _sent(form: FormData | None) -> dict[str, str]:
    """Return what a form was sent with, by the keys of its fields."""
    if form is None:
        return {}
    opponents = {f"opponent{place}": str(name) for place, name in enumerate(form.getlist("opponent"), 1)}
    return {name: str(form[name]) for name in form} | opponents


def _levels(store: TheStore) -> dict[str, tuple[HouseOpponent, ...]]:
    """Return the opponents of a quick start, by game."""
    return {game: choice_of_levels(opponents(store, game)) for game in GAMES}


def _tile(game: AnyGame, language: str, levels: tuple[HouseOpponent, ...]) -> dict[str, Any]:
    variant, seats = next(iter(game.variants.items()))
    return {
        "id": game.id,
        "title": game.title,
        "seats": describe_seats(game),
        "picture": markdown_documents.small_picture(game.id, language),
        "lead": markdown_documents.rules(game.id, language).lead,
        "variant": variant,
        "levels": levels,
        "rivals": [STANDARD] * (seats[0] - 1),
        "talks": game.has_talk,
        "quick": QUICK.get(game.id, {}),
    }


def _chosen(game: AnyGame, variant: str | None, seats: int | None) -> dict[str, Any]:
    """Return what can be chosen at a table; what does not exist falls back to what is standard."""
    if variant is None or variant not in game.variants:
        variant = next(iter(game.variants))
    counts = game.variants[variant]
    if seats is None or seats not in counts:
        seats = counts[0]
    options = game.options(variant, seats)
    return {
        "game": game,
        "variant": variant,
        "seats": seats,
        "shapes": [(name, tuple(counts)) for name, counts in game.variants.items()],
        "options": options,
        "fields": ("seat", "pace", *(f"option_{option.name}" for option in options)),
        "quick": QUICK.get(game.id, {}),
    }
