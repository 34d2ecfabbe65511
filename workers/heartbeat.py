"""Signs of life of a worker process to the program that supervises it (arena/core/sd_notify.py)."""

from __future__ import annotations

import threading
import time

from arena.core import sd_notify

_EVERY_S = 1.0
_STUCK_S = 600.0
"""A worker whose work has not moved for so long shows no life any more: longer than any answer of a store or a referee takes."""


class Heartbeat:
    """A thread that tells the supervisor that this process works.

    It is a thread of its own, so that a store that does not answer, which is no fault of the worker's, does not look like a
    worker that hangs.
    """

    def __init__(self) -> None:
        self._beaten_at = time.monotonic()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._tell, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def beat(self) -> None:
        """Note that the work has moved: a job was looked for, or is being done."""
        self._beaten_at = time.monotonic()

    def close(self) -> None:
        """End."""
        self._closing.set()
        self._thread.join()

    def _tell(self) -> None:
        while not self._closing.wait(_EVERY_S):
            if time.monotonic() - self._beaten_at < _STUCK_S:
                sd_notify.tell(sd_notify.ALIVE)
