"""Progress of a series of matches: a bar on a terminal, an occasional line in a pipe."""

from __future__ import annotations

from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli.support.output import PlainConsole, echo


class Meter:
    """Shows progress on stderr: a bar on a terminal, a plain line every tenth of the way in a pipe."""

    def __init__(self, total: int, *, says_lines: bool = True, done: str = "played") -> None:
        """Begin with none of `total` matches `done`; without `says_lines` a pipe gets nothing."""
        self._word = done
        self._says_lines = says_lines
        self._total = total
        self._done = 0
        console = PlainConsole(stderr=True)
        self._bar = None
        if console.is_terminal:
            columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=console, transient=True)
            self._task = self._bar.add_task("matches", total=total)

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def advance(self) -> None:
        """Count one match more."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """Show that `done` matches have been played."""
        before, self._done = self._done, done
        if self._bar:
            self._bar.update(self._task, completed=done)
        elif self._says_lines and done * 10 // self._total > before * 10 // self._total:
            echo(f"{done} of {self._total} matches {self._word}", err=True)
