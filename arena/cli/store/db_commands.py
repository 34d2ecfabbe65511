"""`arena db`: the store's schema, its records, and how long they are kept."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.support.store_option import data_option, json_option, opened, print_json
from arena.competition import retention
from arena.competition.retention import Keep
from arena.core.settings import database_url, settings
from arena.operations import record_upkeep
from arena.storage.engine import parse, shown
from arena.storage.migration import head, upgrade
from arena.supervisor.demo_tournaments import move_in


@click.group("db")
def command() -> None:
    """Bring the store to this version's schema; keep records whole before rules change; delete old ones.

    \b
    Examples:
      arena db upgrade
      arena db keep-whole lost_cities
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


@command.command("keep-whole")
@click.argument("game")
@data_option
@json_option
def keep_whole_command(game: str, *, data: Path | None, as_json: bool) -> None:
    """Write the records of a game whole, so that they can be read when the rules have changed.

    Records are stored without what follows from the rules.  Before you go to a version of Bot Arena that has another
    rules_version of the GAME, stop the arena and run this with the version that you have.  They take two to three times
    the room then.  The exit code is 1 if records of still other rules were left as they are.

    \b
    Example:
      arena db keep-whole lost_cities
    """
    with opened(data) as store:
        kept = record_upkeep.keep_whole(store, game)
    if as_json:
        print_json(asdict(kept))
    else:
        click.echo(f"{game}: {kept.written} records written whole, {kept.already} were")
    if kept.refused:
        more = f" (and {len(kept.refused) - 1} more)" if len(kept.refused) > 1 else ""
        click.echo(f"arena: {kept.refused[0]}{more}", err=True)
        sys.exit(1)


@command.command("prune")
@click.option(
    "--records-days",
    type=click.FloatRange(min=0),
    metavar="N",
    help="Keep records for so many days; 0 is for ever.  [default: ARENA_KEEP_RECORDS_DAYS]",
)
@click.option(
    "--output-days",
    type=click.FloatRange(min=0),
    metavar="N",
    help="Keep what bots printed for so many days.  [default: ARENA_KEEP_OUTPUT_DAYS]",
)
@click.option(
    "--uploads-days",
    type=click.FloatRange(min=0),
    metavar="N",
    help="Keep uploads that no version needs any more for so many days.  [default: ARENA_KEEP_UPLOADS_DAYS]",
)
@data_option
@json_option
def prune_command(
    *,
    records_days: float | None,
    output_days: float | None,
    uploads_days: float | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Delete records, and what bots printed, of tournaments that were over so many days ago, and old uploads.

    Results, ratings and sums stay.  The workers do the same once an hour, as the settings say; deleted is deleted, so think of
    `arena tournament export ID FILE.zip` or `arena backup` before.

    \b
    Examples:
      arena db prune
      arena db prune --records-days 365 --output-days 7
    """
    given = settings()
    keep = Keep(
        given.keep_records_days if records_days is None else records_days,
        given.keep_output_days if output_days is None else output_days,
        given.keep_uploads_days if uploads_days is None else uploads_days,
    )
    with opened(data) as store:
        pruned = retention.prune(store, keep)
    if as_json:
        print_json({"records": pruned.records, "outputs": pruned.outputs, "uploads": pruned.uploads})
    else:
        click.echo(
            f"deleted: {pruned.records} records, {pruned.outputs} outputs of bots, {pruned.uploads} uploads"
        )
