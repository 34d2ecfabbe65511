"""The public Elo tables."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Response

from arena.rankings.rating_rows import PoolRow, RatingTable
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import TheArena
from arena.web.http.list_answers import Listed, ThePaging
from arena.web.http.path_parameters import GameId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

router = api_router(tags=["ratings"], dependencies=[CACHED])


@router.get("/ratings", summary="List the pools", responses=answers(422))
def list_pools(arena: TheArena, paging: ThePaging) -> Listed[PoolRow]:
    """List the pools with results, by key."""
    return paging.answer(arena.ratings.list_pools)


@router.get(
    "/ratings/{game_id}/{variant}",
    summary="Show an Elo table",
    responses=answers(404, 422),
)
def show_ratings(
    arena: TheArena,
    game_id: GameId,
    variant: Annotated[str, Path(description="The variant's name.", examples=["standard"])],
) -> RatingTable:
    """Return the Elo table of a pool as last computed.  Bots of different components cannot be compared."""
    return arena.ratings.show(game_id, variant)


@router.get(
    "/ratings/{game_id}/{variant}/csv",
    summary="Download an Elo table",
    responses={200: {"content": {"text/csv": {}}}, **answers(404, 422)},
    response_class=Response,
)
def download_ratings(
    arena: TheArena,
    game_id: GameId,
    variant: Annotated[str, Path(description="The variant's name.", examples=["standard"])],
) -> Response:
    """Return the Elo table of a pool as CSV, with the columns of the JSON."""
    headers = {"Content-Disposition": f'attachment; filename="ratings-{game_id}-{variant}.csv"'}
    return Response(arena.ratings.download(game_id, variant), media_type="text/csv", headers=headers)
