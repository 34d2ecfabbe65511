"""`arena ladder`: standing competitions of all active versions of a game."""

from __future__ import annotations

from pathlib import Path

import click

from arena.accounts.actors import OPERATOR
from arena.cli.support import terminal_tables
from arena.cli.support.output import echo
from arena.cli.support.store_option import data_option, json_option, opened, print_json
from arena.competition import ladders
from arena.competition.ladders import LadderRow, LadderSpec


@click.group("ladder")
def command() -> None:
    """Start, list and stop ladders: all active versions of a game play on and on, new ones are placed fast.

    \b
    Example:
      arena ladder start lost_cities
    """


@command.command("start")
@click.argument("game")
@click.option("--variant", help="The variant; the game's standard one if not given.")
@click.option(
    "--seats", type=int, metavar="K", help="Seats at a table; the fewest of the variant if not given."
)
@click.option(
    "--epoch",
    "epoch_s",
    type=float,
    default=ladders.DAY_S,
    show_default=True,
    metavar="SECONDS",
    help="After how long its secret is published, and the next epoch begins.",
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
    help="Its share of the workers; the default for tournaments is 10.",
)
@click.option(
    "--delay",
    "delay_s",
    type=int,
    default=0,
    show_default=True,
    metavar="SECONDS",
    help="How long after a set is over its hidden cards, records and logs are shown.",
)
@data_option
@json_option
def start(*, data: Path | None, as_json: bool, **given: object) -> None:
    """Start a ladder of a game, or go on with one that was stopped.

    \b
    Examples:
      arena ladder start lost_cities
      arena ladder start land_unter --seats 4 --rest 60
    """
    with opened(data) as store:
        row = ladders.start(store, LadderSpec(**given), OPERATOR)  # type: ignore[arg-type]  # click's own types
    _show(row, as_json=as_json)


@command.command("stop")
@click.argument("ladder", type=int, metavar="ID")
@data_option
@json_option
def stop(*, ladder: int, data: Path | None, as_json: bool) -> None:
    """Let a ladder end with the round that is being played.

    \b
    Example:
      arena ladder stop 1
    """
    with opened(data) as store:
        row = ladders.stop(store, ladder, OPERATOR)
    _show(row, as_json=as_json)


@command.command("list")
@data_option
@json_option
def list_command(*, data: Path | None, as_json: bool) -> None:
    """List the ladders, and the tournament that is the last epoch of each.

    \b
    Example:
      arena ladder list
    """
    with opened(data) as store:
        rows = ladders.listing(store)
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
