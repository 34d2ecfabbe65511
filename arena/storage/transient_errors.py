"""Which errors of a database pass by themselves, so that the same transaction may succeed when it is tried again."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

_CLASSES = ("08", "40", "53")
"""PostgreSQL: connection exceptions, transaction rollback (deadlock, serialization), insufficient resources
(https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
_STATES = frozenset(
    {
        "25P03",  # idle_in_transaction_session_timeout: this process was idle within a transaction
        "25P04",  # transaction_timeout
        "55P03",  # lock_timeout
        "57014",  # statement_timeout, or an operator has cancelled the statement
        "57P01",  # the server is being stopped, or an operator has ended the session
        "57P02",  # the server crashed
        "57P03",  # the server is starting
        "57P05",  # idle_session_timeout
    }
)
_SQLITE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)
_PRIMARY = 0xFF
"""SQLite's extended codes have the primary one in their lowest byte (https://sqlite.org/rescode.html)."""


def is_locked(error: BaseException | None) -> bool:
    """Return whether PostgreSQL ended a statement since it waited too long for a lock."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == "55P03"


def is_transient(error: BaseException) -> bool:
    """Return whether an error is one that passes: the database was away, busy, full, or ended our transaction."""
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return code is not None and code & _PRIMARY in _SQLITE
    state = getattr(cause, "sqlstate", None)
    if state is None:  # libpq could not connect, or lost the connection, before the server said anything
        return any(kind.__name__ == "OperationalError" for kind in type(cause).__mro__)
    return state in _STATES or state.startswith(_CLASSES)
