"""Leaderboards: the JSON twin of a game's page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from arena.rankings import leaderboards
from arena.rankings.leaderboards import LeaderboardPage
from arena.web.auth.api_router import api_router
from arena.web.http.path_parameters import GameId, PageNumber, TheStore
from arena.web.http.problems import answers
from arena.web.responses.response_cache import OfStore

_MAX_ROWS = 200

router = api_router(tags=["ratings"], dependencies=[OfStore])

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
    page: PageNumber = 1,
    rows: Annotated[int, Query(ge=1, le=_MAX_ROWS, description="Rows of a page.")] = 50,
) -> LeaderboardPage:
    """Return a page of a pool's table as it was last computed; a page beyond the last is empty."""
    return leaderboards.page_of(leaderboards.read(store, game_id, variant), page, rows)
