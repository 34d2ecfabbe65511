"""The public Elo tables."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from arena.rankings import public_ratings
from arena.rankings.rating_rows import PoolRow, RatingTable
from arena.web.auth.api_router import api_router
from arena.web.http.error_responses import answers
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.http.response_cache import OfStore

router = api_router(tags=["ratings"], dependencies=[OfStore])


@router.get("/ratings", summary="List the pools")
def list_pools(store: TheStore) -> tuple[PoolRow, ...]:
    """Every pool that has been played in, by key."""
    return public_ratings.pools(store)


@router.get(
    "/ratings/{game_id}/{variant}",
    summary="Show an Elo table",
    responses=answers(404, 422),
)
def show_table(
    store: TheStore,
    game_id: GameId,
    variant: Annotated[str, Path(description="The variant's name.", examples=["standard"])],
) -> RatingTable:
    """Return the Elo table of a pool, as it was last computed.  Bots of different components cannot be compared."""
    return public_ratings.table(store, game_id, variant)
