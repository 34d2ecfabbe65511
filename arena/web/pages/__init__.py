"""The pages: a module for each, with its template of the same name; a view loads, builds a flat context, renders once."""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.pages import (
    admin,
    create,
    docs,
    game,
    games,
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
    *(home, games, game, tournaments, tournament, match, docs, reference, language),
    *(organise, create, steering, ladders, admin),
):
    router.include_router(_noun.router)
