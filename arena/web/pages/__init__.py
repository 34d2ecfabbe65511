"""The pages: a module for each, with its template of the same name; a view loads, builds a flat context, renders once."""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.pages import (
    create,
    game,
    home,
    ladders,
    language,
    match,
    organise,
    reference,
    steering,
    tournament,
    tournaments,
)

router = APIRouter()
for _noun in (
    *(home, game, tournaments, tournament, match, reference, language),
    *(organise, create, steering, ladders),
):
    router.include_router(_noun.router)
