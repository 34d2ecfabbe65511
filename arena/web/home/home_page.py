"""The start page: what is on Arena TV, the best matches of the day, first steps, what is played now, the games with their leaders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from arena.games.registry import GAMES
from arena.rankings import leaderboards
from arena.rankings.leaderboards import Leader
from arena.reports import progress_forecast, tournaments
from arena.web.http.app_services import WallClock, service_of
from arena.web.http.path_parameters import TheStore
from arena.web.responses.response_cache import CACHED
from arena.web.tv import best_matches, now_showing
from arena.web.ui.axis_scales import elo_scale
from arena.web.ui.game_titles import TITLES, describe_seats
from arena.web.ui.templating import render

_BEST = 3
_MATCHES = 6
_RUNNING = 12

router = APIRouter(dependencies=[CACHED], include_in_schema=False)


@dataclass(frozen=True, slots=True)
class _Game:
    """A game with its leaders, and the scale that their Elo are drawn on."""

    id: str
    title: str
    seats: str
    best: tuple[Leader, ...]
    rated: int
    scale: tuple[float, float]


@router.get("/")
def show(request: Request, store: TheStore, *, results: Annotated[bool, Query()] = False) -> Response:
    """Show the start page; `results` reveals how the best matches ended."""
    on = tournaments.running(store)
    _, board = now_showing.read(request, store)
    return render(
        request,
        "home.html",
        games=_games(store),
        titles=TITLES,
        running=[(row, progress_forecast.read(store, row)) for row in on[:_RUNNING]],
        more=len(on) - _RUNNING,
        best=best_matches.read(store, service_of(request.app, WallClock).now(), _MATCHES),
        results=results,
        **board,
    )


def _games(store: TheStore) -> list[_Game]:
    found = []
    for game in GAMES.values():
        rows = leaderboards.read(store, game.id).rows
        best = rows[:_BEST]
        found.append(_Game(game.id, game.title, describe_seats(game), best, len(rows), elo_scale(best)))
    return found
