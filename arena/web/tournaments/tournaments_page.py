"""The list of all tournaments."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.reports import tournaments
from arena.reports.by_format import tournament_winners
from arena.reports.tournament_details import TournamentRow
from arena.web.http.path_parameters import TheStore
from arena.web.responses.response_cache import CACHED
from arena.web.ui.data_table import Column, arrange
from arena.web.ui.game_titles import TITLES
from arena.web.ui.templating import render

_COLUMNS: dict[str, Column[TournamentRow]] = {
    "name": Column(lambda row: row.name.casefold(), falls=False),
    "matches": Column(lambda row: row.matches_done),
    "format": Column(lambda row: row.format, falls=False),
    "game": Column(lambda row: TITLES[row.game], falls=False),
    "seats": Column(lambda row: row.seats),
    "created": Column(lambda row: row.id),
}

router = APIRouter(dependencies=[CACHED], include_in_schema=False)


@router.get("/tournaments")
def show(request: Request, store: TheStore) -> Response:
    """Show all tournaments, the newest first."""
    table = arrange(
        request,
        "tournaments",
        tournaments.listing(store),
        _COLUMNS,
        sort="-created",
        words=lambda row: f"{row.name} {TITLES[row.game]} {row.format} {row.state}",
    )
    winners = tournament_winners.read(store, table.rows)
    return render(request, "tournaments.html", table=table, titles=TITLES, winners=winners)
