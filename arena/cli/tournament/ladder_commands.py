"""`arena ladder`: competitions without end of all active versions of a game."""

from __future__ import annotations

from typing import Any

import click

from arena.cli.support import terminal_tables
from arena.cli.support.door import Arena, reads, writes
from arena.cli.support.json_output import json_option, print_json, print_rows
from arena.cli.support.output import echo
from arena.cli.support.request_options import request_options
from arena.competition.ladders import LadderRequest, LadderRow

_OPTIONS = {
    "variant": "VARIANT",
    "seats": "N",
    "epoch_s": "SECONDS",
    "rest_s": "SECONDS",
    "priority": "N",
    "delay_s": "SECONDS",
}


@click.group("ladder")
def command() -> None:
    """Start, list and stop ladders, which play without end.

    All active versions of a game play; new ones are placed fast.
    """


@command.command("start")
@click.argument("game")
@request_options(LadderRequest, _OPTIONS)
@json_option
@writes
def start(arena: Arena, /, *, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - click has read them
    """Start a ladder of a game, or resume a stopped one.

    \b
    Examples:
      arena ladder start lost_cities
      arena ladder start land_unter --seats 4 --rest 60
    """
    _show(arena.ladders.start(LadderRequest(**given)), as_json=as_json)


@command.command("stop")
@click.argument("ladder", type=int, metavar="ID")
@json_option
@writes
def stop(arena: Arena, *, ladder: int, as_json: bool) -> None:
    """End a ladder with its current round.

    \b
    Example:
      arena ladder stop 1
    """
    _show(arena.ladders.stop(ladder), as_json=as_json)


@command.command("list")
@json_option
@reads
def list_command(arena: Arena, *, as_json: bool) -> None:
    """List the ladders, with the last epoch of each.

    \b
    Example:
      arena ladder list
    """
    rows = tuple(arena.ladders.list())
    print_rows(rows, terminal_tables.ladders, "No ladders yet: `arena ladder start GAME`", as_json=as_json)


def _show(row: LadderRow, *, as_json: bool) -> None:
    if as_json:
        print_json(row)
        return
    echo(f"Ladder {row.id}: {row.pool}, {row.seats} seats, {row.state}")
