"""`--json`: results of commands, for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any, TypeVar

import click

from arena.cli.support.fitted_table import FittedTable
from arena.cli.support.output import echo, print_table

Command = TypeVar("Command", bound=Callable[..., Any])
_Row = TypeVar("_Row")


def json_option(command: Command) -> Command:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(command)


def print_result(value: object, text: object, *, as_json: bool) -> None:
    """Print a result: as JSON, or its text or table."""
    if as_json:
        print_json(value)
    elif isinstance(text, FittedTable):
        print_table(text)
    else:
        echo(text)


def print_rows(
    rows: Sequence[_Row], draw: Callable[[Sequence[_Row]], FittedTable], empty: str, *, as_json: bool
) -> None:
    """Print rows: as JSON, or as the table that `draw` makes of them, or say why there are none."""
    print_result(rows, draw(rows) if rows else empty, as_json=as_json)


def print_json(value: object, *, indent: int | None = 2) -> None:
    """Print a value of the services, or a tuple of them, as JSON."""
    echo(json.dumps(value, default=_plain, indent=indent, ensure_ascii=False))


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{value!r} cannot be written as JSON")
