"""Connections to the database: SQLite in WAL mode by default, PostgreSQL by URL.

SQLite's driver leaves transactions alone; a read begins with BEGIN, a write with BEGIN IMMEDIATE, so that two
writers queue up at the start instead of failing at the end (https://sqlite.org/lang_transaction.html).

PostgreSQL gets limits on how long others may wait for a client that is stuck, or whose machine is gone: for TCP
alone that is two hours (https://www.postgresql.org/docs/current/runtime-config-client.html).
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

from arena.core.errors import UsageError

WRITES = "arena_writes"
"""Execution option of a connection whose transactions write."""

BUSY_TIMEOUT_MS = 30_000
_CONNECT_TIMEOUT_S = 5
_PING_AFTER_S = 5
_PING_EVERY_S = 2
_MAX_PINGS_LOST = 3
_UNACKNOWLEDGED_S = 10
"""After this time without an acknowledgement of what was sent a connection is given up, on both sides."""
_IDLE_S = 10
"""Seconds that a writing transaction may be idle: then the server ends it and frees its locks."""
_IDLE_READING_S = 600
"""Bounds a transaction that reads: it blocks only a change of the schema."""
_LOCK_S = 20
"""Seconds to wait for a lock: longer than an idle transaction may hold it."""

KEPT_CONNECTIONS = 5
"""Connections to PostgreSQL that a process keeps open once it has needed them at the same time."""

READS = "arena_reads"
"""Execution option of a connection whose transactions only read."""

_POSTGRESQL = ("postgres", "postgresql", "postgresql+psycopg")


def parse(url: str) -> URL:
    """Read the URL of a store.  Raises UsageError where it is none that we can use."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        scheme, found, _ = url.partition("://")  # the rest may have a password, wherever it is
        raise UsageError(
            f"database URL {f'{scheme}://…' if found else '…'}: must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE"
        ) from None
    if parsed.drivername in _POSTGRESQL:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername == "sqlite" and parsed.database and parsed.database != ":memory:":
        return parsed
    raise UsageError(
        f"database URL {parsed.render_as_string()}: must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE"
    )


def sqlite_file(url: URL) -> Path | None:
    """Return the file of an SQLite URL, None for a server."""
    return Path(url.database or "") if url.drivername == "sqlite" else None


def shown(url: URL) -> str:
    """Write a URL for a message: without its password."""
    file = sqlite_file(url)
    return url.render_as_string(hide_password=True) if file is None else f"sqlite:///{file}"


def connect(url: URL, *, foreign_keys: bool = True, unlimited: bool = False, name: str = "") -> Engine:
    """Make the engine of a store; nothing is opened yet.  PostgreSQL shows its connections under a name.

    With `unlimited`, PostgreSQL sets no limit on idle transactions and on waiting for locks: a migration needs that.
    SQLite changes some tables by creating new ones, and takes the old one's rows for deleted: not while it checks
    `foreign_keys`, and that cannot be changed inside of a transaction (https://sqlite.org/lang_altertable.html).
    """
    if sqlite_file(url) is None:
        arguments = _postgresql_arguments(url, unlimited=unlimited)
        if name:
            arguments["application_name"] = name
        engine = create_engine(url, pool_size=KEPT_CONNECTIONS, pool_pre_ping=True, connect_args=arguments)
        event.listen(engine, "begin", _begin_reading)
        return engine
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_MS / 1000})
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
        """Return a number that is another one after each commit.  Raises OperationalError."""
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


def _postgresql_arguments(url: URL, *, unlimited: bool) -> dict[str, object]:
    """Return the options for libpq; those in the operator's URL take precedence."""
    session = {
        "idle_in_transaction_session_timeout": 0 if unlimited else _IDLE_S * 1000,
        "lock_timeout": 0 if unlimited else _LOCK_S * 1000,
        "tcp_keepalives_idle": _PING_AFTER_S,
        "tcp_keepalives_interval": _PING_EVERY_S,
        "tcp_keepalives_count": _MAX_PINGS_LOST,
        "tcp_user_timeout": _UNACKNOWLEDGED_S * 1000,
    }
    operators = url.query.get("options", ())
    options = [
        *(f"-c {name}={value}" for name, value in session.items()),
        *((operators,) if isinstance(operators, str) else operators),  # the last one holds
    ]
    client = {
        "connect_timeout": _CONNECT_TIMEOUT_S,
        "keepalives": 1,
        "keepalives_idle": _PING_AFTER_S,
        "keepalives_interval": _PING_EVERY_S,
        "keepalives_count": _MAX_PINGS_LOST,
        "tcp_user_timeout": _UNACKNOWLEDGED_S * 1000,
    }
    given = {name: value for name, value in client.items() if name not in url.query}
    return {**given, "options": " ".join(options)}


def _begin_reading(connection: Connection) -> None:
    if connection.get_execution_options().get(READS, False):
        connection.exec_driver_sql(
            f"SET LOCAL idle_in_transaction_session_timeout = {_IDLE_READING_S * 1000}"
        )


def _prepare(foreign_keys: bool, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:  # noqa: FBT001 - bound by `connect`
    connection.isolation_level = None  # sqlite3: transactions are begun by us
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "journal_mode = WAL",
        "synchronous = NORMAL",
        f"foreign_keys = {'ON' if foreign_keys else 'OFF'}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
