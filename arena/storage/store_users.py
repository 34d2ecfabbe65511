"""Which programs have a store open, by the schema that they were written for, so that nothing is removed that one still needs.

PostgreSQL lists its connections, and each of ours is named for its schema.  An SQLite file has a companion file with
locks, in which each program locks the byte of its schema's place in the chain of migrations, together with others.  Both
end with the process, however it ends; what Bot Arena 0.1 has open cannot be seen.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, text

from arena.core.errors import UsageError
from arena.core.release import release
from arena.storage import migration_chain

with suppress(ImportError):  # Windows has no such locks, and so no store
    import fcntl

_NAME = re.compile(r"bot-arena (?P<release>\S+) schema (?P<schema>\w+)")
_CONNECTED = text(
    "SELECT application_name, coalesce(host(client_addr), 'this machine') FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
_REMOVING_LOCK = 0x626F745F72656D76
"""Key of the advisory lock that keeps new connections waiting while something is removed: `bot_remv` in ASCII."""

_LOCK = struct.Struct("hhqqi4x")
"""`struct flock` of Linux on 64 bits: type, whence, start, length, process (fcntl(2))."""


def lock_file(store: Path) -> Path:
    """Return the file of an SQLite store's locks."""
    return store.with_name(f"{store.name}.lock")


def connection_name() -> str:
    """Name our connections to PostgreSQL: by release and schema."""
    return f"bot-arena {release()} schema {migration_chain.head()}"


def _open_locks(store: Path) -> int:
    """Open the file of an SQLite store's locks.  Raises UsageError where the system has none of that kind, and OSError."""
    if "fcntl" not in globals() or not hasattr(fcntl, "F_OFD_SETLKW"):
        raise UsageError(
            "store: an arena runs on Linux only; on other systems name an arena elsewhere, such as --arena https://arena.example.org"
        )
    return os.open(lock_file(store), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def announce(store: Path) -> int | None:
    """Announce that this process uses an SQLite store, until the descriptor is closed; wait while something is removed.

    Return None if the folder cannot be written: then no process can change the store either.
    """
    try:
        descriptor = _open_locks(store)
    except OSError:
        return None
    place = migration_chain.position(migration_chain.head())
    # The lock of an open file, not of the process, which would lose it as soon as it closes the file somewhere else.
    fcntl.fcntl(descriptor, fcntl.F_OFD_SETLKW, _LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, place, 1, 0))
    return descriptor


@contextmanager
def migrating(store: Path) -> Iterator[None]:
    """Hold off other migrations of an SQLite store."""
    lock = _open_locks(store)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@contextmanager
def kept_out(store: Path, oldest: str) -> Iterator[str]:
    """Keep programs out of an SQLite store that are older than a schema; yield what is known of those that are in it."""
    descriptor = _open_locks(store)
    try:
        older = _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, migration_chain.position(oldest), 0)
        try:
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, older)
        except OSError:
            found = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, older)
            schema = migration_chain.chain()[_LOCK.unpack(found)[2]].revision
            yield f"a program of an older release (schema {schema})"
        else:
            yield ""
    finally:
        os.close(descriptor)


def keep_out(connection: Connection, oldest: str) -> str:
    """Keep programs out of a PostgreSQL store that are older than a schema, until the end of the transaction.

    Return what is known of those that are connected: each release, schema and address.
    """
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _REMOVING_LOCK})
    found: set[str] = set()
    for name, address in connection.execute(_CONNECTED):
        told = _NAME.fullmatch(name)
        if told and _is_older(told["schema"], oldest):
            found.add(f"release {told['release']} (schema {told['schema']}) on {address}")
    return ", ".join(sorted(found))


def wait_for_removal() -> str:
    """Return the statement by which a new connection to PostgreSQL waits while something is removed."""
    return f"SELECT pg_advisory_xact_lock_shared({_REMOVING_LOCK})"


def _is_older(schema: str, oldest: str) -> bool:
    return migration_chain.known(schema) and migration_chain.position(schema) < migration_chain.position(
        oldest
    )
