"""`arena ratings`: the public Elo tables."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli import tables
from arena.cli.stores import data_option, json_option, opened, print_json
from arena.services import ratings


@click.command("ratings")
@click.argument("game")
@click.option("--variant", help="The variant; the game's standard one if not given.")
@data_option
@json_option
def command(*, game: str, variant: str | None, data: Path | None, as_json: bool) -> None:
    """Show the Elo table of a game.

    Tournaments with standard options and a listed time control count for it.  The house bot greedy stands at 1500.

    \b
    Examples:
      arena ratings lost_cities
      arena ratings land_unter --json
    """
    with opened(data) as store:
        table = ratings.table(store, game, variant)
    if as_json:
        print_json(table)
    elif table.rows:
        tables.print_table(tables.elo(table))
    else:
        click.echo(
            f"No rated matches of {table.game} ({table.variant}) yet: `arena tournament create {game} --bots …`"
        )
