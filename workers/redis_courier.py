"""What a worker tells Redis while it plays, and asks it: from a thread of its own, so that play never waits for Redis.

    storing, showing, signs of life ──▶ bounded queue ──one thread──▶ Redis, each time for a second at most

While Redis does not answer, all of it is dropped: the truth is in the database, and nothing in Redis must last.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, Full, Queue
from typing import TYPE_CHECKING, TypeVar, cast

from redis.exceptions import RedisError

from workers.outage_log import Outage

if TYPE_CHECKING:
    from redis import Redis

T = TypeVar("T")

_MAX_WAITING = 1000
_TRY_EVERY_S = 1.0
"""How often a Redis that does not answer is tried."""
_CLOSE_S = 2.0
"""How long the last messages may take when the worker ends."""


class Courier:
    """Does things with Redis in the order in which they were posted.  Threads may share it."""

    def __init__(self, client: Redis) -> None:
        """`client` is one that gives up soon (`arena.messaging.redis_connection.connect_quickly`)."""
        self._client = client
        self._waiting: Queue[tuple[Callable[[Redis], object], Future[object]]] = Queue(_MAX_WAITING)
        self._outage = Outage("Redis")
        self._try_at = 0.0
        self._dropped = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="courier", daemon=True)

    @property
    def away(self) -> bool:
        """Whether Redis did not answer when it was last tried."""
        return self._outage.lasts

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End, after what has been posted."""
        self._closing.set()
        self._thread.join(_CLOSE_S)

    def post(self, deed: Callable[[Redis], object]) -> None:
        """Have something done soon, or dropped."""
        self._put(deed)

    async def ask(self, question: Callable[[Redis], T]) -> T | None:
        """Ask Redis something; None where it does not answer."""
        return cast("T | None", await asyncio.wrap_future(self._put(question)))

    def _put(self, deed: Callable[[Redis], object]) -> Future[object]:
        future: Future[object] = Future()
        try:
            self._waiting.put_nowait((deed, future))
        except Full:
            self._drop(future)
        return future

    def _work(self) -> None:
        while not (self._closing.is_set() and self._waiting.empty()):
            try:
                deed, future = self._waiting.get(timeout=_TRY_EVERY_S / 4)
            except Empty:
                continue
            if not future.set_running_or_notify_cancel():
                continue
            if self.away and time.monotonic() < self._try_at:
                self._drop(future)
                continue
            try:
                result = deed(self._client)
            except (RedisError, OSError) as error:
                self._try_at = time.monotonic() + _TRY_EVERY_S
                self._outage.begin(error)
                self._drop(future)
            except Exception as error:  # noqa: BLE001 - it is the asker's
                future.set_exception(error)
            else:
                if self.away:
                    self._outage.end(f"; {self._dropped} messages to it were dropped")
                    self._dropped = 0
                future.set_result(result)

    def _drop(self, future: Future[object]) -> None:
        self._dropped += 1
        future.set_result(None)
