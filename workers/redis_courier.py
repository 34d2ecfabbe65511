"""Access to Redis from a separate thread, so that playing never waits for Redis.

    results, live steps, heartbeats ──▶ bounded queue ──one thread──▶ Redis, at most one second per command

While Redis does not answer, or refuses writes, everything is dropped: the database is authoritative, and no data in Redis
has to last.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, Full, Queue
from typing import TYPE_CHECKING, TypeVar, cast

from redis.exceptions import RedisError

from arena.core.unforeseen_errors import UnforeseenErrors
from arena.messaging.redis_refusals import try_write
from workers.outage_log import Outage

if TYPE_CHECKING:
    from redis import Redis

_log = logging.getLogger(__name__)

T = TypeVar("T")

_MAX_QUEUED = 1000
_RETRY_EVERY_S = 1.0
"""The interval at which a Redis that does not answer is tried."""
_CLOSE_S = 2.0
"""Seconds that the last messages may take when the worker ends."""


class Courier:
    """Runs operations on Redis in the order in which they were posted.  Threads may share it."""

    def __init__(self, client: Redis) -> None:
        """`client` is one that gives up soon (`arena.messaging.redis_connection.connect_quickly`)."""
        self._client = client
        self._queue: Queue[tuple[Callable[[Redis], object], Future[object]]] = Queue(_MAX_QUEUED)
        self._outage = Outage("Redis")
        self._retry_at = 0.0
        self._dropped = 0
        self._errors = UnforeseenErrors(_log)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="courier", daemon=True)

    @property
    def away(self) -> bool:
        """Whether Redis did not answer, or refused a write, when it was last tried."""
        return self._outage.lasts

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End, after what has been posted."""
        self._closing.set()
        self._thread.join(_CLOSE_S)

    def post(self, operation: Callable[[Redis], object]) -> None:
        """Queue an operation; it is dropped while Redis does not answer."""
        self._put(operation)

    async def ask(self, question: Callable[[Redis], T]) -> T | None:
        """Return the result of an operation; None if Redis does not answer."""
        return cast("T | None", await asyncio.wrap_future(self._put(question)))

    def _put(self, operation: Callable[[Redis], object]) -> Future[object]:
        future: Future[object] = Future()
        try:
            self._queue.put_nowait((operation, future))
        except Full:
            self._drop(future)
        return future

    def _work(self) -> None:
        while not (self._closing.is_set() and self._queue.empty()):
            try:
                operation, future = self._queue.get(timeout=_RETRY_EVERY_S / 4)
            except Empty:
                continue
            if not future.set_running_or_notify_cancel():
                continue
            if self.away and time.monotonic() < self._retry_at:
                self._drop(future)
                continue
            try:
                if self.away:
                    try_write(self._client)  # one that refuses writes may still take this operation
                result = operation(self._client)
            except (RedisError, OSError) as error:
                self._retry_at = time.monotonic() + _RETRY_EVERY_S
                self._outage.begin(error)
                self._drop(future)
            except Exception as error:  # noqa: BLE001 - whatever it is
                self._errors.report("a message to Redis", error)  # after `post` no caller sees the future
                future.set_exception(error)
            else:
                if self.away:
                    self._outage.end(f"; {self._dropped} messages to it were dropped")
                    self._dropped = 0
                future.set_result(result)

    def _drop(self, future: Future[object]) -> None:
        self._dropped += 1
        future.set_result(None)
