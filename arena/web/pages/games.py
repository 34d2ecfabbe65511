"""All games: what each is about, with a picture, its rules and its Elo table."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.games.registry import GAMES
from arena.web import documents
from arena.web.catalogue import describe_seats
from arena.web.environment import render
from arena.web.languages import choose

router = APIRouter(include_in_schema=False)


@router.get("/games")
def show(request: Request) -> Response:
    """Show all games."""
    language = choose(request)
    games = [(game, describe_seats(game), documents.rules(game.id, language)) for game in GAMES.values()]
    return render(request, "games.html", games=games)
