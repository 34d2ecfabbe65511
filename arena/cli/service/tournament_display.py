"""What `arena up` shows: its messages, the progress of the tournaments of its store, and their tables in the end.

On a terminal a bar for each tournament, drawn by the caller's thread, so that no other thread is there when parts are started;
in a pipe a line for each tenth.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from sqlalchemy.exc import SQLAlchemyError

from arena.cli.support import terminal_tables
from arena.competition.tournament_states import OVER, RUNNING
from arena.rankings import public_ratings
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage, TournamentRow
from arena.storage import Store

_EVERY_S = 0.5
_LINES_PER_TOURNAMENT = 10
_TABLES_WITHIN_S = 15.0
"""The longest wait for an Elo table to be computed again; then the old one is shown."""


class TournamentDisplay:
    """Shows tournaments while they run, and when none runs any more the Elo tables that they counted for.  Mutable."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._bars: dict[int, TaskID] = {}
        self._tenths: dict[int, int] = {}
        self._next_s = 0.0
        self._open: frozenset[int] | None = None
        """The tournaments that are known and whose end has not been shown; None before the first look."""
        self._newest = 0
        """The number of the newest tournament that is known."""
        self._tables_by_s: float | None = None

    def say(self, text: str) -> None:
        """Write a line, above the bars."""
        self._console.print(text, soft_wrap=True)

    def close(self) -> None:
        """Leave the bars as they are."""
        if self._progress is not None:
            self._progress.stop()
        self._progress = None
        self._bars.clear()

    def look(self, store: Store) -> None:
        """Show what has changed; call this often."""
        if time.monotonic() < self._next_s:
            return
        self._next_s = time.monotonic() + _EVERY_S
        try:
            self._look(store)
        except SQLAlchemyError:
            return  # The next look will do: a database that is away is the workers' to report.

    def _look(self, store: Store) -> None:
        """Read those that are over only once, at the first look: there may be thousands."""
        if self._open is None:
            rows = tournaments.listing(store)
            if not any(row.state == RUNNING for row in rows):
                self._show(store, [tournaments.page(store, row.id) for row in rows if row.state in OVER])
            self._newest = max((row.id for row in rows), default=0)
            rows = tuple(row for row in rows if row.state not in OVER)
        else:
            rows = tournaments.with_newer(store, self._open, self._newest)
            self._newest = max((row.id for row in rows), default=self._newest)
        self._open = frozenset(row.id for row in rows)
        news = [row for row in reversed(rows) if row.state in {RUNNING, *OVER}]
        if not news:
            return
        running = any(row.state == RUNNING for row in news)
        (self._draw if self._console.is_terminal else self._write)(news, running=running)
        if running:
            self._tables_by_s = None
            return
        if self._tables_by_s is None:
            self._tables_by_s = time.monotonic() + _TABLES_WITHIN_S
        pages = [tournaments.page(store, row.id) for row in news]
        if time.monotonic() > self._tables_by_s or all(_is_rated(store, page) for page in pages):
            self._show(store, pages)
            self._open -= {row.id for row in news}
            self._tables_by_s = None

    def _draw(self, rows: Iterable[TournamentRow], *, running: bool) -> None:
        """Draw the bars; when all are full they stay where they are, and later ones begin below."""
        if self._progress is None:
            if not running:
                return
            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
            left = TimeRemainingColumn(elapsed_when_finished=True)
            self._progress = Progress(*columns, left, console=self._console, auto_refresh=False)
            self._progress.start()
        for row in rows:
            if row.id not in self._bars:
                self._bars[row.id] = self._progress.add_task(row.name, total=row.matches_total)
            self._progress.update(self._bars[row.id], completed=row.matches_done, total=row.matches_total)
        self._progress.refresh()
        if not running:
            self.close()

    def _write(self, rows: Iterable[TournamentRow], *, running: bool) -> None:  # noqa: ARG002 - as `_draw`
        """Write a line for each tournament that has passed another tenth."""
        for row in rows:
            tenth = _LINES_PER_TOURNAMENT * row.matches_done // max(1, row.matches_total)
            if tenth != self._tenths.get(row.id):
                self._tenths[row.id] = tenth
                self.say(f"{row.name}: {row.matches_done} of {row.matches_total} matches")

    def _show(self, store: Store, pages: Sequence[TournamentPage]) -> None:
        """Show the tables of the pools that tournaments counted for, and the standings of those that counted for none."""
        for pool in sorted({(page.game, page.variant) for page in pages if page.pool is not None}):
            self._console.print(terminal_tables.elo(public_ratings.table(store, *pool)))
        for page in pages:
            if page.pool is None:
                self._console.print(terminal_tables.standings(page))


def _is_rated(store: Store, page: TournamentPage) -> bool:
    """Return whether a finished tournament is in the table of its pool, if it has one."""
    if page.pool is None:
        return True
    computed_at = public_ratings.table(store, page.game, page.variant).computed_at
    return computed_at is not None and computed_at >= (page.finished_at or 0.0)
