"""`--json`: results of commands, for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from typing import Any, TypeVar

import click

from arena.cli.support.output import echo

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(command: Command) -> Command:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(command)


def print_json(value: object, *, indent: int | None = 2) -> None:
    """Print a value of the services, or a tuple of them, as JSON."""
    echo(json.dumps(value, default=_plain, indent=indent, ensure_ascii=False))


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{value!r} cannot be written as JSON")
