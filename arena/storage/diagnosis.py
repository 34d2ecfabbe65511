"""Diagnosis of a database's errors, in one line that ends with the remedy."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from arena.storage.engine import sqlite_file
from arena.storage.lock_holders import describe_holders

_LOCKED = ("database is locked", "database table is locked", "database schema is locked")
_FULL = ("database or disk is full", "No space left on device", "Disk quota exceeded")
_NOT_WRITABLE = ("readonly database", "unable to open database file", "read-only transaction")
_DAMAGED = ("file is not a database", "malformed")


def explain(url: URL, error: DBAPIError) -> str:
    """Write what the database said, and what would help."""
    said = cause(error)
    return f"{said}; {_remedy(sqlite_file(url), said)}"


def cause(error: DBAPIError) -> str:
    """Write what the database said, in one line."""
    return " ".join(str(error.orig).split())


def is_full(text: str) -> bool:
    """Return whether a database's message says that there is no room."""
    return any(words in text for words in _FULL)


def _remedy(file: Path | None, said: str) -> str:
    if is_full(said):
        return "free some space where it lies"
    if file is None:
        return "start the database, or set ARENA_DATABASE_URL to one that answers"
    if any(words in said for words in _LOCKED):
        holders = describe_holders(file)
        return f"stop {holders}, which has it locked, and try again" if holders else _UNKNOWN_HOLDER
    if any(words in said for words in _DAMAGED):
        return "move it away and bring back a backup with `arena backup restore FILE`"
    if any(words in said for words in _NOT_WRITABLE):
        return f"give this user the right to write to it and to {file.parent}"
    return f"see that the disk of {file.parent} works and can be written"


_UNKNOWN_HOLDER = "another program has it locked: stop that, and try again"
