"""`arena backup`: the whole store in one file."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError

from arena.cli.store.restore_command import command as restore
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.cli.support.progress_bar import counting
from arena.cli.support.store_option import data_option, opened_store
from arena.core.errors import UsageError
from arena.operations import backup, backup_folder, backup_verification, last_backup
from arena.storage import Store


@click.group("backup", cls=NounGroup, usual=lambda args: ["create", *args])
def command() -> None:
    """Back up the store, check backups, restore one."""


command.add_command(restore)


@command.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def verify_command(file: Path, *, as_json: bool) -> None:
    """Check a backup by restoring it into a scratch store.

    Its rows, checksums and Elo tables are compared with what was written.  The store of the arena is not touched, and need not be
    there.  The scratch store is in TMPDIR, and is removed afterwards.

    \b
    Example:
      arena backup verify /backups/arena-2026-05-01T030000Z.zip
    """
    with counting("rows") as progress:
        verified = backup_verification.verify(file, progress)
    manifest = verified.manifest
    if as_json:
        print_json({"file": str(file), **asdict(verified)})
        return
    echo(f"{file}: whole, {manifest.rows} rows, schema {manifest.schema}, {verified.elo_tables} Elo tables")
    for pool in verified.outdated:
        echo(f"{pool}: has results that came after its Elo table, which a worker computes again")


@command.command("create")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write it into this folder, named by the time, in place of FILE.",
)
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --to: when it is written, remove all but the N newest backups there.  [default: all stay]",
)
@data_option
@json_option
def create(
    file: Path | None, folder: Path | None, keep: int | None, *, data: Path | None, as_json: bool
) -> None:
    """Write the whole store into one file, while the arena runs.

    The file is the same for SQLite and PostgreSQL, so that `arena backup restore` also moves an arena from one to the other.  Only you
    may read it: it has secrets of running tournaments, and the hashes of passwords.  An existing FILE is replaced when the new one is whole.

    \b
    Examples:
      arena backup create arena-2026-05-01.zip
      arena backup create --to /backups --keep 14
      ARENA_DATABASE_URL=postgresql://arena@localhost/arena arena backup create /backups/arena.zip
    """
    if (file is None) == (folder is None):
        raise UsageError("FILE or --to DIR: give one of them, to say where the backup is to be")
    if keep is not None and folder is None:
        raise UsageError(f"--keep {keep}: needs --to DIR, the folder whose older backups it removes")
    with opened_store(data) as store, counting("rows") as progress:
        target = file or backup_folder.name_file(folder or Path(), time.time())
        began = time.time()
        manifest = backup.write(store, target, progress)
        _note(store, began)
    removed = backup_folder.remove_old(folder, keep) if folder is not None and keep is not None else []
    if as_json:
        gone = [str(each) for each in removed]
        print_json({"file": str(target), "bytes": target.stat().st_size, "removed": gone, **asdict(manifest)})
        return
    size = target.stat().st_size / 1e6
    echo(f"{target}: {manifest.rows} rows, {size:.1f} MB, schema {manifest.schema}")
    for each in removed:
        echo(f"{each}: removed, {keep} are kept")


def _note(store: Store, at: float) -> None:
    """Note the time of the backup for the status page; a store that cannot be written is no reason to fail."""
    try:
        last_backup.note(store, at)
    except SQLAlchemyError as error:
        echo(f"arena: the backup is written, but its time cannot be noted in the store: {error}", err=True)
