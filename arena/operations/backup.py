"""Backups: the whole store in one file, the same for SQLite and PostgreSQL, written while the arena runs.

    manifest.json          format, schema, and of each table: columns, number of rows, SHA-256 of its file
    tables/<table>.jsonl   one row a line, an array in the order of the columns, by primary key; bytes as base64

A zip.  All of it is of one moment: one transaction that only reads (SQLite's write-ahead log; REPEATABLE READ of PostgreSQL).
It has what the store has, secrets and the hashes of passwords too, so only its owner may read it.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import Connection, LargeBinary, Select, String, Table, func, select, text

from arena.core.errors import ArenaError, UsageError
from arena.core.release import release
from arena.storage import Store
from arena.storage.migration import revision
from arena.storage.migration_chain import head, known
from arena.storage.schema import Base

FORMAT = "arena-backup/1"
MANIFEST = "manifest.json"
Progress = Callable[[int, int], None]
"""Callback with the rows done and their total."""

_AT_ONCE = 1000
_BYTES_AT_ONCE = 100
_LARGE = frozenset({"bundle", "weights_part"})
"""Tables whose rows are up to 20 MB each, or 1 MB and many, and are read one by one."""
_LEVEL = 1
"""Deflate's: records are compressed already, and most of what is left to gain is base64."""
_NO_TIME = (1980, 1, 1, 0, 0, 0)


class BackupFailed(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a backup cannot be written; a previous file in its place is left unchanged."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table in a backup."""

    name: str
    columns: tuple[str, ...]
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Contents of a backup: `arena` is the version that wrote it, `schema` the revision of the store's tables."""

    format: str
    arena: str
    schema: str
    created_at: float
    tables: tuple[TableFile, ...]

    @property
    def rows(self) -> int:
        """Count the rows of all tables."""
        return sum(table.rows for table in self.tables)


def file_name(table: str) -> str:
    """Name a table's file inside of a backup."""
    return f"tables/{table}.jsonl"


def write(store: Store, file: Path, progress: Progress = lambda _done, _total: None) -> Manifest:
    """Write the store down as it is at this moment; a file of that name is replaced when the new one is whole.

    Raises BackupFailed, UsageError.
    """
    if file.is_dir():
        raise UsageError(f"{file}: is a folder; name the file that the backup is to be")
    try:
        with _draft(file) as target, store.read() as session:
            connection = session.connection()
            if store.dialect == "postgresql":
                connection.execute(text("SET TRANSACTION READ ONLY"))
                # However slow the disk of the backup is, it must not delay other processes.
                connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            _check_known(file, revision(connection))
            return _write(connection, target, progress)
    except OSError as error:
        raise BackupFailed(
            f"{file}: {error.strerror or error}; name a file in a folder that can be written and has room"
        ) from error


def _check_known(file: Path, schema: str | None) -> None:
    """Check that no newer release has added something that would be left out.  Raises BackupFailed."""
    if schema is None or not known(schema):
        raise BackupFailed(
            f"{file}: the store's schema {schema} is of a newer version, which has added to it; back it up with that one"
        )


@contextmanager
def _draft(file: Path) -> Iterator[IO[bytes]]:
    """Write to a private temporary file, and rename it to its place when all of it is on the disk.

    The next backup overwrites what a killed one left.
    """
    draft = file.with_name(f".{file.name}.part")
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "r+b") as target:
        try:
            fcntl.flock(target, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{file}: another backup is being written to it; wait for its end") from None
        try:
            os.fchmod(descriptor, 0o600)
            target.truncate()
            yield target
            target.flush()
            os.fsync(descriptor)
            draft.replace(file)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def _write(connection: Connection, target: IO[bytes], progress: Progress) -> Manifest:
    tables = Base.metadata.sorted_tables
    total = sum(connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables)
    done = 0
    files: list[TableFile] = []
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for table in tables:
            columns = tuple(column.name for column in table.columns)
            digest, rows = sha256(), 0
            with archive.open(_info(file_name(table.name)), "w", force_zip64=True) as lines:
                for part in _parts(connection, table, columns):
                    data = _lines(part)
                    digest.update(data)
                    lines.write(data)
                    rows += len(part)
                    progress(done + rows, total)
            done += rows
            files.append(TableFile(table.name, columns, rows, digest.hexdigest()))
        manifest = Manifest(FORMAT, release(), head(), time.time(), tuple(files))
        archive.writestr(_info(MANIFEST), json.dumps(asdict(manifest), indent=1))
    return manifest


def summarise(connection: Connection, table: Table, columns: Sequence[str]) -> TableFile:
    """Return what a backup's manifest would say of a table with these columns."""
    digest, rows = sha256(), 0
    for part in _parts(connection, table, columns):
        digest.update(_lines(part))
        rows += len(part)
    return TableFile(table.name, tuple(columns), rows, digest.hexdigest())


def _parts(
    connection: Connection, table: Table, columns: Sequence[str]
) -> Iterator[list[tuple[object, ...]]]:
    """Read a table, few rows at a time where they are large."""
    has_bytes = any(isinstance(column.type, LargeBinary) for column in table.columns)
    at_once = 1 if table.name in _LARGE else _BYTES_AT_ONCE if has_bytes else _AT_ONCE
    found = connection.execution_options(yield_per=at_once).execute(_in_order(connection, table, columns))
    for part in found.partitions():
        yield [tuple(row) for row in part]


def _in_order(connection: Connection, table: Table, columns: Sequence[str]) -> Select[tuple[object, ...]]:
    """Ask for all rows by primary key, in the same order on both databases."""
    query = select(*(table.c[name] for name in columns))
    if connection.dialect.name == "sqlite":
        return query.order_by(*table.primary_key)
    order = (each.collate("C") if isinstance(each.type, String) else each for each in table.primary_key)
    return query.order_by(*order)


def _lines(rows: Iterable[tuple[object, ...]]) -> bytes:
    """Write rows as a backup has them: a line for each."""
    return "".join(
        json.dumps(row, separators=(",", ":"), ensure_ascii=False, default=_base64) + "\n" for row in rows
    ).encode()


def _base64(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    raise TypeError(f"{value!r} has no place in a backup")


def _info(name: str) -> ZipInfo:
    info = ZipInfo(name, _NO_TIME)
    info.compress_type = ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info
