"""`--option K=V`, as the commands that set up matches share it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from arena.core.errors import UsageError
from arena.match.clock import STANDARD

Command = TypeVar("Command", bound=Callable[..., Any])

_NUMBER = re.compile(r"-?[0-9]{1,9}")


def game_options(command: Command) -> Command:
    """Add `--option K=V`, to be given as often as needed; `read_options` makes a mapping of what it collects."""
    return click.option(
        "--option",
        "options",
        multiple=True,
        metavar="K=V",
        help="A number that the game lets a match set; may be given again.",
    )(command)


def time_option(meaning: str = "Seconds per seat.") -> Callable[[Command], Command]:
    """Add `--time BASE+INC`."""
    return click.option("--time", default=str(STANDARD), show_default=True, metavar="BASE+INC", help=meaning)


def read_options(texts: Sequence[str]) -> dict[str, int]:
    """Read `NAME=NUMBER`s.  Raises UsageError."""
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not _NUMBER.fullmatch(value):
            raise UsageError(f"option {text!r}: must be NAME=NUMBER, such as hands=1")
        options[name] = int(value)
    return options
