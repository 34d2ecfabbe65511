"""A reading that scrapes share: made at most once in some seconds, in a thread of its own, and waited for briefly.

So neither many scrapes nor a database that hangs cost more than one query at a time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

_FRESH_S = 5.0
"""Seconds that a reading is reused; shorter than Prometheus's usual interval of 15 s."""
_PATIENCE_S = 2.0
"""Seconds that a scrape waits for a reading; Prometheus gives up a scrape after 10 s."""

T = TypeVar("T")


class PatientReading(Generic[T]):
    """Cached result of a function.  Threads may share it."""

    def __init__(
        self, read: Callable[[], T], *, fresh_s: float = _FRESH_S, patience_s: float = _PATIENCE_S
    ) -> None:
        self._read = read
        self._fresh_s = fresh_s
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._latest: Future[T] | None = None
        self._ended_at = 0.0

    def get(self) -> T:
        """Return a reading of the last seconds.  Raises what the function raised; TimeoutError if it has not returned in time."""
        with self._lock:
            latest = self._latest
            if latest is None or (latest.done() and time.monotonic() - self._ended_at >= self._fresh_s):
                latest = self._latest = Future()
                threading.Thread(target=self._run, args=(latest,), name="reading", daemon=True).start()
        return latest.result(self._patience_s)

    def _run(self, reading: Future[T]) -> None:
        try:
            found = self._read()
        except Exception as error:  # noqa: BLE001 - it is raised to those who ask
            self._ended_at = time.monotonic()
            reading.set_exception(error)
        else:
            self._ended_at = time.monotonic()
            reading.set_result(found)
