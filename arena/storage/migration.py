"""Migrations: the one way by which a schema changes."""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from arena.games import registry
from arena.storage.diagnosis import cause, explain
from arena.storage.engine import WRITES, check_foreign_keys, connect, parse, shown, sqlite_file
from arena.storage.store_errors import (
    MigrationFailed,
    StoreNeedsGame,
    StoreNewer,
    StoreOlder,
    StoreUnreachable,
)

if TYPE_CHECKING:
    from alembic.config import Config

_SCRIPTS = "arena.storage:migrations"
"""Where Alembic finds the migrations: in the installed package."""

_VERSION_TABLE = "alembic_version"
_REVISIONS = re.compile(r'^(revision|down_revision) = "(\w+)"$', re.MULTILINE)

_LOCK = 0x626F745F6172656E
"""Key of PostgreSQL's advisory lock: `bot_aren` in ASCII."""


Progress = Callable[[int, int], None]
"""Told how many rows have been rewritten, and of how many, by migrations that take long."""


def _ignore(_done: int, _total: int) -> None:
    """Show no progress."""


def upgrade(url: str, progress: Progress = _ignore) -> str | None:
    """Bring the store at a URL to this version's schema; make it, if there is none.  Safe to call at any time.

    Only one process migrates at a time; an SQLite file is copied beside itself first.  All of it is one transaction: what was
    killed is as it was before.  Return the revision that the store had before, None if it was new.  Raises UsageError,
    StoreUnreachable, StoreNewer or MigrationFailed.
    """
    parsed = parse(url)
    with alone(parsed) as connection:
        current = revision(parsed, connection)
        if current == head():
            return current
        file = sqlite_file(parsed)
        if file is not None and current is not None:
            _copy(file, file.with_name(f"{file.name}.{current}"))
        migrate(parsed, connection, head(), progress)
        connection.commit()
        return current


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
        with _locked(file.with_name(f"{file.name}.lock")), _connection(url, foreign_keys=False) as connection:
            yield connection
    except OSError as error:
        raise StoreUnreachable(
            f"store {file}: {error.strerror}; name a directory that can be written"
        ) from error


def migrate(url: URL, connection: Connection, target: str, progress: Progress = _ignore) -> None:
    """Bring a schema to a revision, in a transaction that is the caller's.  Raises MigrationFailed."""
    from alembic.command import upgrade as run_migrations  # noqa: PLC0415 - only who migrates needs it: 8 MB

    config = _config(_SCRIPTS)
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
    """Check that a store is there, has this version's schema, and only games that are installed.

    Raises StoreUnreachable, StoreOlder, StoreNewer or StoreNeedsGame.
    """
    file = sqlite_file(url)
    if file is not None and not file.exists():
        raise StoreOlder(f"store {file}: not there yet; `arena up` or `arena db upgrade` makes it")
    with _connection(url) as connection:
        current = revision(url, connection)
        if current != head():
            raise StoreOlder(
                f"store {shown(url)}: its schema is {current or 'empty'}, this version needs {head()}; run `arena db upgrade`"
            )
        games = connection.execute(text("SELECT DISTINCT game FROM tournament")).scalars().all()
    for game in sorted(games):
        if not registry.is_known(game):
            raise StoreNeedsGame(
                f"store {shown(url)}: has tournaments of the game {game!r}, which is not installed; install its package again"
            )


def head() -> str:
    """Name the newest revision of the schema."""
    return _revisions(_SCRIPTS)[0]


def known(name: str) -> bool:
    """Return whether a revision is one that this version knows."""
    return name in _revisions(_SCRIPTS)


@lru_cache
def _revisions(scripts: str) -> tuple[str, ...]:
    """Name the revisions that this version knows, the newest first: each names the one before it."""
    package, _, folder = scripts.partition(":")
    place = files(package) / folder if folder else Path(scripts)
    after: dict[str | None, str] = {}
    for script in (place / "versions").iterdir():
        if script.name.endswith(".py"):
            names = dict(_REVISIONS.findall(script.read_text(encoding="utf-8")))
            after[names.get("down_revision")] = names["revision"]
    chain: list[str] = []
    while (name := after.get(chain[0] if chain else None)) is not None:
        chain.insert(0, name)
    return tuple(chain)


def _config(scripts: str) -> Config:
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", scripts)
    config.set_main_option("path_separator", "os")
    return config


def revision(url: URL, connection: Connection) -> str | None:
    """Name the revision of a store's schema, None if it has none.  Raises StoreNewer."""
    current = _current(connection)
    if current is not None and not known(current):
        raise StoreNewer(
            f"store {shown(url)}: its schema {current} is of a newer version; update Bot Arena, or use other data"
        )
    return current


def _current(connection: Connection) -> str | None:
    """Read the revision where Alembic has written it."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return None
    name: str | None = connection.scalar(text(f"SELECT version_num FROM {_VERSION_TABLE}"))  # noqa: S608 - ours
    return name


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


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


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
