"""Playing oneself, for other clients than our pages: a table is opened, looked at, answered at, and left."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Body, Path, Response
from starlette.concurrency import run_in_threadpool

from arena.games.kernel import Claim, Line
from arena.games.registry import GAMES
from arena.match.record import RecordedStep, write_step
from arena.web.auth.api_router import api_router
from arena.web.http import sse
from arena.web.http.path_parameters import TheStore
from arena.web.http.problems import answers
from arena.web.http.rate_limits import TABLES, TheAddress, TheRates
from arena.web.http.sse import EventStream
from arena.web.play.game_request import PACES, check
from arena.web.play.human_game import HumanGame
from arena.web.play.human_games import TheTables, record_of
from arena.web.play.opponents import opponents
from arena.web.play.plain_views import plain
from arena.web.play.play_schemas import (
    Answer,
    GameCreate,
    GameDecision,
    GameState,
    Opened,
    Playable,
    PlayableGame,
    TalkAsked,
    TimeChoice,
)
from arena.web.play.player_identity import Person, ThePerson

router = api_router("/play", tags=["play"])

TableId = Annotated[
    str, Path(max_length=64, description="The table's id.", examples=["mJ0R3v0T2sWq8c1xYb5f7A"])
]


@router.get("", summary="List what can be played")
def list_playable(store: TheStore, tables: TheTables) -> Playable:
    """Return the house bots of each game, the time controls for people, and how many tables may be opened now."""
    games = tuple(PlayableGame(game.id, game.title, opponents(store, game.id)) for game in GAMES.values())
    times = tuple(TimeChoice(name, text, str(time)) for name, (text, time) in PACES.items())
    return Playable(games=games, times=times, places=tables.places())


@router.post(
    "/tables",
    status_code=201,
    summary="Open a table",
    responses=answers(403, 404, 409, 413, 422, 429, 503),
)
async def open_table(
    store: TheStore,
    tables: TheTables,
    person: ThePerson,
    *,
    rates: TheRates,
    address: TheAddress,
    body: Annotated[GameCreate, Body()],
) -> Opened:
    """Take a seat against house bots.  No account is needed; nothing is rated or kept.

    Show the `player` that it answers as `X-Player` in all other requests: it says whose table it is.  A person has one table at a
    time, and a table that nobody asks for in five minutes is ended.
    """
    await rates.take_from(TABLES, address)
    wish = check(
        await run_in_threadpool(opponents, store, body.game),
        game=body.game,
        variant=body.variant,
        seat=random.randrange(len(body.opponents) + 1) if body.seat is None else body.seat,
        names=body.opponents,
        options=body.options,
        pace=body.pace,
        talks=body.talks,
    )
    person = person if person.owner else Person.new()
    table = tables.open(wish, person.owner or "", address)
    return Opened(**_fields(table), player=person.key)


@router.get("/tables/{table_id}", summary="Show your table", responses=answers(404, 422))
async def show_own_table(tables: TheTables, person: ThePerson, table_id: TableId) -> GameState:
    """All that your seat may know now; `asked` is null while the others decide."""
    return _state(tables.find(table_id, person.owner))


@router.get(
    "/tables/{table_id}/events",
    summary="Follow your table",
    response_class=EventStream,
    responses={**sse.DOCUMENTED, **answers(404, 422)},
)
async def follow_own_table(tables: TheTables, person: ThePerson, table_id: TableId) -> EventStream:
    """Events `table` with the table as `Show your table` gives it: one at once, then on each change; `end` when it is over."""
    table = tables.find(table_id, person.owner)
    return EventStream(_follow(tables, table))


@router.post(
    "/tables/{table_id}/answer",
    summary="Decide at your table",
    responses=answers(403, 404, 409, 413, 422),
)
async def answer_decision(
    tables: TheTables, person: ThePerson, table_id: TableId, body: Annotated[Answer, Body()]
) -> GameState:
    """Choose one of the legal actions, or say a line where talk is asked for; an empty line is silence.

    What is refused (409: not asked, or no longer; 422: not legal) has no effect: unlike a bot, a person may try again.
    """
    table = tables.find(table_id, person.owner)
    if body.action is not None:
        await table.answer(body.decision, body.action)
    else:
        claims = tuple(Claim(each.kind, each.seat, each.vote, each.when) for each in body.claims)
        await table.say(body.decision, Line(body.text, claims))
    return _state(table)


@router.post(
    "/tables/{table_id}/resign",
    summary="Give up",
    responses=answers(403, 404, 422),
)
async def resign_match(tables: TheTables, person: ThePerson, table_id: TableId) -> GameState:
    """Lose the match at once; in a moment its record is there."""
    table = tables.find(table_id, person.owner)
    await table.resign()
    return _state(table)


@router.delete(
    "/tables/{table_id}", status_code=204, summary="Leave your table", responses=answers(403, 404, 422)
)
async def leave_table(tables: TheTables, person: ThePerson, table_id: TableId) -> None:
    """End the match without result, and forget the table."""
    await tables.leave(tables.find(table_id, person.owner))


@router.get(
    "/tables/{table_id}/record",
    summary="Download your match",
    responses={200: {"content": {"application/json": {}}}, **answers(404, 409, 422)},
    response_class=Response,
)
async def show_own_record(tables: TheTables, person: ThePerson, table_id: TableId) -> Response:
    """Return the record (arena-match/1), which `arena verify` checks; 409 before the match is over.  It is kept for an hour."""
    return record_of(tables.find(table_id, person.owner))


async def _follow(tables: TheTables, table: HumanGame) -> AsyncIterator[bytes]:
    version = -1
    with tables.watched(table):
        while table.live:
            version = await table.changes(version)
            yield sse.event("table", asdict(_state(table)), str(version))
    yield sse.event("end", {})


def _state(table: HumanGame) -> GameState:
    return GameState(**_fields(table))


def _fields(table: HumanGame) -> dict[str, Any]:
    """Return the fields of a table's state, by their names."""
    record = table.record
    return {
        "table": table.id,
        "version": table.version,
        "phase": table.phase,
        "trouble": table.trouble,
        "game": table.wish.game,
        "variant": table.wish.variant,
        "seat": table.seat,
        "names": table.names,
        "commitment": table.commitment.hex(),
        "clock_ms": table.clock.left_ms,
        "asked": _decision(table),
        "view": plain(table.view),
        "seen": tuple(write_step(RecordedStep(step)) for step in table.history),
        "fresh": table.fresh,
        "same_deal": table.same_deal,
        "result": None if record is None else json.loads(table.text)["result"],
    }


def _decision(table: HumanGame) -> GameDecision | None:
    asked = table.asked
    if asked is None:
        return None
    talk = None if asked.limits is None else TalkAsked(**asdict(asked.limits))
    return GameDecision(asked.decision, asked.legal, talk)
