"""A tournament: progress, standings, crosstable, schedule, its matches, and what shows that it was fair; live while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from arena.competition.tournament_states import OVER
from arena.rankings import set_measures
from arena.rankings.standings import CrosstableCell, StandingRow
from arena.reports import (
    decision_audit,
    match_queue,
    progress_forecast,
    tournaments,
)
from arena.reports.by_format import sprt_course
from arena.reports.match_lists import listed_matches
from arena.reports.match_queue import UpcomingSet
from arena.reports.tournament_details import TournamentPage
from arena.scheduling.formats.format_registry import format_of
from arena.web.auth.arena_access import TheArena
from arena.web.auth.page_auth import viewer_of
from arena.web.http.path_parameters import TheStore, TournamentId
from arena.web.responses.response_cache import CACHED
from arena.web.tournaments import llr_chart
from arena.web.tournaments.management_panel import read_panel
from arena.web.ui.axis_scales import elo_scale
from arena.web.ui.data_table import Column, Table, arrange, cut
from arena.web.ui.game_titles import TITLES
from arena.web.ui.templating import render

_ROWS = 30
"""Bots on a page of the standings, and in its crosstable."""

_MATCHES = 24
_SETS = 12

_COLUMNS: dict[str, Column[StandingRow]] = {
    "rank": Column(lambda row: (row.component, row.rank), falls=False),
    "bot": Column(lambda row: row.bot.casefold(), falls=False),
    "elo": Column(lambda row: row.elo),
    "points": Column(lambda row: row.points),
    "won": Column(lambda row: row.wins),
    "drawn": Column(lambda row: row.draws),
    "lost": Column(lambda row: row.losses),
    "matches": Column(lambda row: row.matches),
    "faults": Column(lambda row: row.faults),
}

router = APIRouter(dependencies=[CACHED], include_in_schema=False)


@router.get("/tournaments/{tournament_id}")
def show(
    request: Request,
    store: TheStore,
    arena: TheArena,
    tournament_id: TournamentId,
    *,
    check: Annotated[bool, Query()] = False,
) -> Response:
    """Show a tournament; with `check` its decisions are made again."""
    # Bots may join a ladder in between, and none is ever taken out: so who plays is read after what is played.
    agenda = match_queue.match_queue(store, tournament_id)
    tournament = tournaments.page(store, tournament_id)
    over = tournament.state in OVER
    annulled = {number for number, entry in enumerate(tournament.entries) if entry.left == "annulled"}
    ranked = [row for row in tournament.standings if row.entry not in annulled]
    reached = {row.entry: row for row in tournament.places}
    points = {row.entry: row for row in tournament.points}
    columns = dict(_COLUMNS)
    if reached:
        order = {row.entry: place for place, row in enumerate(tournament.standings)}
        columns["rank"] = Column(lambda row: order[row.entry], falls=False)
    if points:
        columns["points"] = Column(lambda row: points[row.entry].points)
    standings = arrange(
        request,
        "standings",
        ranked,
        columns,
        sort="rank",
        words=lambda row: f"{row.bot}@{row.version}",
        size=_ROWS,
    )
    state = request.query_params.get("matches.state", "all")
    find = request.query_params.get("matches.find", "").strip()[:100]
    found = match_queue.find_matches(store, tournament_id, state, find)
    # The first match that is not played is where one looks while a tournament runs.
    start = 1
    if state == "all" and not find and not over:
        start = 1 + min(agenda.first_open * tournament.seats, max(0, found.total - 1)) // _MATCHES
    matches = cut(
        request,
        "matches",
        total=found.total,
        all_rows=max(found.total, tournament.sets_total * tournament.seats),
        take=found.take,
        size=max(1, _MATCHES // tournament.seats) * tournament.seats,
        start=start,
        find=find,
    )
    listed = listed_matches.read(store, matches.rows)
    arena.matches.ask_for_dramas(listed)
    return render(
        request,
        "tournament.html",
        preview=f"/preview/tournaments/{tournament.id}.png",
        tournament=tournament,
        format=format_of(tournament.format),
        title=TITLES[tournament.game],
        over=over,
        redone=decision_audit.check(store, tournament_id) if check else None,
        pace=progress_forecast.read(store, tournament),
        standings=standings,
        reached=reached,
        points=points,
        scale=elo_scale(ranked),
        crossed=(crossed := _crossed(tournament, standings.rows)),
        cells=_cells(tournament, crossed),
        llr_chart=None if tournament.sprt is None else llr_chart.draw(sprt_course.read(store, tournament_id)),
        difference=None if tournament.sprt is None else difference_of_test(tournament),
        savings=set_measures.set_savings(store, tournament_id),
        gone=[row for row in tournament.entries if row.left],
        agenda=agenda,
        upcoming=_upcoming(request, agenda),
        state=state,
        matches=matches,
        listed=listed,
        address=str(request.base_url).rstrip("/"),
        steering=read_panel(store, viewer_of(request), tournament),
    )


def difference_of_test(tournament: TournamentPage) -> tuple[float, float] | None:
    """Return by how many Elo entry 0 of a test is ahead, and the error of that; None before both are known."""
    first, second = sorted(tournament.standings, key=lambda row: row.entry)
    if first.elo is None or second.elo is None or first.error is None or first.component != second.component:
        return None
    # An error is relative to the mean of the two, so that their distance has twice as much.
    return first.elo - second.elo, 2 * first.error


def _upcoming(request: Request, agenda: match_queue.MatchQueue) -> Table[UpcomingSet]:
    return cut(request, "schedule", total=agenda.total, take=agenda.take, size=_SETS)


def _crossed(tournament: TournamentPage, rows: Sequence[StandingRow]) -> tuple[StandingRow, ...]:
    """Take those of the rows that are in the crosstable: it has the first of a large tournament."""
    there = {row.entry for row in tournament.standings[: len(tournament.crosstable)]}
    return tuple(row for row in rows if row.entry in there)


def _cells(
    tournament: TournamentPage, rows: Sequence[StandingRow]
) -> tuple[tuple[CrosstableCell | None, ...], ...]:
    """Take the part of the crosstable that these rows make, in their order."""
    at = {row.entry: i for i, row in enumerate(tournament.standings[: len(tournament.crosstable)])}
    shown = [at[row.entry] for row in rows]
    return tuple(tuple(tournament.crosstable[i][j] for j in shown) for i in shown)
