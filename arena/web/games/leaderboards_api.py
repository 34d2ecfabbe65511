"""Leaderboards: the JSON twin of a game's page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from arena.rankings import leaderboards
from arena.rankings.leaderboards import LeaderboardPage
from arena.service.paging import MAX_LIMIT, number_of
from arena.web.auth.api_router import api_router
from arena.web.http.list_answers import USE_LIMIT, ThePaging
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

router = api_router(tags=["ratings"], dependencies=[CACHED])

Variant = Annotated[str, Path(description="The variant's name.", examples=["standard"])]


@router.get(
    "/ratings/{game_id}/{variant}/leaderboard",
    summary="Show an Elo table with form, faults and meetings",
    responses=answers(404, 422),
)
def show_leaderboard(
    store: TheStore,
    game_id: GameId,
    variant: Variant,
    *,
    paging: ThePaging,
    page: Annotated[int, Query(ge=1, le=2**31 - 1, deprecated=True, description="Use `cursor`.")] = 1,
    rows: Annotated[int, Query(ge=1, le=MAX_LIMIT, deprecated=True, description=USE_LIMIT)] = 50,
) -> LeaderboardPage:
    """Return a page of a pool's table as it was last computed; a page beyond the last is empty."""
    limit = paging.limit or rows
    first = number_of(paging.cursor) if paging.cursor else (page - 1) * limit
    return leaderboards.page_of(leaderboards.read(store, game_id, variant), first, limit)
