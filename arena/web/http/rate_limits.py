"""Rate limits in windows of time, counted in Redis for all web processes together.

A window begins with its first request; Redis forgets it when it is over.  So twice the limit may come around the edge of two windows.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request
from redis.exceptions import RedisError

from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.net.client_groups import ClientNetwork, client_networks
from arena.web.http.app_services import service
from arena.web.http.reverse_proxies import network_of

if TYPE_CHECKING:
    import redis.asyncio


@dataclass(frozen=True, slots=True)
class Limit:
    """A maximum of `most` requests in `window_s` seconds; a guarded one refuses all while Redis is away."""

    what: str
    most: int
    window_s: int
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class Pace:
    """A limit beyond which requests are let through one by one, each after waiting at most `patience_s`."""

    limit: Limit
    every_ms: int
    patience_s: float


REQUESTS = Limit("requests of this account", 600, 60)
UNKNOWN_CREDENTIALS = Limit("wrong tokens from this address", 60, 60)
TABLES = Limit("tables from this address", 60, 600)
ANSWERS = Limit("answers to puzzles from this address", 60, 3600)
PREVIEWS = Limit("new preview pictures for this address", 120, 60)


_MAX_WAITING = 64
"""Maximum number of requests that wait for their turn in this process; further ones are refused."""
_RETRY_S = 5


class TryAgain(Refusal):
    """Raised when a request may succeed later; `retry_s` is how long to wait before it is sent again."""

    def __init__(self, code: str, message: str, *, field: str = "", kind: RefusalKind, retry_s: int) -> None:
        super().__init__(code, message, field=field, kind=kind)
        self.retry_s = retry_s


class RateLimited(TryAgain):
    """Raised when a rate limit is exceeded."""

    def __init__(self, limit: Limit, retry_s: int) -> None:
        message = say(
            "{what}: at most {most} in {window_s} s; wait {retry_s} s",
            what=limit.what,
            most=limit.most,
            window_s=limit.window_s,
            retry_s=retry_s,
        )
        super().__init__("rate_limited", message, kind=RefusalKind.TOO_MANY, retry_s=retry_s)


class Rates:
    """Counts in Redis."""

    def __init__(self, client: redis.asyncio.Redis) -> None:
        self._client = client
        self._waiting = 0

    async def take(self, limit: Limit, who: str) -> None:
        """Count one more request of a client.  Raises RateLimited, and Refusal where it must be counted and cannot."""
        with _counting(limit):
            count, left_s = await self._count(limit, who)
            if count > limit.most:
                raise RateLimited(limit, max(1, left_s))

    async def take_from(self, limit: Limit, address: str) -> None:
        """Count one more request from an address, and from the networks that it is in, which may have more.

        Raises as `take` does; where an address has too many, its networks are not charged.
        """
        for network in client_networks(address):
            await self.take(_of_network(limit, network), network.name)

    async def check_from(self, limit: Limit, address: str) -> None:
        """Check that `take_from` would not refuse one more, without counting it.  Raises as `take` does."""
        with _counting(limit):
            for network in client_networks(address):
                bound = _of_network(limit, network)
                key = _key(bound, network.name)
                async with self._client.pipeline(transaction=True) as pipeline:
                    pipeline.get(key)
                    pipeline.ttl(key)
                    count, left_s = await pipeline.execute()
                if int(count or 0) >= bound.most:
                    raise RateLimited(bound, max(1, left_s))

    async def take_slowly(self, pace: Pace, who: str) -> None:
        """Count one more, and wait for a turn where there are too many.  Raises as `take` does.

        The next turn is drawn at random, so that no client can get ahead of all others.
        """
        with _counting(pace.limit):
            count, _ = await self._count(pace.limit, who)
            if count <= pace.limit.most:
                return
            if self._waiting >= _MAX_WAITING:
                raise RateLimited(pace.limit, _RETRY_S)
            self._waiting += 1
            try:
                async with asyncio.timeout(pace.patience_s):
                    await self._wait_for_turn(pace, who)
            except TimeoutError:
                raise RateLimited(pace.limit, _RETRY_S) from None
            finally:
                self._waiting -= 1

    async def _wait_for_turn(self, pace: Pace, who: str) -> None:
        turn = _key(pace.limit, f"{who}/turn")
        while not await self._client.set(turn, 1, nx=True, px=pace.every_ms):  # noqa: ASYNC110 - expiry is no event
            await asyncio.sleep(random.uniform(0.05, 0.15) * pace.every_ms / 1000)

    async def _count(self, limit: Limit, who: str) -> tuple[int, int]:
        """Count one more; return how many there are, and for how many seconds they count."""
        key = _key(limit, who)
        async with self._client.pipeline(transaction=True) as pipeline:
            pipeline.set(key, 0, ex=limit.window_s, nx=True)
            pipeline.incr(key)
            pipeline.ttl(key)
            _, count, left_s = await pipeline.execute()
        return count, left_s


@contextmanager
def _counting(limit: Limit) -> Iterator[None]:
    """Pass requests where Redis is away, unless the limit is guarded.  Raises Refusal."""
    try:
        yield
    except (RedisError, OSError) as error:
        if limit.guarded:
            raise Refusal(
                "unavailable",
                say("{what}: cannot be counted because Redis is not responding", what=limit.what),
                kind=RefusalKind.UNAVAILABLE,
            ) from error


def _of_network(limit: Limit, network: ClientNetwork) -> Limit:
    """Return the limit that a network has."""
    if network.times == 1:
        return limit
    return replace(limit, what=f"{limit.what} ({network.name})", most=limit.most * network.times)


def _key(limit: Limit, who: str) -> str:
    """Return the key of a count: hashed, since names come from outside, however long they are."""
    return f"rate:{sha256(f'{limit.what}/{who}'.encode()).hexdigest()[:32]}"


def _address(request: Request) -> str:
    """Return the client's address; of IPv6 its network of 64 bits."""
    return network_of("" if request.client is None else request.client.host)


TheRates = Annotated[Rates, Depends(service(Rates))]
TheAddress = Annotated[str, Depends(_address)]
