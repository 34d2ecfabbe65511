"""The pages: a module for each, with its template of the same name; a view loads, builds a flat context, renders once."""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.pages import game, home, language, match, play, reference, tournament, tournaments

router = APIRouter()
for _noun in (home, game, tournaments, tournament, match, play, reference, language):
    router.include_router(_noun.router)
