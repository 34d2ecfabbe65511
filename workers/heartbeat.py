"""The heartbeat of a worker process for its supervisor (arena/core/sd_notify.py)."""

from __future__ import annotations

import logging
import threading
import time

from arena.core import sd_notify
from arena.core.unforeseen_errors import UnforeseenErrors

_log = logging.getLogger(__name__)

_EVERY_S = 1.0
_STUCK_S = 600.0
"""A worker without progress for this long sends no heartbeat any more: longer than any answer of the store or a referee takes."""


class Heartbeat:
    """A thread that sends heartbeats to the supervisor.

    It is separate from the work, so that a worker whose store does not answer is not taken for one that hangs.
    """

    def __init__(self) -> None:
        self._progress_at = time.monotonic()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def beat(self) -> None:
        """Record progress: the worker has waited for a job, or is doing one."""
        self._progress_at = time.monotonic()

    def is_progressing(self) -> bool:
        """Return whether the worker has made progress lately."""
        return time.monotonic() - self._progress_at < _STUCK_S

    def close(self) -> None:
        """End."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        errors = UnforeseenErrors(_log)
        while True:
            if self.is_progressing():
                with errors.survive("the heartbeat"):
                    sd_notify.tell(sd_notify.ALIVE)
            if self._closing.wait(_EVERY_S):
                return
