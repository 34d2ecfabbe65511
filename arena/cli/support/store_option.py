"""`--data DIR` of the commands that work on the store alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.core.settings import database_url
from arena.storage import Store

Command = TypeVar("Command", bound=Callable[..., Any])


def data_option(command: Command) -> Command:
    """Add `--data DIR`."""
    return click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="A store of this machine.  [default: ARENA_DATABASE_URL, else ARENA_DATA, else ~/.local/share/bot-arena]",
    )(command)


@contextmanager
def opened_store(data: Path | None) -> Iterator[Store]:
    """Open the store of a data directory, or of the settings, for as long as the block lasts.  Raises ArenaError."""
    store = Store.open(database_url(data))
    try:
        yield store
    finally:
        store.close()
