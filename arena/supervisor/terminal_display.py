"""Display of the terminal: bars and tables for a person, plain lines in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.progress import TaskID

    from arena.rankings.rating_rows import RatingTable
from arena.reports.tournament_details import TournamentPage, TournamentRow

_LINES_PER_TOURNAMENT = 10
_PLAIN_WIDTH = 100


class Display(Protocol):
    """Where `arena up` speaks."""

    def say(self, text: str) -> None:
        """Write a line."""

    def progress(self, rows: Sequence[TournamentRow]) -> None:
        """Show how far the tournaments are that run, or have just ended."""

    def table(self, table: Table) -> None:
        """Show a table."""

    def close(self) -> None:
        """Leave the terminal as it was."""


def on(console: Console) -> Display:
    """Return the display that fits a console."""
    return Bars(console) if console.is_terminal else Lines(console)


class Bars:
    """One bar per tournament, drawn by the caller's thread, so that no other thread is there when parts are started."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._bars: dict[int, TaskID] = {}

    def say(self, text: str) -> None:
        """Write a line above the bars."""
        self._console.print(text, highlight=False, soft_wrap=True)

    def progress(self, rows: Sequence[TournamentRow]) -> None:
        """Draw the bars; when all are full they stay where they are, and later ones begin below."""
        if self._progress is None and any(row.state == "running" for row in rows):
            self._progress = _new_bars(self._console)
            self._progress.start()
        if self._progress is None:
            return
        for row in rows:
            if row.id not in self._bars:
                self._bars[row.id] = self._progress.add_task(row.name, total=row.matches_total)
            self._progress.update(self._bars[row.id], completed=row.matches_done, total=row.matches_total)
        self._progress.refresh()
        if all(row.state != "running" for row in rows):
            self.close()

    def table(self, table: Table) -> None:
        """Show a table."""
        self._console.print(table)

    def close(self) -> None:
        """Leave the bars as they are."""
        if self._progress is not None:
            self._progress.stop()
        self._progress = None
        self._bars.clear()


class Lines:
    """One line per tenth of a tournament."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._tenths: dict[int, int] = {}

    def say(self, text: str) -> None:
        """Write a line."""
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def progress(self, rows: Sequence[TournamentRow]) -> None:
        """Write a line for each tournament that has passed another tenth."""
        for row in rows:
            tenth = _LINES_PER_TOURNAMENT * row.matches_done // max(1, row.matches_total)
            if tenth != self._tenths.get(row.id):
                self._tenths[row.id] = tenth
                self.say(f"{row.name}: {row.matches_done} of {row.matches_total} matches")

    def table(self, table: Table) -> None:
        """Write a table without a frame."""
        table.box = None
        self._console.print(table, width=_PLAIN_WIDTH)

    def close(self) -> None:
        """Nothing to leave behind."""


def elo_table(table: RatingTable, title: str) -> Table:
    """Draw the Elo table of a pool."""
    drawn = _new_table(f"Elo · {title}", "bot", "version", "Elo", "matches")
    for row in table.rows:
        mark = "?" if row.provisional else ""
        drawn.add_row(str(row.rank), row.bot, row.version, f"{row.elo:.0f}{mark}", str(row.matches))
    if any(row.provisional for row in table.rows):
        drawn.caption = "? provisional"
    return drawn


def standings_table(page: TournamentPage) -> Table:
    """Draw the table of a tournament that counts for no pool."""
    drawn = _new_table(page.name, "bot", "Elo", "points", "matches")
    for row in page.standings:
        elo = "" if row.elo is None else f"{row.elo:.0f}"
        drawn.add_row(str(row.rank), row.bot, elo, f"{row.points:g}", str(row.matches))
    return drawn


def _new_table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", caption_justify="left")
    table.add_column("#", justify="right")
    for column in columns:
        table.add_column(column, justify="left" if column in {"bot", "version"} else "right")
    return table


def _new_bars(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=console,
        auto_refresh=False,
    )
