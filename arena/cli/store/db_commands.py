"""`arena db`: the store's schema and size, and how long records are kept."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.support import terminal_tables
from arena.cli.support.json_output import json_option, print_json, print_result
from arena.cli.support.output import echo
from arena.cli.support.progress_bar import counting
from arena.cli.support.store_option import data_option, opened_store
from arena.competition import retention
from arena.competition.retention import RetentionPolicy
from arena.core.settings import database_url, settings
from arena.storage import Store
from arena.storage.engine import parse, shown
from arena.storage.migration import contract, revision, upgrade
from arena.storage.migration_chain import after, known
from arena.storage.table_sizes import table_sizes
from arena.supervisor.demo_tournaments import move_in


@click.group("db")
def command() -> None:
    """Upgrade the store, show its size, delete old records."""


@command.command("upgrade")
@data_option
@json_option
def upgrade_command(*, data: Path | None, as_json: bool) -> None:
    """Create the store, or migrate it to this release's schema.

    Parts of the release before go on working, unless the changelog says that they have to be stopped; what they need and this
    version does not is removed by `arena db contract`.  An SQLite file is copied first, under the name of its
    old schema.  The house bots of this release are registered in it too.  A store that has this schema already is not changed.

    \b
    Examples:
      arena db upgrade
      ARENA_DATABASE_URL=postgresql://arena@localhost/arena arena db upgrade
    """
    url = database_url(data)
    with counting("records") as progress:
        before = upgrade(url, progress)
    with opened_store(data) as store:
        move_in(store, demo=False)
        now = _schema(store)
    _say_schema(url, before, now, as_json=as_json)
    if not as_json and now is not None and known(now) and after(now):
        echo("What only older versions need is still there: `arena db contract` removes it when none runs")


def _schema(store: Store) -> str | None:
    with store.read() as session:
        return revision(session.connection())


def _say_schema(url: str, before: str | None, now: str | None, *, as_json: bool) -> None:
    if as_json:
        print_json({"store": shown(parse(url)), "before": before, "schema": now})
    elif before == now:
        echo(f"{shown(parse(url))}: has schema {before} already")
    else:
        echo(f"{shown(parse(url))}: schema {now}, {'new' if before is None else f'before {before}'}")


@command.command("contract")
@data_option
@json_option
def contract_command(*, data: Path | None, as_json: bool) -> None:
    """Remove from the store what only older releases need.

    It is refused as long as a program of such a version has the store open, and names it; afterwards these versions refuse the
    store.  An SQLite file is copied first, under the name of its old schema.

    \b
    Example:
      arena db contract
    """
    url = database_url(data)
    with counting("records") as progress:
        before = contract(url, progress)
    with opened_store(data) as store:
        now = _schema(store)
    _say_schema(url, before, now, as_json=as_json)


@command.command("sizes")
@data_option
@json_option
def sizes_command(*, data: Path | None, as_json: bool) -> None:
    """Show the size of each table, and what a match takes.

    Sizes are with indexes.  Of an SQLite file it reads every page, which takes a while if it is large.

    \b
    Example:
      arena db sizes
    """
    with opened_store(data) as store:
        sizes = table_sizes(store)
    print_result({"tables": [asdict(size) for size in sizes]}, terminal_tables.sizes(sizes), as_json=as_json)


@command.command("prune")
@click.option(
    "--records-days",
    type=click.FloatRange(min=0),
    metavar="N",
    help="Days to keep records after a tournament; 0 is for ever.  [default: ARENA_KEEP_RECORDS_DAYS]",
)
@click.option(
    "--output-days",
    type=click.FloatRange(min=0),
    metavar="N",
    help="Days to keep what bots printed.  [default: ARENA_KEEP_OUTPUT_DAYS]",
)
@click.option(
    "--uploads-days",
    type=click.FloatRange(min=0),
    metavar="N",
    help="Days to keep uploads that no version needs.  [default: ARENA_KEEP_UPLOADS_DAYS]",
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
    """Delete old records, output of bots, and uploads.

    Results, ratings and sums stay.  The workers do the same once an hour, as the settings say; deleted is deleted, so think of
    `arena tournament export ID FILE.zip` or `arena backup` before.

    \b
    Examples:
      arena db prune
      arena db prune --records-days 365 --output-days 7
    """
    given = settings()
    keep = RetentionPolicy(
        given.keep_records_days if records_days is None else records_days,
        given.keep_output_days if output_days is None else output_days,
        given.keep_uploads_days if uploads_days is None else uploads_days,
    )
    with opened_store(data) as store:
        pruned = retention.prune(store, keep)
    print_result(
        {"records": pruned.records, "outputs": pruned.outputs, "uploads": pruned.uploads},
        f"deleted: {pruned.records} records, {pruned.outputs} outputs of bots, {pruned.uploads} uploads",
        as_json=as_json,
    )
