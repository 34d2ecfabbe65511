"""Waking the reconciler: a message that there is something to do, so that it need not wait for its next look.

    web, CLI ──PUBLISH──▶ arena:wake ──▶ every reconciler that listens

Only a hint, as all in Redis: the reconciler looks once a second anyway, so one that is lost costs that second.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from arena.core.unforeseen_errors import UnforeseenErrors

if TYPE_CHECKING:
    from collections.abc import Callable

    import redis.asyncio

_log = logging.getLogger(__name__)

_CHANNEL = "arena:wake"
_LISTEN_S = 5.0
_AWAY_S = 1.0
"""The pause before Redis is asked again after it was away."""
_SOON_S = 0.5
"""Bounds the wait for Redis of a request or command that sends a wake-up."""


def wake(client: Redis) -> None:
    """Wake the reconciler, if Redis is there."""
    with suppress(RedisError, OSError):
        client.publish(_CHANNEL, "")


def brief_client(url: str) -> Redis:
    """Return a client for a Redis that need not be there: it waits for half a second at most."""
    return Redis.from_url(
        url, socket_connect_timeout=_SOON_S, socket_timeout=_SOON_S, retry=Retry(NoBackoff(), 0)
    )


async def wake_async(client: redis.asyncio.Redis) -> None:
    """Wake the reconciler, if Redis is there."""
    with suppress(RedisError, OSError):
        await client.publish(_CHANNEL, "")


class Listener:
    """Listens in a thread until it is closed, and calls a function for each wake-up."""

    def __init__(self, client: Redis, heard: Callable[[], None]) -> None:
        self._client = client
        self._heard = heard
        self._errors = UnforeseenErrors(_log)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="waking", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Make no more calls; the thread ends when its last wait is over."""
        self._closing.set()

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                self._hear()
            except (RedisError, OSError) as error:
                _log.debug("Redis is away, nobody is woken: %s", error)
            except Exception as error:  # noqa: BLE001 - ValueError, for one, if its socket was closed
                if not self._closing.is_set():
                    self._errors.report("listening for wake-ups", error)
            self._closing.wait(_AWAY_S)

    def _hear(self) -> None:
        with self._client.pubsub(ignore_subscribe_messages=True) as channel:  # type: ignore[no-untyped-call]
            channel.subscribe(_CHANNEL)
            while not self._closing.is_set():
                message: Any = channel.get_message(timeout=_LISTEN_S)
                if message is not None and not self._closing.is_set():
                    self._heard()
