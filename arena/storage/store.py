"""The store: where everything is read from and written to, one transaction at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from arena.storage import migration_chain, store_users
from arena.storage.cache import VersionedCache
from arena.storage.engine import READS, WRITES, Changes, connect, parse, sqlite_file
from arena.storage.migration import VERSION_TABLE, check

SEEN = "arena.seen"
"""Key of data read in a reading session (`session.info`), to be reused in it: nothing changes during it."""

_PLAN_IDLE_S = 60.0
"""A plan lists all sets of a tournament; a worker may meet hundreds of tournaments an hour, each for some seconds."""


class Store:
    """A database with a schema that this version works with; threads may share it."""

    def __init__(self, engine: Engine, announced: int | None = None) -> None:
        self._engine = engine
        self._announced = announced
        reading = engine
        if engine.dialect.name == "postgresql":
            reading = engine.execution_options(isolation_level="REPEATABLE READ", **{READS: True})
        self._reads = sessionmaker(reading, expire_on_commit=False)
        self._writing = engine.execution_options(**{WRITES: True})
        self._writes = sessionmaker(self._writing, expire_on_commit=False)
        self.url = engine.url
        file = sqlite_file(engine.url)
        self.folder = None if file is None else file.parent
        """Folder of an SQLite store; None for a server."""
        self._changes = None if file is None else Changes(file)
        self.written = 0
        """Number of writing transactions that this object has committed."""
        self.cache = VersionedCache()
        """Cache of values computed from the store, shared by all that show it."""
        self.plans = VersionedCache(idle_s=_PLAN_IDLE_S)
        """The plans of tournaments, for what plays and shows them."""

    @classmethod
    def open(cls, url: str) -> Store:
        """Open the store at a URL: `sqlite:///PATH` or `postgresql://…`.  It is never migrated here.

        Raises UsageError, StoreUnreachable, StoreOlder, StoreNewer or StoreNeedsGame.
        """
        parsed = parse(url)
        file = sqlite_file(parsed)
        announced = None if file is None or not file.exists() else store_users.announce(file)
        try:
            check(parsed)
        except BaseException:
            _withdraw(announced)
            raise
        engine = connect(parsed, name=store_users.connection_name())
        if file is None:
            event.listen(engine, "connect", partial(_check_again, parsed))
        return cls(engine, announced)

    def on_error(self, report: Callable[[BaseException], None]) -> None:
        """Have all errors of the database reported, those that are retried too.  Any thread may report."""

        def pass_on(context: ExceptionContext) -> None:
            report(context.sqlalchemy_exception or context.original_exception)

        event.listen(self._engine, "handle_error", pass_on)

    @property
    def dialect(self) -> str:
        """Name the kind of database: `sqlite` or `postgresql`."""
        return self._engine.dialect.name

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Begin a transaction that only reads: all that it sees is of one moment."""
        with self._reads() as session:
            session.info[SEEN] = {}
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Begin a transaction that writes: committed at the end of the block, rolled back by an exception."""
        with self._writes.begin() as session:
            yield session
        self.written += 1

    def version(self) -> object:
        """Return a value that changes with every commit of any process; it takes some microseconds on SQLite.

        Raises OperationalError where the database does not answer.
        """
        if self._changes is not None:
            return self._changes.read()
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            # Which transactions can be seen: equal texts see the same (PostgreSQL manual, 9.27.10).
            return connection.exec_driver_sql("SELECT pg_current_snapshot()::text").scalar()

    @contextmanager
    def write_fast(self) -> Iterator[Connection]:
        """Begin a transaction that writes as `write` does, without the ORM's session: for the hot path."""
        with self._writing.begin() as connection:
            yield connection
        self.written += 1

    @contextmanager
    def write_and_undo(self) -> Iterator[Connection]:
        """Begin a transaction that writes and is rolled back: to see whether it could."""
        with self._writing.connect() as connection, connection.begin() as transaction:
            yield connection
            transaction.rollback()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()
        if self._changes is not None:
            self._changes.close()
        _withdraw(self._announced)
        self._announced = None


def _withdraw(announced: int | None) -> None:
    if announced is not None:
        os.close(announced)


def _check_again(url: URL, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Check the schema for each connection of a running program: while it had none, something may have been removed.

    Raises StoreOlder or StoreNewer.
    """
    cursor = connection.cursor()
    try:
        cursor.execute(store_users.wait_for_removal())
        cursor.execute(f"SELECT version_num FROM {VERSION_TABLE}")  # noqa: S608 - ours
        found = cursor.fetchone()
        if found is None or found[0] != migration_chain.head():
            check(url)
    except BaseException:
        connection.close()
        raise
    connection.rollback()
