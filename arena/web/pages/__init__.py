"""The pages: a module for each, with its template of the same name; a view loads, builds a flat context, renders once."""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.pages import (
    account,
    docs,
    game,
    games,
    home,
    language,
    live,
    match,
    own_bot,
    own_log,
    reference,
    register,
    sign_in,
    submit,
    tournament,
    tournaments,
)

router = APIRouter()
for _noun in (
    home,
    live,
    games,
    game,
    tournaments,
    tournament,
    match,
    docs,
    reference,
    language,
):
    router.include_router(_noun.router)
for _own in (sign_in, register, account, submit, own_bot, own_log):
    router.include_router(_own.router)
