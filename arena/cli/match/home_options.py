"""The options that the commands share which play at home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.cli.support.game_options import game_options
from arena.match.clock import STANDARD

Command = TypeVar("Command", bound=Callable[..., Any])

_HOW_IT_IS_PLAYED = (
    click.option(
        "--time", default=str(STANDARD), show_default=True, metavar="BASE+INC", help="Seconds per seat."
    ),
    click.option(
        "--seed", metavar="HEX", help="64 hex digits that all chance follows from; random if not given."
    ),
    click.option(
        "--records", type=click.Path(path_type=Path), metavar="DIR", help="Write one JSON file per match."
    ),
    click.option(
        "--sandbox", is_flag=True, help="Run the bots as the arena does, each in a sandbox of its own."
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
)


def bots_and_variant(command: Command) -> Command:
    """Add who plays what: the bots, `--variant`, `--option`."""
    command = game_options(command)
    command = click.option("--variant", help="The variant; the game's first one if not given.")(command)
    return click.argument("bots", nargs=-1, required=True, metavar="[GAME] BOT BOT...")(command)


def how_it_is_played(command: Command) -> Command:
    """Add how it is played, and what becomes of it: `--time`, `--seed`, `--records`, `--sandbox`, `--json`."""
    for option in reversed(_HOW_IT_IS_PLAYED):
        command = option(command)
    return command
