"""`arena backup restore`: a store from a backup."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.support.json_output import json_option, print_result
from arena.cli.support.progress_bar import counting
from arena.cli.support.store_option import data_option
from arena.core.settings import database_url
from arena.operations.restore import restore
from arena.storage.engine import parse, shown
from arena.storage.migration_chain import head


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@json_option
def command(file: Path, *, data: Path | None, as_json: bool) -> None:
    """Make a new store from a backup, all of it or nothing.

    The store must be new: not there, or as `arena db upgrade` makes it.  FILE is checked first, from the first byte to the
    last.  If it is of an older schema, the store is brought to this version's in the same go.

    \b
    Examples:
      arena backup restore arena-2026-05-01.zip --data ~/arena-again
      ARENA_DATABASE_URL=postgresql://arena@localhost/arena arena backup restore arena-2026-05-01.zip
    """
    url = database_url(data)
    with counting("rows") as progress:
        manifest = restore(url, file, progress)
    store = shown(parse(url))
    print_result(
        {"store": store, "schema_now": head(), **asdict(manifest)},
        f"{store}: {manifest.rows} rows from {file}, schema {head()}",
        as_json=as_json,
    )
