"""The start page: what is on now, the games, the newest matches."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.games.registry import GAMES
from arena.services import matches, ratings, tournaments
from arena.web.catalogue import TITLES, describe_seats
from arena.web.environment import render
from arena.web.live import RUNNING
from arena.web.parameters import TheStore
from arena.web.remembering import OfStore

_BEST = 3
_RECENT = 10

router = APIRouter(include_in_schema=False, dependencies=[OfStore])


@router.get("/")
def show(request: Request, store: TheStore) -> Response:
    """Show the start page."""
    games = [
        {
            "id": game.id,
            "title": game.title,
            "seats": describe_seats(game),
            "best": ratings.table(store, game.id).rows[:_BEST],
        }
        for game in GAMES.values()
    ]
    return render(
        request,
        "home.html",
        games=games,
        titles=TITLES,
        running=[row for row in tournaments.listing(store) if row.state == RUNNING],
        recent=matches.recent(store, _RECENT),
    )
