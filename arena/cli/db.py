"""`arena db`: the store's schema."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.stores import data_option, json_option, opened, print_json
from arena.settings import database_url
from arena.store.connections import parse, shown
from arena.store.migration import head, upgrade
from arena.supervisor.house import move_in


@click.group("db")
def command() -> None:
    """Bring the store to this version's schema.

    \b
    Example:
      arena db upgrade
    """


@command.command("upgrade")
@data_option
@json_option
def upgrade_command(*, data: Path | None, as_json: bool) -> None:
    """Make the store, or migrate it to this version's schema.

    An SQLite file is copied beside itself first, under the name of its old schema.  The house bots of this version are
    made known in it too.  Nothing else happens to a store that has this schema already.

    \b
    Examples:
      arena db upgrade
      ARENA_DATABASE_URL=postgresql://arena@localhost/arena arena db upgrade
    """
    url = database_url(data)
    before = upgrade(url)
    with opened(data) as store:
        move_in(store, demo=False)
    if as_json:
        print_json({"store": shown(parse(url)), "before": before, "schema": head()})
    elif before == head():
        click.echo(f"{shown(parse(url))}: has schema {before} already")
    else:
        click.echo(f"{shown(parse(url))}: schema {head()}, {'new' if before is None else f'before {before}'}")
