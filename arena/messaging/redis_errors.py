"""Counting the attempts to reach Redis that failed, by way of the clients' retries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import redis.asyncio.retry
from redis.exceptions import RedisError
from redis.retry import Retry

T = TypeVar("T")

_errors = 0


def count() -> int:
    """Return how many attempts of this process have failed so far."""
    return _errors


def _note() -> None:
    # A thread that is interrupted here may lose one count of another, which no alert depends on.
    global _errors  # noqa: PLW0603 - a count of the whole process
    _errors += 1


class CountedRetry(Retry):
    """Retries as redis-py's own does, and counts each failed attempt."""

    __hash__ = Retry.__hash__

    def call_with_retry(self, do: Callable[[], T], *arguments: Any, **more: Any) -> T:  # noqa: ANN401 - as redis-py's
        """Run an operation."""

        def counted() -> T:
            try:
                return do()
            except (RedisError, OSError):
                _note()
                raise

        return super().call_with_retry(counted, *arguments, **more)


class CountedAsyncRetry(redis.asyncio.retry.Retry):
    """The same for an event loop."""

    __hash__ = redis.asyncio.retry.Retry.__hash__

    async def call_with_retry(self, do: Callable[[], Awaitable[T]], *arguments: Any, **more: Any) -> T:  # noqa: ANN401 - as redis-py's
        """Run an operation."""

        async def counted() -> T:
            try:
                return await do()
            except (RedisError, OSError):
                _note()
                raise

        return await super().call_with_retry(counted, *arguments, **more)
