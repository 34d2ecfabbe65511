"""The JSON API: the same data as the pages show, by the same names; accounts, and what they may write."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from arena.web.api import (
    accounts,
    admin,
    bots,
    docs,
    events,
    games,
    ladders,
    leaderboards,
    lifecycle,
    live,
    matches,
    measures,
    play,
    profiles,
    ratings,
    tournaments,
    users,
)
from arena.web.identity import check_origin

router = APIRouter(prefix="/api/v1", dependencies=[Depends(check_origin)])
_NOUNS = (
    docs,
    games,
    ratings,
    leaderboards,
    measures,
    tournaments,
    lifecycle,
    ladders,
    matches,
    events,
    play,
    live,
    bots,
    profiles,
    accounts,
    users,
    admin,
)
for _noun in _NOUNS:
    router.include_router(_noun.router)
