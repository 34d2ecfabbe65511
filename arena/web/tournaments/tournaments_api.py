"""Tournaments: the list, one of them, its matches and its export."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import Annotated

from fastapi import Query, Response

from arena.competition.estimates import Estimate
from arena.reports.match_lists.listed_matches import ListedMatch
from arena.reports.tournament_details import ListedTournament, TournamentPage
from arena.service.requests import TournamentCreate
from arena.service.tournament_operations import ExportFormat
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import OrganiserArena, TheArena
from arena.web.http.bulk_downloads import BulkDownload
from arena.web.http.list_answers import USE_LIMIT, Before, Listed, ThePaging
from arena.web.http.path_parameters import TournamentId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

_MAX_ROWS = 1000
_MAX_SETS = 200
_MEDIA_TYPES = {
    "json": "application/json",
    "csv": "text/csv",
    "standings": "text/csv",
    "pgn": "application/vnd.chess-pgn",
    "zip": "application/zip",
}

router = api_router(tags=["tournaments"])


@router.get(
    "/tournaments",
    summary="List the tournaments",
    dependencies=[CACHED],
    responses=answers(422),
)
def list_tournaments(
    arena: TheArena,
    paging: ThePaging,
    before: Before = None,
    most: Annotated[int | None, Query(ge=1, le=_MAX_ROWS, deprecated=True, description=USE_LIMIT)] = None,
) -> Listed[ListedTournament]:
    """List the tournaments, the newest first."""
    return paging.answer(arena.tournaments.list, most=most, after=before)


@router.post(
    "/tournaments",
    status_code=201,
    summary="Create a tournament",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def create_tournament(body: TournamentCreate, arena: OrganiserArena) -> TournamentPage:
    """Create a tournament.  Unless it waits for entries, its matches begin at once.

    The server draws its secret; the commitment to it is in the answer.
    """
    return arena.tournaments.create(body)


@router.get(
    "/me/tournaments",
    summary="List your tournaments",
    responses=answers(401, 403, 422, 429),
)
def list_own_tournaments(arena: OrganiserArena, paging: ThePaging) -> Listed[ListedTournament]:
    """List one's own, the newest first."""
    return paging.answer(arena.tournaments.list_own)


@router.post(
    "/tournaments/estimate",
    summary="Estimate a tournament",
    responses=answers(401, 403, 404, 409, 422, 429),
)
def estimate_tournament(body: TournamentCreate, arena: OrganiserArena) -> Estimate:
    """Check a tournament without creating it, and return the number of its matches and their estimated duration."""
    return arena.tournaments.estimate(body)


@router.get(
    "/tournaments/{tournament_id}",
    summary="Show a tournament",
    dependencies=[CACHED],
    responses=answers(404, 422),
)
def show_tournament(arena: TheArena, tournament_id: TournamentId) -> TournamentPage:
    """Return progress, standings and crosstable of a tournament; its secret once it is over."""
    return arena.tournaments.show(tournament_id)


@router.get(
    "/tournaments/{tournament_id}/matches",
    summary="List a tournament's matches",
    dependencies=[CACHED],
    responses=answers(404, 422),
)
def list_matches(
    arena: TheArena,
    tournament_id: TournamentId,
    paging: ThePaging,
    first_set: Annotated[int, Query(ge=0, le=2**31 - 1, deprecated=True, description="Use `cursor`.")] = 0,
    sets: Annotated[int, Query(ge=1, le=_MAX_SETS, deprecated=True, description=USE_LIMIT)] = 50,
) -> Listed[ListedMatch]:
    """List the matches of a tournament in order, future ones included; an array has those of `sets` sets."""
    if paging.is_asked:
        return paging.answer(partial(arena.tournaments.list_matches, tournament_id))
    pages = arena.tournaments.list_matches(tournament_id, limit=sets, cursor=f"{first_set}-0")
    return tuple(takewhile(lambda match: match.set < first_set + sets, pages))


@router.get(
    "/tournaments/{tournament_id}/export",
    summary="Export a tournament",
    responses={
        200: {"content": {media_type: {} for media_type in _MEDIA_TYPES.values()}},
        **answers(404, 422, 429, 500, 503),
    },
    response_class=Response,
)
def export_tournament(
    arena: TheArena,
    tournament_id: TournamentId,
    kind: Annotated[
        ExportFormat,
        Query(
            alias="format",
            description="json: results and table; csv: results; standings: the table as CSV; pgn: results for Ordo and BayesElo, two seats; zip: all of it and the records.",
        ),
    ] = "json",
) -> Response:
    """Export a tournament as it is now.  The same tournament gives the same bytes everywhere.

    The zip has all that `arena verify --tournament` needs; it contains the records once the tournament is over.
    """
    ending = "standings.csv" if kind == "standings" else kind
    filename = f"tournament-{tournament_id}.{ending}"
    make = partial(arena.tournaments.export, tournament_id, format=kind)
    if kind == "zip":
        return BulkDownload(make, media_type=_MEDIA_TYPES[kind], filename=filename)
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return Response(b"".join(make()), media_type=_MEDIA_TYPES[kind], headers=headers)
