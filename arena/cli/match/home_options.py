"""Options of the commands that play at home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.cli.support.game_options import game_options, time_option
from arena.cli.support.json_output import json_option

Command = TypeVar("Command", bound=Callable[..., Any])

_HOW_IT_IS_PLAYED = (
    time_option(),
    click.option(
        "--seed", metavar="HEX", help="64 hex digits that all chance follows from.  [default: random]"
    ),
    click.option(
        "--records", type=click.Path(path_type=Path), metavar="DIR", help="Write one JSON file per match."
    ),
    click.option(
        "--sandbox", is_flag=True, help="Run the bots as the arena does, each in a sandbox of its own."
    ),
    json_option,
)


def bots_and_variant(command: Command) -> Command:
    """Add who plays what: the bots, `--variant`, `--option`."""
    command = game_options(command)
    command = click.option("--variant", metavar="VARIANT", help="The variant.  [default: the game's first]")(
        command
    )
    return click.argument("bots", nargs=-1, required=True, metavar="[GAME] BOT BOT...")(command)


def how_it_is_played(command: Command) -> Command:
    """Add how it is played, and what becomes of it: `--time`, `--seed`, `--records`, `--sandbox`, `--json`."""
    for option in reversed(_HOW_IT_IS_PLAYED):
        command = option(command)
    return command
