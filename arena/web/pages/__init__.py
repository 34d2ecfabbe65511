"""The pages: a module for each, with its template of the same name; a view loads, builds a flat context, renders once."""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.pages import docs, game, games, home, language, match, play, reference, tournament, tournaments

router = APIRouter()
for _noun in (home, games, game, tournaments, tournament, match, play, docs, reference, language):
    router.include_router(_noun.router)
