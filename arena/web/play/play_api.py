"""A person's own games, for clients other than our pages: one is opened, shown, answered and left."""

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
from arena.web.auth.api_router import add_old_path, api_router
from arena.web.auth.player_identity import Person, ThePerson
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

router = api_router("/play", tags=["play"])

PlayId = Annotated[
    str, Path(max_length=64, description="The id of your game.", examples=["mJ0R3v0T2sWq8c1xYb5f7A"])
]


@router.get("", summary="List the games that people can play")
def list_playable(store: TheStore, tables: TheTables) -> Playable:
    """Return the house bots of each game, the time controls for people, and the number of games that may be opened now."""
    games = tuple(PlayableGame(game.id, game.title, opponents(store, game.id)) for game in GAMES.values())
    times = tuple(TimeChoice(name, text, str(time)) for name, (text, time) in PACES.items())
    return Playable(games=games, times=times, places=tables.places())


@router.post(
    "/games",
    status_code=201,
    summary="Open a game",
    responses=answers(403, 404, 409, 413, 422, 429, 503),
)
async def open_game(
    store: TheStore,
    tables: TheTables,
    person: ThePerson,
    *,
    rates: TheRates,
    address: TheAddress,
    body: Annotated[GameCreate, Body()],
) -> Opened:
    """Take a seat against house bots.  No account is needed; nothing is rated or stored.

    Send `player` of the answer as `X-Player` with all other requests: it identifies you.  A person has one game at a
    time, and a game without a request for five minutes is ended.
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


@router.get("/games/{play_id}", summary="Show your game", responses=answers(404, 422))
async def show_own_game(tables: TheTables, person: ThePerson, play_id: PlayId) -> GameState:
    """Return the game as your seat sees it; `asked` is null while the others decide."""
    return _state(tables.find(play_id, person.owner))


@router.get(
    "/games/{play_id}/events",
    summary="Follow your game",
    response_class=EventStream,
    responses={**sse.DOCUMENTED, **answers(404, 422)},
)
async def follow_own_game(tables: TheTables, person: ThePerson, play_id: PlayId) -> EventStream:
    """Send events `table` with the game as `Show your game` returns it: one at once, then on each change; `end` when it is over."""
    table = tables.find(play_id, person.owner)
    return EventStream(_follow(tables, table))


@router.post(
    "/games/{play_id}/answer",
    summary="Decide in your game",
    responses=answers(403, 404, 409, 413, 422),
)
async def answer_decision(
    tables: TheTables, person: ThePerson, play_id: PlayId, body: Annotated[Answer, Body()]
) -> GameState:
    """Choose one of the legal actions, or say a line where talk is asked for; an empty line is silence.

    A refused answer (409: not asked, or no longer; 422: not legal) has no effect: unlike a bot, a person may try again.
    """
    table = tables.find(play_id, person.owner)
    if body.action is not None:
        await table.answer(body.decision, body.action)
    else:
        claims = tuple(Claim(each.kind, each.seat, each.vote, each.when) for each in body.claims)
        await table.say(body.decision, Line(body.text, claims))
    return _state(table)


@router.post(
    "/games/{play_id}/resign",
    summary="Resign",
    responses=answers(403, 404, 422),
)
async def resign_match(tables: TheTables, person: ThePerson, play_id: PlayId) -> GameState:
    """Resign the match; its record follows in a moment."""
    table = tables.find(play_id, person.owner)
    await table.resign()
    return _state(table)


@router.delete(
    "/games/{play_id}", status_code=204, summary="Leave your game", responses=answers(403, 404, 422)
)
async def leave_game(tables: TheTables, person: ThePerson, play_id: PlayId) -> None:
    """End the game without a result."""
    await tables.leave(tables.find(play_id, person.owner))


@router.get(
    "/games/{play_id}/record",
    summary="Download the record of your game",
    responses={200: {"content": {"application/json": {}}}, **answers(404, 409, 422)},
    response_class=Response,
)
async def show_own_record(tables: TheTables, person: ThePerson, play_id: PlayId) -> Response:
    """Return the record (arena-match/1), which `arena verify` checks; 409 before the match is over.  It is kept for an hour."""
    return record_of(tables.find(play_id, person.owner))


for _path in (
    "",
    "/{play_id}",
    "/{play_id}/events",
    "/{play_id}/answer",
    "/{play_id}/resign",
    "/{play_id}/record",
):
    add_old_path(router, f"/play/games{_path}", f"/play/tables{_path}")


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
        "id": table.id,
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
