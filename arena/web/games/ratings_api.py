"""The public Elo tables."""

from __future__ import annotations

import csv
import io
from dataclasses import fields
from functools import partial
from typing import Annotated

from fastapi import Path, Response

from arena.rankings import public_ratings
from arena.rankings.rating_rows import PoolRow, RatingRow, RatingTable
from arena.service.paging import listed
from arena.web.auth.api_router import api_router
from arena.web.http.list_answers import Listed, ThePaging
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

router = api_router(tags=["ratings"], dependencies=[CACHED])


@router.get("/ratings", summary="List the pools", responses=answers(422))
def list_pools(store: TheStore, paging: ThePaging) -> Listed[PoolRow]:
    """Every pool that has been played in, by key."""
    return paging.answer(partial(listed, public_ratings.pools(store)))


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


@router.get(
    "/ratings/{game_id}/{variant}/csv",
    summary="Download an Elo table",
    responses={200: {"content": {"text/csv": {}}}, **answers(404, 422)},
    response_class=Response,
)
def download_table(
    store: TheStore,
    game_id: GameId,
    variant: Annotated[str, Path(description="The variant's name.", examples=["standard"])],
) -> Response:
    """Return the rows of the Elo table of a pool as CSV, with the same columns as in JSON."""
    columns = [each.name for each in fields(RatingRow)]
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(columns)
    for row in public_ratings.table(store, game_id, variant).rows:
        values = [getattr(row, name) for name in columns]
        rows.writerow([str(value).lower() if isinstance(value, bool) else value for value in values])
    headers = {"Content-Disposition": f'attachment; filename="ratings-{game_id}-{variant}.csv"'}
    return Response(written.getvalue(), media_type="text/csv", headers=headers)
