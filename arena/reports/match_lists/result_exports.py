"""The exports of a tournament for other programs, by their names in the API and the command."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arena.reports.match_lists import result_pgn, result_sheets
from arena.storage import Store

SHEETS: Mapping[str, Callable[[Store, int], str]] = {
    "csv": result_sheets.of_results,
    "standings": result_sheets.of_standings,
    "pgn": result_pgn.of_results,
}
