"""Counts of the answers to the puzzles of the last days, in Redis: the first answer from each address.

Counts go with Redis, and a week after the puzzle's day; without Redis there are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends
from redis.exceptions import RedisError

from arena.web.http.app_services import service

if TYPE_CHECKING:
    import redis.asyncio

    from arena.games.kernel import Action

_DAYS = 7
_KEPT_S = (_DAYS + 1) * 86400


class PuzzleAnswers:
    """Counts of answers by puzzle, for all web processes together."""

    def __init__(self, client: redis.asyncio.Redis) -> None:
        self._client: Any = client

    async def count(self, day: date, today: date, game: str, action: Action, address: str) -> None:
        """Count an answer, if it is the first one from an address and the puzzle is not too old."""
        if today - day > timedelta(days=_DAYS):
            return
        key = _key(day, game)
        who = sha256(f"{key}/{address}".encode()).hexdigest()[:24]
        with _without_redis():
            if await self._client.set(f"{key}:{who}", 1, nx=True, ex=_KEPT_S):
                async with self._client.pipeline(transaction=True) as pipeline:
                    pipeline.hincrby(key, action, 1)
                    pipeline.expire(key, _KEPT_S)
                    await pipeline.execute()

    async def read(self, day: date, game: str) -> Mapping[Action, int]:
        """Return how often each action was the answer to a puzzle; nothing where that is not known."""
        with _without_redis():
            found = await self._client.hgetall(_key(day, game))
            return {action.decode(): int(number) for action, number in found.items()}
        return {}


@contextmanager
def _without_redis() -> Iterator[None]:
    try:
        yield
    except (RedisError, OSError):
        return


def _key(day: date, game: str) -> str:
    """Return the key of a puzzle's counts, in the part of Redis that limits have."""
    return f"rate:puzzle:{game}:{day}"


TheAnswers = Annotated[PuzzleAnswers, Depends(service(PuzzleAnswers))]
