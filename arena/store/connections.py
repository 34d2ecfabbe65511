"""Connections to the database: SQLite in WAL mode by default, PostgreSQL by URL.

SQLite's driver is told to leave transactions alone; a read begins with BEGIN, a write with BEGIN IMMEDIATE, so that two
writers queue up at the start instead of failing at the end (https://sqlite.org/lang_transaction.html).
"""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path
from threading import Lock

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, IntegrityError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from arena.errors import UsageError

WRITES = "arena_writes"
"""Execution option of a connection whose transactions write."""

_BUSY_TIMEOUT_MS = 30_000
_CONNECT_TIMEOUT_S = 5
_POSTGRESQL = ("postgres", "postgresql", "postgresql+psycopg")


def parse(url: str) -> URL:
    """Read the URL of a store.  Raises UsageError where it is none that we can use."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError(
            f"database URL {url!r}: must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE"
        ) from None
    if parsed.drivername in _POSTGRESQL:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername == "sqlite" and parsed.database and parsed.database != ":memory:":
        return parsed
    raise UsageError(
        f"database URL {parsed.render_as_string()}: must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE"
    )


def sqlite_file(url: URL) -> Path | None:
    """Give the file of an SQLite URL, None for a server."""
    return Path(url.database or "") if url.drivername == "sqlite" else None


def shown(url: URL) -> str:
    """Write a URL for a message: without its password."""
    return url.render_as_string(hide_password=True)


def connect(url: URL, *, foreign_keys: bool = True) -> Engine:
    """Make the engine of a store; nothing is opened yet.

    SQLite changes some tables by making them anew, and takes the old one's rows for deleted: not while it checks
    `foreign_keys`, and that cannot be changed inside of a transaction (https://sqlite.org/lang_altertable.html).
    """
    if sqlite_file(url) is None:
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": _CONNECT_TIMEOUT_S})
    engine = create_engine(url, connect_args={"timeout": _BUSY_TIMEOUT_MS / 1000})
    event.listen(engine, "connect", partial(_prepare, foreign_keys))
    event.listen(engine, "begin", _begin)
    return engine


class Changes:
    """A connection of its own that only says whether others have committed anything (https://sqlite.org/pragma.html#pragma_data_version)."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None

    def read(self) -> int:
        """Give a number that is another one after each commit.  Raises OperationalError."""
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = sqlite3.connect(
                        self._file, isolation_level=None, check_same_thread=False
                    )
                return int(self._connection.execute("PRAGMA data_version").fetchone()[0])
            except sqlite3.Error as error:
                raise OperationalError("PRAGMA data_version", None, error) from error

    def close(self) -> None:
        """Close it."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def check_foreign_keys(connection: Connection) -> None:
    """Check what was written while foreign keys were not checked.  Raises IntegrityError."""
    if connection.dialect.name == "sqlite":
        wrong = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if wrong is not None:
            raise IntegrityError(None, None, Exception(f"a row of {wrong[0]} has no {wrong[2]}"))


def _prepare(foreign_keys: bool, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:  # noqa: FBT001 - bound by `connect`
    connection.isolation_level = None  # sqlite3: transactions are begun by us
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {_BUSY_TIMEOUT_MS}",
        "journal_mode = WAL",
        "synchronous = NORMAL",
        f"foreign_keys = {'ON' if foreign_keys else 'OFF'}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
