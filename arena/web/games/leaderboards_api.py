"""Leaderboards: the JSON twin of a game's page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from arena.rankings.leaderboards import LeaderboardPage
from arena.service.paging import MAX_LIMIT
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import TheArena
from arena.web.http.list_answers import USE_LIMIT, ThePaging
from arena.web.http.path_parameters import GameId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

router = api_router(tags=["ratings"], dependencies=[CACHED])

Variant = Annotated[str, Path(description="The variant's name.", examples=["standard"])]


@router.get(
    "/ratings/{game_id}/{variant}/leaderboard",
    summary="Show a leaderboard",
    responses=answers(404, 422),
)
def show_leaderboard(
    arena: TheArena,
    game_id: GameId,
    variant: Variant,
    *,
    paging: ThePaging,
    page: Annotated[int, Query(ge=1, le=2**31 - 1, deprecated=True, description="Use `cursor`.")] = 1,
    rows: Annotated[int, Query(ge=1, le=MAX_LIMIT, deprecated=True, description=USE_LIMIT)] = 50,
) -> LeaderboardPage:
    """Return a page of a pool's Elo table with form, faults and head-to-head results; a page beyond the last is empty."""
    limit = paging.limit or rows
    cursor = paging.cursor or str(min((page - 1) * limit, 2**31 - 1))
    return arena.ratings.show_leaderboard(game_id, variant, limit=limit, cursor=cursor)
