"""Tables of the course of a tournament: Swiss, knockout, SPRT, decisions."""

from __future__ import annotations

import time
from collections.abc import Iterator

from rich import box
from rich.table import Table

from arena.reports.decision_log import DecisionRow
from arena.reports.round_views import SprtRow
from arena.reports.tournament_details import TournamentPage


def tables_of(page: TournamentPage) -> Iterator[Table]:
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
    claims = f"elo0 = {row.elo0:g} at {row.low:.2f}, elo1 = {row.elo1:g} at {row.high:.2f}"
    look = "" if row.next_look is None else f"; it looks next after {row.next_look} sets"
    return f"LLR {row.llr:.2f} after {row.sets} sets; accepted is {claims}{look}"


def decision(row: DecisionRow) -> str:
    """Return a line with the time of a decision and what was decided."""
    return f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime(row.at))} {row.words}"


def _points(page: TournamentPage) -> Table:
    table = _table("Points (a bye counts two)")
    table.add_column("bot")
    for column in ("points", "byes"):
        table.add_column(column, justify="right")
    for row in page.points:
        table.add_row(_entry(page, row.entry), f"{row.points:g}", str(row.byes))
    return table


def _race(page: TournamentPage) -> Table:
    table = _table("Race")
    table.add_column("rounds", justify="right")
    table.add_column("left")
    table.add_column("still in", justify="right")
    last = page.eliminations[-1]
    for each in page.eliminations:
        if each.left or each is last:
            names = ", ".join(_entry(page, entry) for entry in each.left)
            table.add_row(str(each.rounds), names, str(each.remaining))
    return table


def _stage(page: TournamentPage, number: int) -> Table:
    stage = page.rounds[number]
    table = _table(stage.name)
    for column in ("bot", "points", "bot", "goes on"):
        table.add_column(column)
    for tie in stage.ties:
        first, second = (_entry(page, entry) for entry in tie.entries)
        goes_on = "" if tie.winner is None else _entry(page, tie.winner)
        table.add_row(first, f"{tie.points[0]:g} : {tie.points[1]:g}", second, goes_on)
    for entry in stage.byes:
        table.add_row(_entry(page, entry), "bye", "", _entry(page, entry))
    return table


def _entry(page: TournamentPage, number: int) -> str:
    return f"{page.entries[number].bot}@{page.entries[number].version}"


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
