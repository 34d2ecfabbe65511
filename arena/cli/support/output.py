"""Output of commands: all of it goes through here, so that text of others, such as names and last words, cannot command a terminal."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from arena.cli.support.fitted_table import FittedTable
from arena.core.errors import ArenaError
from arena.core.foreign_text import clean

_PIPE_WIDTH = 160


class OutputLost(ArenaError):  # noqa: N818 - it says what happened
    """Raised when what is printed cannot be written any more; `is_closed` if its reader has gone, as `head` does."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"output: {error.strerror}; send it to a place with room, and run the command again")
        self.is_closed = error.errno == errno.EPIPE


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text to stdout, or to stderr.  Raises OutputLost."""
    with writing():
        click.echo(clean(str(text)), err=err, nl=nl)


@contextmanager
def writing() -> Iterator[None]:
    """Name it as such when the output cannot be written.  Raises OutputLost."""
    try:
        yield
    except OSError as error:
        raise OutputLost(error) from error


def print_table(table: FittedTable) -> None:
    """Print a table: at most as wide as the terminal, and whole in a pipe.  Raises OutputLost."""
    PlainConsole(pipe_width=max(_PIPE_WIDTH, table.needs())).print(table)


def has_room(table: FittedTable) -> bool:
    """Return whether the terminal is wide enough for all of a table; a pipe is."""
    console = PlainConsole()
    return not console.is_terminal or table.needs() <= console.width


class PlainConsole(Console):
    """A console for text of others: it has no markup, and its letters are cleaned."""

    def __init__(
        self, *, stderr: bool = False, soft_wrap: bool = False, pipe_width: int | None = None
    ) -> None:
        """Open the terminal; with `pipe_width` a pipe gets lines of that width."""
        super().__init__(stderr=stderr, soft_wrap=soft_wrap, highlight=False, markup=False, emoji=False)
        if pipe_width is not None and not self.is_terminal:
            self.width = pipe_width

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render what is printed; control codes are those of rich itself, not of the text."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else clean(text), style, control)

    def on_broken_pipe(self) -> None:
        """Raise OutputLost; rich itself would end the program with exit code 1."""
        raise OutputLost(BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)))

    def print(self, *objects: Any, **options: Any) -> None:  # noqa: ANN401 - as rich's
        """Print.  Raises OutputLost."""
        with writing():
            super().print(*objects, **options)
