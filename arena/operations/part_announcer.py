"""The thread by which a web or a worker announces that it runs, and what is wrong with how it was set up."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from arena.core.unforeseen_errors import UnforeseenErrors
from arena.messaging import part_presence

if TYPE_CHECKING:
    from redis import Redis

    from arena.messaging.part_presence import RunningPart

_log = logging.getLogger(__name__)

EVERY_S = 3.0
_EXAMINED_EVERY_S = 60.0
"""Seconds between two checks for warnings, whose causes come and go."""


class PartAnnouncer:
    """A thread that announces a part in Redis until it is closed; while Redis is away it keeps trying."""

    def __init__(
        self, client: Redis, part: RunningPart, examine: Callable[[], tuple[str, ...]] = tuple
    ) -> None:
        """`examine` returns the part's warnings; it may take seconds, and raise nothing but what is logged."""
        self._client = client
        self._part = part
        self._examine = examine
        self._errors = UnforeseenErrors(_log)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announcer", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End, and withdraw the announcement."""
        self._closing.set()
        self._thread.join()
        with suppress(RedisError, OSError):  # it expires by itself
            part_presence.withdraw(self._client, self._part)

    def _run(self) -> None:
        examined_at = float("-inf")
        while not self._closing.is_set():
            with self._errors.survive("announcing this part"):
                self._announce()
            if time.monotonic() - examined_at >= _EXAMINED_EVERY_S:
                examined_at = time.monotonic()
                with self._errors.survive("looking for warnings"):
                    self._look()
                    self._announce()
            self._closing.wait(EVERY_S)

    def _look(self) -> None:
        """Look for warnings, and log those that are new."""
        found = self._examine()
        for words in found:
            if words not in self._part.warnings:
                _log.warning("%s", words)
        self._part = replace(self._part, warnings=found)

    def _announce(self) -> None:
        with suppress(RedisError, OSError):  # others say so
            part_presence.announce(self._client, self._part)
