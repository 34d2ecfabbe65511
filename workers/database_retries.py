"""Trying again what a database refused for a reason that passes.

Everything that a worker stores may be stored twice without harm: results by their unique key, failures by their
attempt, absences by their key.
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

_PATIENCE_S = 30.0
"""How long one write is tried: a database that is started again is back before."""
_FIRST_PAUSE_S = 0.1
_MAX_PAUSE_S = 2.0


def retry(context: Context, deed: Callable[[], T]) -> T:
    """Do something with the store, again as long as it fails for a reason that passes; for a thread that may wait.

    Raises DBAPIError, at the latest when the worker is to stop.
    """
    until = time.monotonic() + _PATIENCE_S
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            result = deed()
        except DBAPIError as error:
            if not is_transient(error):
                raise
            context.lose_database(error)
            if context.stopping or time.monotonic() >= until:
                raise
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _MAX_PAUSE_S)
        else:
            context.database.end()
            return result
