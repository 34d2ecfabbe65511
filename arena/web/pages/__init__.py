"""The pages: a module for each, with its template of the same name; a view loads, builds a flat context, renders once."""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.pages import (
    account,
    admin,
    bot,
    create,
    docs,
    game,
    games,
    home,
    ladders,
    language,
    live,
    match,
    organise,
    own_bot,
    own_log,
    play,
    reference,
    register,
    sign_in,
    steering,
    submit,
    tournament,
    tournaments,
)

router = APIRouter()
for _noun in (
    *(home, live, games, game, bot, tournaments, tournament, match, play, docs, reference, language),
    *(sign_in, register, account, submit, own_bot, own_log),
    *(organise, create, steering, ladders, admin),
):
    router.include_router(_noun.router)
