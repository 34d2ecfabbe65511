"""`arena backup`: the whole store in one file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.support.progress_bar import counting
from arena.cli.support.store_option import data_option, json_option, opened, print_json
from arena.operations import backup


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@json_option
def command(file: Path, *, data: Path | None, as_json: bool) -> None:
    """Write the whole store into FILE, as it is at this moment; the arena may go on.

    The same for SQLite and PostgreSQL, so that `arena restore` also moves an arena from one to the other.  Only you may
    read FILE: it has secrets of tournaments that run, and the hashes of passwords.  One of that name is replaced when the new one is whole.

    \b
    Examples:
      arena backup arena-2026-05-01.zip
      ARENA_DATABASE_URL=postgresql://arena@localhost/arena arena backup /backups/arena.zip
    """
    with opened(data) as store, counting("rows") as progress:
        manifest = backup.write(store, file, progress)
    if as_json:
        print_json({"file": str(file), "bytes": file.stat().st_size, **asdict(manifest)})
    else:
        size = file.stat().st_size / 1e6
        click.echo(f"{file}: {manifest.rows} rows, {size:.1f} MB, schema {manifest.schema}")
