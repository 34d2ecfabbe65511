"""All games: what each is about, with a picture, its rules and its Elo table."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.games.registry import GAMES
from arena.web.docs import markdown_documents
from arena.web.ui.game_titles import describe_seats
from arena.web.ui.languages import choose
from arena.web.ui.templating import render

router = APIRouter(include_in_schema=False)


@router.get("/games")
def show(request: Request) -> Response:
    """Show all games."""
    language = choose(request)
    games = [
        (
            game,
            describe_seats(game),
            markdown_documents.rules(game.id, language),
            markdown_documents.small_picture(game.id, language),
        )
        for game in GAMES.values()
    ]
    return render(request, "games.html", games=games)
