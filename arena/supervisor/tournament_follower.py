"""Following the tournaments of the store on a display, and their tables in the end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from arena.competition.tournament_states import OVER, RUNNING
from arena.games import registry
from arena.rankings import public_ratings
from arena.reports import tournaments
from arena.supervisor.terminal_display import elo_table, standings_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.reports.tournament_details import TournamentPage
    from arena.storage import Store
    from arena.supervisor.terminal_display import Display

_EVERY_S = 0.5
_TABLES_WITHIN_S = 15.0
"""Seconds that an Elo table may take to be recomputed before it is shown as it is."""


class Following:
    """Shows tournaments while they run, and when none runs any more the Elo tables they counted for."""

    def __init__(self, store: Store, display: Display) -> None:
        self._store = store
        self._display = display
        self._next_s = 0.0
        self._open: frozenset[int] | None = None
        """The tournaments that are known and whose end has not been shown; None before the first look."""
        self._newest = 0
        """The number of the newest tournament that is known."""
        self._tables_by_s: float | None = None

    def look(self) -> None:
        """Show what has changed; call this often."""
        if time.monotonic() < self._next_s:
            return
        self._next_s = time.monotonic() + _EVERY_S
        try:
            self._look()
        except SQLAlchemyError:
            return  # The next look will do: a database that is away is the workers' to report.

    def _look(self) -> None:
        """Read those that are over only once, at the first look: there may be thousands."""
        if self._open is None:
            rows = tournaments.listing(self._store)
            if not any(row.state == RUNNING for row in rows):
                self._show([tournaments.page(self._store, row.id) for row in rows if row.state in OVER])
            self._newest = max((row.id for row in rows), default=0)
            rows = tuple(row for row in rows if row.state not in OVER)
        else:
            rows = tournaments.with_newer(self._store, self._open, self._newest)
            self._newest = max((row.id for row in rows), default=self._newest)
        self._open = frozenset(row.id for row in rows)
        news = [row for row in reversed(rows) if row.state in {RUNNING, *OVER}]
        if not news:
            return
        self._display.progress(news)
        if any(row.state == RUNNING for row in news):
            self._tables_by_s = None
            return
        if self._tables_by_s is None:
            self._tables_by_s = time.monotonic() + _TABLES_WITHIN_S
        pages = [tournaments.page(self._store, row.id) for row in news]
        if self._is_computed(pages) or time.monotonic() > self._tables_by_s:
            self._show(pages)
            self._open -= {row.id for row in news}
            self._tables_by_s = None

    def _is_computed(self, pages: Iterable[TournamentPage]) -> bool:
        for page in pages:
            if page.pool is None:
                continue
            computed_at = public_ratings.table(self._store, page.game, page.variant).computed_at
            if computed_at is None or computed_at < (page.finished_at or 0.0):
                return False
        return True

    def _show(self, pages: Sequence[TournamentPage]) -> None:
        for pool in sorted({(page.game, page.variant) for page in pages if page.pool is not None}):
            table = public_ratings.table(self._store, *pool)
            self._display.table(elo_table(table, f"{registry.find(pool[0]).title}, {pool[1]}"))
        for page in pages:
            if page.pool is None:
                self._display.table(standings_table(page))
