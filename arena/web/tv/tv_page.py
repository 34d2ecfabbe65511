"""Arena TV: what is on the channel of all games or of one, and what comes next."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, HTTPException, Request, Response

from arena.core.translatable import say
from arena.web.http.app_services import WallClock, service_of
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.tv import now_showing, programme
from arena.web.tv.programme import PERIOD_S
from arena.web.ui.game_titles import TITLES
from arena.web.ui.templating import render

router = APIRouter(include_in_schema=False)


@router.get("/live")
def show(request: Request, store: TheStore) -> Response:
    """Show the channel of all games."""
    return _show(request, store, None)


@router.get("/live/now")
def show_small(request: Request, store: TheStore) -> Response:
    """Show the board that is on alone, as the start page has it."""
    _, context = now_showing.read(request, store)
    return render(request, "tv_small.html", titles=TITLES, **context)


@router.get("/live/{game_id}")
def show_game(request: Request, store: TheStore, game_id: GameId) -> Response:
    """Show the channel of a game."""
    if game_id not in TITLES:
        raise HTTPException(
            404, say("game {game}: must be one of {games}", game=game_id, games=", ".join(TITLES))
        )
    return _show(request, store, game_id)


def _show(request: Request, store: TheStore, game: str | None) -> Response:
    slots, context = now_showing.read(request, store, game)
    period = programme.period_of(service_of(request.app, WallClock).now())
    return render(
        request,
        "tv.html",
        channel=game,
        titles=TITLES,
        next_at=_clock_time(period + PERIOD_S),
        upcoming=[(_clock_time(each.begins_at), each.match.featured) for each in slots[1:]],
        **context,
    )


def _clock_time(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
