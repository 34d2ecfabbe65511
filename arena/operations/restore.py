"""Restoring a backup: all of it into an empty store, or nothing.

The file is read twice: once to see that it is whole, then into one transaction, in which the tables are made as they were when
it was written and brought to this version's schema afterwards.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812 - it is a class

from sqlalchemy import Connection, Integer, LargeBinary, MetaData, Table, func, insert, select, text
from sqlalchemy.exc import DBAPIError

from arena.core.errors import ArenaError, UsageError
from arena.operations.backup import FORMAT, MANIFEST, Manifest, Progress, TableFile, file_name
from arena.storage import StoreNewer
from arena.storage.diagnosis import cause
from arena.storage.engine import check_foreign_keys, parse, shown
from arena.storage.migration import SUPPORT_TABLE, VERSION_TABLE, alone, migrate, note_support, revision
from arena.storage.migration_chain import head, known

_AT_ONCE = 1000
_BYTES_AT_ONCE = 4 << 20
_CHUNK = 1 << 20
_OF_THE_SCHEMA = frozenset({VERSION_TABLE, SUPPORT_TABLE})
_OF_ITSELF = _OF_THE_SCHEMA | {"meta", "bot", "version"}
"""Tables in which a store has rows as soon as it is made: the bots of the house, and how it is run."""


class BackupDamaged(UsageError):  # noqa: N818 - it reads as a sentence
    """Raised when a file is no backup, or not whole."""


class StoreNotEmpty(UsageError):  # noqa: N818
    """Raised when a backup is to be restored into a store that is in use."""


class RestoreFailed(ArenaError):  # noqa: N818
    """Raised when the database would not take a backup; it is then as it was before."""


def restore(
    url: str,
    file: Path,
    progress: Progress = lambda _done, _total: None,
    inspect_rows: Callable[[Connection, Manifest], None] = lambda _connection, _manifest: None,
) -> Manifest:
    """Make the store at a URL what it was when the backup was written, and bring it to this version's schema.

    Progress counts each row twice, when its file is checked and when it is in; then, if the schema was older, the rows that a
    migration rewrites.  `inspect_rows` is given the rows as they were when the backup was written, before any migration.
    Raises UsageError (BackupDamaged, StoreNotEmpty among it), StoreUnreachable, StoreNewer, MigrationFailed or RestoreFailed.
    """
    parsed = parse(url)
    with _opened(file) as archive:
        manifest = _manifest(file, archive)
        _check_tables(file, archive, manifest, progress)
        with alone(parsed) as connection:
            current = revision(connection)
            if current is not None:
                _check_known(shown(parsed), current)
                _clear(connection, shown(parsed))
            migrate(parsed, connection, manifest.schema)
            try:
                _fill(connection, file, archive, manifest, progress)
                check_foreign_keys(connection)
                inspect_rows(connection, manifest)
            except DBAPIError as error:
                raise RestoreFailed(f"store {shown(parsed)}: {cause(error)}; nothing was changed") from error
            migrate(parsed, connection, head(), progress)
            note_support(connection, head())
            connection.commit()
    return manifest


@contextmanager
def _opened(file: Path) -> Iterator[ZipFile]:
    try:
        with ZipFile(file) as archive:
            yield archive
    except (BadZipFile, ZlibError, EOFError) as error:
        raise damaged(file, str(error)) from error
    except OSError as error:
        raise UsageError(
            f"{file}: {error.strerror or error}; name a file that `arena backup create` wrote"
        ) from error


def damaged(file: Path, what: str) -> BackupDamaged:
    """Return the error for a file that is no whole backup."""
    return BackupDamaged(f"{file}: {what}; nothing was restored, take another backup")


def _manifest(file: Path, archive: ZipFile) -> Manifest:
    """Read what a backup says that it has.  Raises BackupDamaged, UsageError."""
    try:
        document = json.loads(archive.read(MANIFEST))
        tables = tuple(
            TableFile(each["name"], tuple(each["columns"]), int(each["rows"]), each["sha256"])
            for each in document["tables"]
        )
        manifest = Manifest(
            document["format"], document["arena"], document["schema"], document["created_at"], tables
        )
    except (KeyError, TypeError, ValueError):
        raise damaged(file, f"it has no {MANIFEST} of a backup") from None
    if manifest.format != FORMAT:
        raise UsageError(f"{file}: its format is {manifest.format!r}; this version reads {FORMAT}")
    if not known(manifest.schema):
        raise UsageError(
            f"{file}: its schema {manifest.schema} is of Bot Arena {manifest.arena}, which is newer; update Bot Arena"
        )
    return manifest


def _check_tables(file: Path, archive: ZipFile, manifest: Manifest, progress: Progress) -> None:
    """Read all tables and compare them with the manifest.  Raises BackupDamaged."""
    done = 0
    for table in manifest.tables:
        digest, rows = sha256(), 0
        try:
            lines = archive.open(file_name(table.name))
        except KeyError:
            raise damaged(file, f"it lacks table {table.name}") from None
        with lines:
            while data := lines.read(_CHUNK):
                digest.update(data)
                rows += data.count(b"\n")
                progress(done + rows, 2 * manifest.rows)
        if (rows, digest.hexdigest()) != (table.rows, table.sha256):
            raise damaged(file, f"table {table.name} is not what was written")
        done += rows


def _check_known(store: str, current: str) -> None:
    """Check that a store is not one of a newer release.  Raises StoreNewer."""
    if not known(current):
        raise StoreNewer(
            f"store {store}: its schema {current} is of a newer version; update Bot Arena, or restore into a new one"
        )


def _clear(connection: Connection, store: str) -> None:
    """Take the tables of a store away in which nothing has happened yet.  Raises StoreNotEmpty."""
    present = MetaData()
    present.reflect(connection)
    used = [table.name for table in present.sorted_tables if _in_use(connection, table)]
    if used:
        raise StoreNotEmpty(
            f"store {store}: is in use, there are rows in {', '.join(used)}; restore into a new one, nothing was changed"
        )
    present.drop_all(connection)


def _in_use(connection: Connection, table: Table) -> bool:
    query = select(func.count()).select_from(table)
    if table.name == "bot":
        query = query.where(table.c.house.is_(False))
    elif table.name in _OF_ITSELF:
        return False
    return connection.execute(query).scalar_one() > 0


def _fill(
    connection: Connection, file: Path, archive: ZipFile, manifest: Manifest, progress: Progress
) -> None:
    """Put all rows into the tables, which are as they were when the backup was written."""
    made = MetaData()
    made.reflect(connection)
    expected = {
        name: set(table.columns.keys()) for name, table in made.tables.items() if name not in _OF_THE_SCHEMA
    }
    if expected != {table.name: set(table.columns) for table in manifest.tables}:
        raise damaged(file, f"its tables are not those of schema {manifest.schema}")
    done = manifest.rows
    files = {each.name: each for each in manifest.tables}
    for table in made.sorted_tables:
        if table.name in _OF_THE_SCHEMA:
            continue
        for rows in _batches(archive, table, files[table.name]):
            connection.execute(insert(table), rows)
            done += len(rows)
            progress(done, 2 * manifest.rows)
        if connection.dialect.name == "postgresql":
            _reset_sequence(connection, table)


def _batches(archive: ZipFile, table: Table, written: TableFile) -> Iterator[list[dict[str, Any]]]:
    """Read a table's rows, a few megabytes at a time."""
    binary = {name for name in written.columns if isinstance(table.c[name].type, LargeBinary)}
    rows: list[dict[str, Any]] = []
    size = 0
    with BufferedReader(archive.open(file_name(table.name)), _CHUNK) as lines:  # type: ignore[type-var]
        for line in lines:
            row = dict(zip(written.columns, json.loads(line), strict=True))
            for name in binary:
                row[name] = None if row[name] is None else b64decode(row[name])
            rows.append(row)
            size += len(line)
            if len(rows) >= _AT_ONCE or size >= _BYTES_AT_ONCE:
                yield rows
                rows, size = [], 0
    if rows:
        yield rows


def _reset_sequence(connection: Connection, table: Table) -> None:
    """Set PostgreSQL's sequence after the rows that are there; SQLite does so by itself."""
    if "id" not in table.c or not isinstance(table.c.id.type, Integer):
        return
    quoted = connection.dialect.identifier_preparer.format_table(table)
    sequence = connection.execute(
        text("SELECT pg_get_serial_sequence(:name, 'id')"), {"name": quoted}
    ).scalar_one()
    if sequence is not None:
        last = connection.execute(select(func.max(table.c.id))).scalar_one()
        connection.execute(select(func.setval(sequence, last or 1, last is not None)))
