"""Matches: the newest, one of them, its record."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from fastapi import BackgroundTasks, HTTPException, Response

from arena.reports import match_views
from arena.reports.insights import visible_notes
from arena.reports.insights.visible_notes import Reader
from arena.reports.match_details import MatchPage
from arena.reports.match_lists import listed_matches, match_cursors
from arena.reports.match_lists.listed_matches import ListedMatch
from arena.service.paging import Page, keyed
from arena.web.auth.api_auth import ApiReader
from arena.web.auth.api_router import api_router
from arena.web.http.list_answers import Listed, ThePagingByCursor
from arena.web.http.path_parameters import MatchNumber, SetNumber, TheQueue, TheStore, TournamentId
from arena.web.http.problems import answers
from arena.web.matches import drama_jobs
from arena.web.responses.response_cache import CACHED

_ADDRESS = "/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}"

router = api_router(tags=["matches"], dependencies=[CACHED])


@router.get(
    "/matches/recent",
    summary="List the newest matches",
    responses=answers(422),
)
def list_recent(
    store: TheStore,
    queue: TheQueue,
    later: BackgroundTasks,
    paging: ThePagingByCursor,
) -> Listed[ListedMatch]:
    """Return the matches whose results were stored last, the newest first."""

    def read(cursor: str | None, limit: int) -> Page[ListedMatch]:
        found = match_views.recent(store, limit + 1, match_cursors.parse(cursor))
        rows = listed_matches.read(store, found[:limit])
        drama_jobs.add(later, queue, rows)
        return Page(rows, match_cursors.write(rows[-1].key) if len(found) > limit else None)

    return paging.answer(partial(keyed, read), most=paging.limit or 20)


@router.get(_ADDRESS, summary="Show a match", responses=answers(401, 404, 422, 429))
def show_match(
    store: TheStore,
    reader: ApiReader,
    tournament_id: TournamentId,
    set_number: SetNumber,
    match_number: MatchNumber,
) -> MatchPage:
    """All that may be known of a match now; its seed is null until it is open.

    `notes` are those of one's own bots, and of bots whose owner has made them public.
    """
    match = match_views.page(store, tournament_id, set_number, match_number)
    who = None if reader is None else Reader(reader.user_id, "admin" in reader.scopes)
    return replace(match, notes=visible_notes.of_match(store, match, who))


@router.get(
    f"{_ADDRESS}/record",
    summary="Download a record",
    responses={200: {"content": {"application/json": {}}}, **answers(404, 410, 422, 500)},
    response_class=Response,
)
def show_record(
    store: TheStore, tournament_id: TournamentId, set_number: SetNumber, match_number: MatchNumber
) -> Response:
    """Return the record of a match (arena-match/1), which `arena verify` checks; 404 until it is open, 410 once it is deleted."""
    match = match_views.page(store, tournament_id, set_number, match_number)
    if not match.record_kept:
        raise HTTPException(410, f"record of match {match.id}: is no longer stored; its result is")
    record = match.record
    if record is None:
        when = (
            (f"when set {match.set} is over" if match.shared else "when the match is over")
            if match.opens_at is None
            else f"from {datetime.fromtimestamp(match.opens_at, UTC):%Y-%m-%d %H:%M:%S} UTC on"
        )
        raise HTTPException(404, f"record of match {match.id}: it is shown {when}")
    headers = {"Content-Disposition": f'attachment; filename="{match.id}.json"'}
    return Response(record, media_type="application/json", headers=headers)
