"""Live tables: all matches that are being played now, some of them drawn; and one match's board as it is played."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import partial

from fastapi import APIRouter, Request, Response
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool

from arena.games.registry import GAMES
from arena.reports import live_matches
from arena.web.boards import draw, draw_bar, pieces
from arena.web.http import sse
from arena.web.http.path_parameters import TheStore
from arena.web.http.sse import EventStream
from arena.web.live.live_dependencies import (
    LastEventId,
    TheLobby,
    TheMatch,
    TheWatching,
)
from arena.web.live.lobby_hub import LobbyBoard, LobbyHub
from arena.web.live.match_hub import LiveMatchHub, MatchKey, WatchedMatch
from arena.web.matches.replay_points import write_line
from arena.web.ui.game_titles import TITLES
from arena.web.ui.languages import choose
from arena.web.ui.templating import fragment, render

router = APIRouter(include_in_schema=False)

_ADDRESS = "/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}"
_LISTED = 60
"""The most live matches that are listed."""


@router.get("/live/tables")
async def show(request: Request, store: TheStore, lobby: TheLobby) -> Response:
    """Show the tables."""
    rows = await lobby.now() or lobby.rows
    waiting = None if rows else await run_in_threadpool(live_matches.waiting, store)
    return render(
        request,
        "live.html",
        rows=rows,
        listed=_LISTED,
        titles=TITLES,
        waiting=waiting,
        pieces=[pieces(game) for game in GAMES],
    )


@router.get("/live/events")
async def follow_tables(request: Request, lobby: TheLobby) -> EventStream:
    """Send the tables as they change, drawn in the language of the page."""
    return EventStream(_tell_tables(lobby, choose(request)))


@router.get(f"{_ADDRESS}/live")
async def follow_table(
    request: Request,
    store: TheStore,
    watching: TheWatching,
    key: TheMatch,
    last_event_id: LastEventId = "",
) -> EventStream:
    """Send a match's board as it is played, drawn in the language of the page, and the points that are new."""
    await run_in_threadpool(live_matches.find, store, *key)
    return EventStream(_tell_table(watching, key, choose(request), last_event_id))


async def _tell_table(
    watching: LiveMatchHub, key: MatchKey, language: str, after: str
) -> AsyncIterator[bytes]:
    async for table, first, over in watching.follow(key, after):
        if first is not None:
            yield table.drawn(("board", language, first), partial(_board, table, language, first))
        if over:
            yield sse.event("over", {"ended": table.running.ended is not None})


def _board(table: WatchedMatch, language: str, first: int) -> bytes:
    running = table.running
    data = {
        "run": running.run,
        "first": first,
        "point": len(running.points) - 1,
        "board": draw_bar(running.scene(), language) + draw_board(table, language),
        "lines": fragment(
            "live_points.html",
            language,
            points=[
                (
                    [
                        write_line(running.match.game, each.step, each.ms, running.match.names)
                        for each in point
                    ],
                    told,
                    sheet,
                )
                for point, told, sheet in zip(
                    running.points[first:], running.told[first:], running.sheets[first:], strict=True
                )
            ],
            first=first,
            names=running.match.names,
        ),
        "acting": [running.match.names[seat] for seat in running.acting],
    }
    return sse.event("board", data, table.id)


def draw_board(table: WatchedMatch, language: str) -> Markup:
    """Draw a table's public position, once for all that look at it."""
    return table.drawn(("drawing", language), lambda: draw(table.running.scene(), language))


async def _tell_tables(lobby: LobbyHub, language: str) -> AsyncIterator[bytes]:
    version = -1
    async with lobby.visit():
        while True:
            await lobby.changed(version)
            yield lobby.drawn((language, version), partial(_tables, lobby, language, version))
            version = lobby.version


def _in_order(shown: Sequence[LobbyBoard]) -> Sequence[LobbyBoard]:
    """Put the last that ended first once all have; while one is played, each keeps its place."""
    if any(each.over_at is None for each in shown):
        return shown
    return sorted(shown, key=lambda each: -(each.over_at or 0.0))


def _tables(lobby: LobbyHub, language: str, since: int) -> bytes:
    """Write what has changed since a version; the cards that have not, are only named."""
    cards = {
        shown.row.id: lobby.drawn((language, shown.row.id), partial(_card, shown, language))
        for shown in lobby.shown
        if shown.changed > since
    }
    data = {
        "order": [shown.row.id for shown in _in_order(lobby.shown) if shown.table.running.begun],
        "cards": cards,
        "list": fragment("live_list.html", language, rows=lobby.rows, listed=_LISTED, titles=TITLES),
        "tables": len(lobby.rows),
        "tournaments": len({row.tournament_id for row in lobby.rows}),
    }
    return sse.event("tables", data)


def _small(table: WatchedMatch, language: str, *, over: bool) -> Markup:
    """Draw a table without the hands; who leads is shown only while it is played."""
    board = draw_board(table, language)
    return board if over else draw_bar(table.running.scene(), language) + board


def _card(shown: LobbyBoard, language: str) -> str:
    table = shown.table
    over = shown.over_at is not None or table.over
    return fragment(
        "live_card.html",
        language,
        row=shown.row,
        title=TITLES[shown.row.game],
        points=len(table.running.points),
        acting=table.running.acting,
        over=over,
        board=None if not table.running.begun else _small(table, language, over=over),
    )
