"""Records in bulk: those of a tournament, and of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated

from fastapi import Query, Response

from arena.reports.match_lists.record_lines import MAX_RECORDS
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import TheArena
from arena.web.http.bulk_downloads import BulkDownload
from arena.web.http.path_parameters import GameId, TournamentId
from arena.web.http.problems import answers

_MEDIA_TYPE = "application/zstd"

router = api_router(tags=["matches"])

Limit = Annotated[int, Query(ge=1, le=MAX_RECORDS, description="Maximum number of records.")]
Cursor = Annotated[
    str | None,
    Query(
        max_length=80,
        description="TOURNAMENT-SET-MATCH of the last line read; default: the beginning.",
    ),
]


@router.get(
    "/tournaments/{tournament_id}/records",
    summary="Download the records of a tournament",
    responses={200: {"content": {_MEDIA_TYPE: {}}}, **answers(404, 422, 429, 503)},
    response_class=Response,
)
def download_tournament_records(
    arena: TheArena, tournament_id: TournamentId, limit: Limit = 1000, cursor: Cursor = None
) -> Response:
    """Return the records of a tournament's open matches, one line of JSON each, in a zstd frame."""
    make = partial(arena.tournaments.download_records, tournament_id, limit=limit, cursor=cursor)
    return _file(make, f"tournament-{tournament_id}-records")


@router.get(
    "/games/{game_id}/records",
    summary="Download the records of a game",
    responses={200: {"content": {_MEDIA_TYPE: {}}}, **answers(404, 422, 429, 503)},
    response_class=Response,
)
def download_game_records(
    arena: TheArena, game_id: GameId, limit: Limit = 1000, cursor: Cursor = None
) -> Response:
    """Return the records of a game's open tournament matches, one line of JSON each, in a zstd frame."""
    make = partial(arena.games.download_records, game_id, limit=limit, cursor=cursor)
    return _file(make, f"{game_id}-records")


def _file(make: Callable[[], Iterator[bytes]], name: str) -> Response:
    return BulkDownload(make, media_type=_MEDIA_TYPE, filename=f"{name}.jsonl.zst")
