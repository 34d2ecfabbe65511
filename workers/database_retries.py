"""Retries of writes after transient errors of the database.

All writes of a worker are idempotent: results by their unique key, failures by their attempt, absences by their
key.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import DBAPIError

from arena.storage.transient_errors import is_transient

if TYPE_CHECKING:
    from collections.abc import Callable

    from workers.context import Context

T = TypeVar("T")

_MAX_WAIT_S = 30.0
"""Seconds for which one write is retried: a database that is restarted is back before that."""
_FIRST_PAUSE_S = 0.1
_MAX_PAUSE_S = 2.0


def retry(context: Context, operation: Callable[[], T]) -> T:
    """Run an operation on the store and return its result; retry after transient errors.  Blocks the calling thread.

    Raises DBAPIError for other errors, after _MAX_WAIT_S, or when the worker is stopping.
    """
    until = time.monotonic() + _MAX_WAIT_S
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            result = operation()
        except DBAPIError as error:
            if not is_transient(error):
                raise
            context.lose_database(error)
            if context.stopping or time.monotonic() >= until:
                raise
            context.metrics.database_retries.inc()
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _MAX_PAUSE_S)
        else:
            context.database.end()
            return result
