"""Matches: the newest, one of them, its record."""

from __future__ import annotations

from fastapi import Response

from arena.reports.match_details import MatchPage
from arena.reports.match_lists.listed_matches import ListedMatch
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import TheArena, ViewerArena
from arena.web.http.list_answers import Listed, ThePagingByCursor
from arena.web.http.path_parameters import MatchNumber, SetNumber, TournamentId
from arena.web.http.problems import answers
from arena.web.responses.response_cache import CACHED

_ADDRESS = "/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}"

router = api_router(tags=["matches"], dependencies=[CACHED])


@router.get("/matches/recent", summary="List the newest matches", responses=answers(422))
def list_recent(arena: TheArena, paging: ThePagingByCursor) -> Listed[ListedMatch]:
    """List the last matches with a result, the newest first."""
    return paging.answer(arena.matches.list_recent, most=paging.limit or 20)


@router.get(_ADDRESS, summary="Show a match", responses=answers(401, 404, 422, 429))
def show_match(
    arena: ViewerArena, tournament_id: TournamentId, set_number: SetNumber, match_number: MatchNumber
) -> MatchPage:
    """Return the public details of a match; its seed is null until it is open.

    `notes` are those of your own bots, and of bots whose owner has made them public.
    """
    return arena.matches.show(tournament_id, set_number, match_number)


@router.get(
    f"{_ADDRESS}/record",
    summary="Download a record",
    responses={200: {"content": {"application/json": {}}}, **answers(404, 410, 422, 500)},
    response_class=Response,
)
def show_record(
    arena: TheArena, tournament_id: TournamentId, set_number: SetNumber, match_number: MatchNumber
) -> Response:
    """Return the record of a match (arena-match/1), which `arena verify` checks; 404 until it is open, 410 once it is deleted."""
    match_id, record = arena.matches.open_record(tournament_id, set_number, match_number)
    headers = {"Content-Disposition": f'attachment; filename="{match_id}.json"'}
    return Response(record, media_type="application/json", headers=headers)
