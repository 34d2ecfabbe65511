"""Tables of the course of a tournament: Swiss, knockout, SPRT, decisions."""

from __future__ import annotations

import time
from collections.abc import Iterator

from arena.cli.support.fitted_table import FittedTable, name, number, text
from arena.reports.decision_log import DecisionRow
from arena.reports.round_views import SprtRow
from arena.reports.tournament_details import TournamentPage


def tables_of(page: TournamentPage) -> Iterator[FittedTable]:
    """Draw who left a race, or the points by which bots are paired, or the stages that they go through."""
    if page.eliminations:
        yield _race(page)
    elif page.points:
        yield _points(page)
    else:
        for each in page.rounds:
            yield _stage(page, each.number - 1)


def sprt(row: SprtRow) -> str:
    """Return the lines that show the state of an SPRT."""
    bounds = f"elo0 = {row.elo0:g} is accepted at {row.low:.2f}, elo1 = {row.elo1:g} at {row.high:.2f}"
    look = "" if row.next_look is None else f"; next look after {row.next_look} sets"
    return f"LLR {row.llr:.2f} after {row.sets} sets; {bounds}{look}"


def decision(row: DecisionRow) -> str:
    """Return a line with the time of a decision and what was decided."""
    return f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime(row.at))} {row.words}"


def _points(page: TournamentPage) -> FittedTable:
    table = FittedTable("Points (a bye counts two)", (name("bot"), number("points"), number("byes")))
    for row in page.points:
        table.add(_entry(page, row.entry), f"{row.points:g}", str(row.byes))
    return table


def _race(page: TournamentPage) -> FittedTable:
    table = FittedTable("Race", (number("rounds"), text("dropped out"), number("still in")))
    last = page.eliminations[-1]
    for each in page.eliminations:
        if each.left or each is last:
            names = ", ".join(_entry(page, entry) for entry in each.left)
            table.add(str(each.rounds), names, str(each.remaining))
    return table


def _stage(page: TournamentPage, number: int) -> FittedTable:
    stage = page.rounds[number]
    table = FittedTable(stage.name, (name("bot"), name("points"), name("bot"), name("winner", spare=1)))
    for tie in stage.ties:
        first, second = (_entry(page, entry) for entry in tie.entries)
        winner = "" if tie.winner is None else _entry(page, tie.winner)
        table.add(first, f"{tie.points[0]:g} : {tie.points[1]:g}", second, winner)
    for entry in stage.byes:
        table.add(_entry(page, entry), "bye", "", _entry(page, entry))
    return table


def _entry(page: TournamentPage, number: int) -> str:
    return f"{page.entries[number].bot}@{page.entries[number].version}"
