"""The pages: a module for each, with its template of the same name; a view loads, builds a flat context, renders once."""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.pages import (
    bot,
    docs,
    game,
    games,
    home,
    language,
    live,
    match,
    reference,
    tournament,
    tournaments,
)

router = APIRouter()
for _noun in (
    home,
    live,
    games,
    game,
    bot,
    tournaments,
    tournament,
    match,
    docs,
    reference,
    language,
):
    router.include_router(_noun.router)
