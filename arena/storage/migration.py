"""Migrations: the one way by which a schema changes."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from arena.games import registry
from arena.storage import migration_chain, store_users
from arena.storage.diagnosis import cause, explain
from arena.storage.engine import WRITES, check_foreign_keys, connect, parse, shown, sqlite_file
from arena.storage.migration_chain import MigrationKind
from arena.storage.store_errors import (
    MigrationFailed,
    StoreInUse,
    StoreNeedsGame,
    StoreNewer,
    StoreOlder,
    StoreUnreachable,
)
from arena.storage.transient_errors import is_locked

if TYPE_CHECKING:
    from alembic.config import Config

VERSION_TABLE = "alembic_version"
SUPPORT_TABLE = "schema_support"
"""One row, written with each migration: the oldest schema whose programs may work with the store as it is.  Older releases
read it, who do not know the store's own revision.  Both tables are about the schema: no backup has them."""

_LOCK = 0x626F745F6172656E
"""Key of PostgreSQL's advisory lock: `bot_aren` in ASCII."""

_LOCK_MS = 1000
"""Milliseconds that a migration waits for a table's lock during play: later statements in the queue wait as long."""
_PAUSE_S = 1.0
_PATIENCE_S = 600.0
"""For how long it tries again: the longest reader is a backup."""

Progress = Callable[[int, int], None]
"""Told how many rows have been rewritten, and of how many, by migrations that take long."""


def _ignore(_done: int, _total: int) -> None:
    """Show no progress."""


def upgrade(url: str, progress: Progress = _ignore) -> str | None:
    """Bring the store at a URL to this release's schema, but for what older programs may still need; make it, if there is none.

    Safe to call at any time: only one process migrates at a time, and an SQLite file is first copied in its folder.  All of it
    is one transaction: what was killed is as it was before.  Return the revision that the store had before, None if it was
    new.  Raises UsageError, StoreUnreachable, StoreNewer, StoreInUse or MigrationFailed.
    """
    return _bring(parse(url), migration_chain.expanded(), progress)


def contract(url: str, progress: Progress = _ignore) -> str | None:
    """Upgrade the store at a URL, and remove what only older programs needed.  Returns and raises as `upgrade` does."""
    return _bring(parse(url), migration_chain.head(), progress)


def _bring(url: URL, target: str, progress: Progress) -> str | None:
    give_up_at = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return _bring_once(url, target, progress)
        except MigrationFailed as error:
            if not is_locked(error.__cause__) or time.monotonic() >= give_up_at:
                raise
        time.sleep(_PAUSE_S)


def _bring_once(url: URL, target: str, progress: Progress) -> str | None:
    with alone(url) as connection:
        current = revision(connection)
        if current is None:
            target = migration_chain.head()
        elif not migration_chain.known(current):
            _check_support(url, connection, current)
            return current
        elif migration_chain.position(current) >= migration_chain.position(target):
            return current
        with _without_older(url, connection, current, target):
            file = sqlite_file(url)
            if file is not None and current is not None:
                _copy(file, file.with_name(f"{file.name}.{current}"))
            migrate(url, connection, target, progress)
            note_support(connection, target)
            connection.commit()
        return current


@contextmanager
def _without_older(url: URL, connection: Connection, current: str | None, target: str) -> Iterator[None]:
    """Keep programs out for which a migration would be too much.  Raises StoreInUse where one has the store open."""
    oldest = migration_chain.works_from(target)
    file = sqlite_file(url)
    if current is None or oldest == migration_chain.works_from(current):
        _be_brief(connection)
        yield
    elif file is None:
        _refuse(url, store_users.keep_out(connection, oldest), oldest)
        yield
    else:
        with store_users.kept_out(file, oldest) as users:
            _refuse(url, users, oldest)
            yield


def _be_brief(connection: Connection) -> None:
    """Have a migration give up soon where it waits for a table, so that those who wait behind it are not held up."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL lock_timeout = {_LOCK_MS}"))


def _refuse(url: URL, users: str, oldest: str) -> None:
    if users:
        raise StoreInUse(
            f"store {shown(url)}: in use by {users}, and what comes next needs programs of schema {oldest} or newer;"
            " stop the older ones, or upgrade them first"
        )


@contextmanager
def alone(url: URL) -> Iterator[Connection]:
    """Open a store, or the place for one, in a transaction that writes; only one process at a time may change a schema.

    Nothing is kept without a commit.  SQLite does not check foreign keys meanwhile; `migrate` does at its end.
    Raises StoreUnreachable.
    """
    file = sqlite_file(url)
    if file is None:
        with _connection(url, foreign_keys=False, unlimited=True) as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            yield connection
        return
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_private(file)
        with store_users.migrating(file), _connection(url, foreign_keys=False) as connection:
            yield connection
    except OSError as error:
        raise StoreUnreachable(
            f"store {file}: {error.strerror}; name a directory that can be written"
        ) from error


def migrate(url: URL, connection: Connection, target: str, progress: Progress = _ignore) -> None:
    """Bring a schema to a revision, in a transaction that is the caller's.  Raises MigrationFailed."""
    from alembic.command import upgrade as run_migrations  # noqa: PLC0415 - only who migrates needs it: 8 MB

    config = _config(migration_chain.SCRIPTS)
    config.attributes |= {"connection": connection, "progress": progress}
    try:
        run_migrations(config, target)
        check_foreign_keys(connection)
    except MigrationFailed as error:
        raise MigrationFailed(f"store {shown(url)}: {error}") from error
    except DBAPIError as error:
        raise MigrationFailed(
            f"store {shown(url)}: {cause(error)}; nothing was changed, give the database what it lacks"
        ) from error


def check(url: URL) -> None:
    """Check that a store is there, has a schema that this release works with, and only games that are installed.

    Raises StoreUnreachable, StoreOlder, StoreNewer or StoreNeedsGame.
    """
    file = sqlite_file(url)
    if file is not None and not file.exists():
        raise StoreOlder(f"store {file}: not there yet; `arena up` or `arena db upgrade` makes it")
    with _connection(url) as connection:
        check_schema(url, connection)
        games = connection.execute(text("SELECT DISTINCT game FROM tournament")).scalars().all()
    for game in sorted(games):
        if not registry.is_known(game):
            raise StoreNeedsGame(
                f"store {shown(url)}: has tournaments of the game {game!r}, which is not installed; install its package again"
            )


def check_schema(url: URL, connection: Connection) -> None:
    """Check that this release works with the schema of a store: its own, or one not too far from it.

    Raises StoreOlder or StoreNewer.
    """
    current = revision(connection)
    if current is not None and not migration_chain.known(current):
        _check_support(url, connection, current)
    elif current is None or any(
        step.kind is not MigrationKind.CONTRACT for step in migration_chain.after(current)
    ):
        raise StoreOlder(
            f"store {shown(url)}: its schema is {current or 'empty'}, this version needs {migration_chain.expanded()}; run `arena db upgrade`"
        )


def _check_support(url: URL, connection: Connection, current: str) -> None:
    """Check that a store works with this release, whose schema is of a newer one.  Raises StoreNewer."""
    oldest: str | None = None
    if inspect(connection).has_table(SUPPORT_TABLE):
        oldest = connection.scalar(text(f"SELECT works_from FROM {SUPPORT_TABLE}"))  # noqa: S608 - ours
    if oldest is None or not migration_chain.known(oldest):
        needs = "" if oldest is None else f" and needs programs of schema {oldest} or newer"
        raise StoreNewer(
            f"store {shown(url)}: its schema {current} is of a newer version{needs}; update Bot Arena, or use other data"
        )


def note_support(connection: Connection, target: str) -> None:
    """Write down how old programs may be that work with a store at a revision, in a transaction that is the caller's."""
    connection.execute(text(f"CREATE TABLE IF NOT EXISTS {SUPPORT_TABLE} (works_from VARCHAR(32) NOT NULL)"))
    connection.execute(text(f"DELETE FROM {SUPPORT_TABLE}"))  # noqa: S608 - ours
    connection.execute(
        text(f"INSERT INTO {SUPPORT_TABLE} (works_from) VALUES (:oldest)"),  # noqa: S608 - ours
        {"oldest": migration_chain.works_from(target)},
    )


def revision(connection: Connection) -> str | None:
    """Read the revision of a store's schema where Alembic has written it; None if it has none."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    name: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608 - ours
    return name


def _config(scripts: str) -> Config:
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", scripts)
    config.set_main_option("path_separator", "os")
    return config


@contextmanager
def _connection(url: URL, *, foreign_keys: bool = True, unlimited: bool = False) -> Iterator[Connection]:
    """Open a connection of its own, in a transaction that may write; errors of the connection are in our words."""
    engine = connect(url, foreign_keys=foreign_keys, unlimited=unlimited)
    try:
        with engine.execution_options(**{WRITES: True}).connect() as connection:
            yield connection
    except DBAPIError as error:
        raise StoreUnreachable(f"store {shown(url)}: {explain(url, error)}") from error
    finally:
        engine.dispose()


def _make_private(file: Path) -> None:
    """Make an SQLite file, empty, that only this user may read; SQLite gives its other files the same mode."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _copy(source: Path, target: Path) -> None:
    """Copy an SQLite database as of its last commit, what is only in its write-ahead log included."""
    target.unlink(missing_ok=True)
    _make_private(target)
    reading, writing = sqlite3.connect(source), sqlite3.connect(target)
    try:
        reading.backup(writing)
    finally:
        writing.close()
        reading.close()
