"""Outages, logged once when they begin and once when they end."""

from __future__ import annotations

import logging
import time

_log = logging.getLogger(__name__)


class Outage:
    """Whether a service is unavailable.  Threads may share it: at worst a line is logged twice."""

    def __init__(self, subject: str, level: int = logging.WARNING) -> None:
        """`subject` is what the log calls it, such as `referee play1:7001`; `level` is that of the first line."""
        self._subject = subject
        self._level = level
        self._since: float | None = None

    @property
    def lasts(self) -> bool:
        """Whether the service is unavailable now."""
        return self._since is not None

    def begin(self, reason: object) -> None:
        """Record that the service is unavailable, and why."""
        if self._since is None:
            self._since = time.monotonic()
            words = " ".join(str(reason).split()).removeprefix(f"{self._subject}: ")
            _log.log(self._level, "%s is away: %s", self._subject, words)

    def end(self, more: str = "") -> None:
        """Record that the service is available."""
        if self._since is not None:
            _log.info("%s is there again after %.1f s%s", self._subject, time.monotonic() - self._since, more)
            self._since = None
