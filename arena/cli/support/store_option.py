"""What the commands that work on the store share: the option that names it, opening it, and how values become JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.cli.support.output import echo
from arena.core.settings import database_url
from arena.storage import Store

Command = TypeVar("Command", bound=Callable[..., Any])


def data_option(command: Command) -> Command:
    """Add `--data DIR`."""
    return click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Data directory of the store.  [default: ARENA_DATABASE_URL, else ARENA_DATA, else ~/.local/share/bot-arena]",
    )(command)


def json_option(command: Command) -> Command:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(command)


@contextmanager
def opened(data: Path | None) -> Iterator[Store]:
    """Open the store of a data directory, or of the settings, for as long as the block lasts.  Raises ArenaError."""
    store = Store.open(database_url(data))
    try:
        yield store
    finally:
        store.close()


def print_json(value: object, *, indent: int | None = 2) -> None:
    """Print a value of the services, or a tuple of them, as JSON."""
    echo(json.dumps(value, default=_plain, indent=indent, ensure_ascii=False))


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{value!r} cannot be written as JSON")
