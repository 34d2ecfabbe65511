"""`arena ladder`: competitions without end of all active versions of a game."""

from __future__ import annotations

from typing import Any

import click

from arena.cli.support import terminal_tables
from arena.cli.support.door import Arena, reads, writes
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.competition import ladders
from arena.competition.ladders import LadderRequest, LadderRow


@click.group("ladder")
def command() -> None:
    """Start, list and stop ladders, which play without end.

    All active versions of a game play; new ones are placed fast.

    \b
    Example:
      arena ladder start lost_cities
    """


@command.command("start")
@click.argument("game")
@click.option("--variant", metavar="VARIANT", help="The variant.  [default: the game's first]")
@click.option(
    "--seats", type=int, metavar="N", help="Seats of a match.  [default: the fewest of the variant]"
)
@click.option(
    "--epoch",
    "epoch_s",
    type=float,
    default=ladders.DAY_S,
    show_default=True,
    metavar="SECONDS",
    help="Length of an epoch, at whose end its secret is published.",
)
@click.option(
    "--rest",
    "rest_s",
    type=float,
    default=ladders.STANDARD_REST_S,
    show_default=True,
    metavar="SECONDS",
    help="The rest between two rounds.",
)
@click.option(
    "--priority",
    type=int,
    default=ladders.STANDARD_PRIORITY,
    show_default=True,
    metavar="N",
    help="Its share of the workers; the default for tournaments is 10.",
)
@click.option(
    "--delay",
    "delay_s",
    type=int,
    default=0,
    show_default=True,
    metavar="SECONDS",
    help="Time for which hidden cards, records and logs stay hidden after a set.",
)
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
    if as_json:
        print_json(rows)
    elif rows:
        terminal_tables.print_table(terminal_tables.ladders(rows))
    else:
        echo("No ladders yet: `arena ladder start GAME`")


def _show(row: LadderRow, *, as_json: bool) -> None:
    if as_json:
        print_json(row)
        return
    echo(f"Ladder {row.id}: {row.pool}, {row.seats} seats, {row.state}")
