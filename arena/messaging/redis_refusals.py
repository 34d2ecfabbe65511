"""A Redis that answers and refuses writes: it is full, a replica, or cannot save to its disk.

It still answers PING and reads, so it is found out by writing, and by the errors of those who write.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redis.exceptions import NoPermissionError, OutOfMemoryError, ReadOnlyError, RedisError

from arena.core.translatable import mark, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    import redis.asyncio
    from redis import Redis

FULL = mark(
    "Redis refuses writes: its memory is full (maxmemory); raise maxmemory, or remove from it what is not the arena's"
)
REPLICA = mark("Redis refuses writes: it is a read-only replica; set ARENA_REDIS_URL to its primary")
UNSAVED = mark("Redis refuses writes: it cannot save to its disk; free some of it, or see Redis's log")
LONELY = mark(
    "Redis refuses writes: fewer replicas are connected to it than min-replicas-to-write says; start them"
)
FORBIDDEN = mark(
    "Redis refuses writes: its user may not make them; give it the rights that docs/deployment.md lists"
)

_BY_CODE: Mapping[str, str] = {
    "OOM": FULL,
    "READONLY": REPLICA,
    "MISCONF": UNSAVED,
    "NOREPLICAS": LONELY,
    "NOPERM": FORBIDDEN,
}
_CODE = re.compile(rf"\b({'|'.join(_BY_CODE)})\b")
_KEY = "workers:probe"
"""Its name begins as the ACL of docs/deployment.md has always allowed."""
_KEPT_S = 10


def why_refused(error: BaseException) -> str:
    """Return why Redis refused a write, and what to do, in words; empty if the error says something else."""
    message = _message(error)
    return say(message) if message else ""


def try_write(client: Redis) -> None:
    """Write a key that expires soon.  Raises RedisError, also if Redis refuses it, and OSError."""
    client.set(_KEY, b"", ex=_KEPT_S)


async def try_write_async(client: redis.asyncio.Redis) -> None:
    """Do the same for an event loop."""
    await client.set(_KEY, b"", ex=_KEPT_S)


def find_refusal(client: Redis) -> str:
    """Return why Redis refuses writes, empty if it takes them.  Raises RedisError and OSError if it does not answer."""
    try:
        try_write(client)
    except RedisError as error:
        if reason := why_refused(error):
            return reason
        raise
    return ""


def _message(error: BaseException) -> str:
    # redis-py removes the code from errors for which it has a class.
    if isinstance(error, OutOfMemoryError):
        return FULL
    if isinstance(error, ReadOnlyError):
        return REPLICA
    if isinstance(error, NoPermissionError):
        return FORBIDDEN
    found = _CODE.search(str(error)) if isinstance(error, RedisError) else None
    return _BY_CODE[found[1]] if found else ""
