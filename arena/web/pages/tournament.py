"""A tournament: progress, standings, crosstable, its matches by set; live while it runs."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response

from arena.services import matches, measures, tournaments
from arena.services.stages import OVER
from arena.web.catalogue import TITLES
from arena.web.environment import render
from arena.web.parameters import PageNumber, TheStore, TournamentId
from arena.web.remembering import OfStore
from arena.web.steering import steering
from arena.web.viewer import viewer_of

_MATCHES = 48
"""About how many matches a page lists: whole sets."""

router = APIRouter(include_in_schema=False, dependencies=[OfStore])


@router.get("/tournaments/{tournament_id}")
def show(request: Request, store: TheStore, tournament_id: TournamentId, page: PageNumber = 1) -> Response:
    """Show a tournament."""
    tournament = tournaments.page(store, tournament_id)
    sets = max(1, _MATCHES // tournament.seats)
    pages = max(1, -(-tournament.sets_total // sets))
    if page > pages:
        raise HTTPException(404, f"page {page}: the matches of this tournament have {pages}")
    return render(
        request,
        "tournament.html",
        tournament=tournament,
        savings=measures.savings(store, tournament_id),
        title=TITLES[tournament.game],
        over=tournament.state in OVER,
        gone=[row for row in tournament.entries if row.left],
        address=str(request.base_url).rstrip("/"),
        matches=matches.of_tournament(store, tournament_id, (page - 1) * sets, sets),
        page=page,
        pages=pages,
        steering=steering(store, viewer_of(request), tournament),
    )
