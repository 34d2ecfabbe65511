"""Outages, logged once when they begin and once when they end."""

from __future__ import annotations

import logging
import time

from arena.messaging.redis_refusals import why_refused

_log = logging.getLogger(__name__)


class Outage:
    """Whether a service is unavailable.  Threads may share it: at worst a line is logged twice."""

    def __init__(self, subject: str, level: int = logging.WARNING) -> None:
        """`subject` is what the log calls it, such as `referee play1:7001`; `level` is that of the first line."""
        self._subject = subject
        self._level = level
        self._since: float | None = None
        self._refuses = False
        """Whether the service is a Redis that answers, and refuses writes."""

    @property
    def lasts(self) -> bool:
        """Whether the service is unavailable now."""
        return self._since is not None

    def begin(self, reason: object) -> None:
        """Record that the service is unavailable, and why."""
        if self._since is None:
            self._since = time.monotonic()
            refusal = why_refused(reason) if isinstance(reason, BaseException) else ""
            self._refuses = bool(refusal)
            if refusal:
                _log.log(self._level, "%s", refusal)
                return
            words = " ".join(str(reason).split()).removeprefix(f"{self._subject}: ")
            _log.log(self._level, "%s is away: %s", self._subject, words)

    def end(self, more: str = "") -> None:
        """Record that the service is available."""
        if self._since is not None:
            end = "takes writes again" if self._refuses else "is there again"
            _log.info("%s %s after %.1f s%s", self._subject, end, time.monotonic() - self._since, more)
            self._since = None
