"""Connections to Redis: the queue's and the event streams'."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit
from weakref import WeakKeyDictionary

import redis.asyncio
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from arena.core.errors import ArenaError, UsageError
from arena.core.translatable import mark, say
from arena.messaging.redis_errors import CountedAsyncRetry, CountedRetry
from arena.messaging.redis_refusals import why_refused
from arena.net.address import is_local

_SCHEMES = ("redis", "rediss", "unix")
_CONNECT_S = 3.0
_ANSWER_S = 20.0
"""Seconds that one command may take: longer than any blocking read (events.py, the workers' dequeue)."""
_MOMENT_S = 1.0
_RETRIES = 2
_BACKOFF = ConstantBackoff(0.1)
"""Bounds the wait for a Redis that is away; each caller retries in its own way."""
NO_TLS = mark(
    "ARENA_REDIS_URL {url}: is on another machine and not encrypted, so others on the network can see what is played and hold up play; use TLS (rediss://)"
)
NO_PASSWORD = mark(
    "ARENA_REDIS_URL {url}: is on another machine and has no password, so others on the network can see what is played and hold up play; give it one"
)
NEITHER = mark(
    "ARENA_REDIS_URL {url}: is on another machine, not encrypted and without a password, so others on the network can see what is played and hold up play; give it a password and use TLS (rediss://)"
)
EXPOSED = (NO_TLS, NO_PASSWORD, NEITHER)
_urls: WeakKeyDictionary[redis.asyncio.Redis, str] = WeakKeyDictionary()
"""Which Redis each asyncio client is connected to."""


class RedisUnreachable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when Redis does not answer."""


def connect(url: str, answer_s: float = _ANSWER_S) -> Redis:
    """Connect to Redis and see that it answers, even if it refuses writes; `answer_s` limits each later command.

    Raises RedisUnreachable and UsageError.
    """
    client = Redis.from_url(
        _checked(url),
        socket_connect_timeout=_CONNECT_S,
        socket_timeout=answer_s,
        # A Redis that hangs is not asked again: that would only take as long once more.
        retry=CountedRetry(_BACKOFF, _RETRIES, supported_errors=(RedisConnectionError,)),
    )
    try:
        client.ping()
    except (RedisError, OSError) as error:
        if why_refused(error):  # a Redis that cannot save refuses PING, too
            return client
        client.close()
        raise RedisUnreachable(
            f"Redis at {_without_password(url)} cannot be reached ({error}): start it and try again,"
            " set ARENA_REDIS_URL to another, or leave that empty and run `arena up`, which brings its own"
        ) from error
    return client


def connect_quickly(url: str) -> Redis:
    """Make a client with short timeouts: it fails rather than waits.  Raises UsageError."""
    return Redis.from_url(
        _checked(url),
        socket_connect_timeout=_MOMENT_S,
        socket_timeout=_MOMENT_S,
        retry=CountedRetry(_BACKOFF, 1, supported_errors=(RedisConnectionError,)),
    )


def connect_async(url: str) -> redis.asyncio.Redis:
    """Make an asyncio client; it connects when it is first used.  Raises UsageError."""
    client = redis.asyncio.Redis.from_url(
        _checked(url),
        socket_connect_timeout=_CONNECT_S,
        socket_timeout=_ANSWER_S,
        retry=CountedAsyncRetry(_BACKOFF, _RETRIES),
    )
    _urls[client] = url
    return client


def connect_beside(client: redis.asyncio.Redis) -> Redis:
    """Make a client for threads, to the Redis of a client of `connect_async`; it connects when it is first used.

    It has short timeouts: a page does not wait for a Redis that is away.
    """
    return Redis.from_url(
        _urls[client],
        socket_connect_timeout=_CONNECT_S,
        socket_timeout=_CONNECT_S,
        retry=CountedRetry(_BACKOFF, 0),
    )


def why_exposed(url: str) -> str:
    """Return what others on the way to a Redis elsewhere can do, in words; empty for one on this machine, and a safe one."""
    parsed = urlsplit(url)
    if parsed.scheme == "unix" or is_local(f"{parsed.hostname}:0"):
        return ""
    has_tls = parsed.scheme == "rediss"
    has_password = bool(parsed.password) or "password" in parse_qs(parsed.query)
    if has_tls and has_password:
        return ""
    message = NO_PASSWORD if has_tls else NO_TLS if has_password else NEITHER
    return say(message, url=_without_password(url.partition("?")[0]))


def _checked(url: str) -> str:
    if urlsplit(url).scheme not in _SCHEMES:
        raise UsageError(
            f"ARENA_REDIS_URL {_without_password(url)!r}: must be redis://HOST:PORT/DB, rediss://HOST:PORT/DB"
            " or unix:///PATH"
        )
    return url


def _without_password(url: str) -> str:
    before, at, after = url.rpartition("@")
    return f"{before.partition('://')[0]}://{after}" if at else url
