"""Rate limits: so many of a thing in a window of time, counted in Redis for all web processes together.

A window begins with the first of its requests and is forgotten by Redis when it is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request
from redis.exceptions import RedisError

from arena.errors import Refusal
from arena.wording import say

if TYPE_CHECKING:
    import redis.asyncio


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many `what` in `window_s` seconds; a guarded one refuses all while Redis is away."""

    what: str
    most: int
    window_s: int
    guarded: bool = False


LOGIN_OF_ADDRESS = Limit("logins from this address", 20, 300, guarded=True)
LOGIN_OF_ACCOUNT = Limit("logins to this account", 10, 300, guarded=True)
REGISTRATION = Limit("registrations from this address", 10, 3600, guarded=True)
REQUESTS = Limit("requests of this account", 600, 60)
UNKNOWN_CREDENTIALS = Limit("wrong tokens from this address", 60, 60)
TABLES = Limit("tables from this address", 60, 600)


class RateLimited(Refusal):
    """Raised when somebody has asked too often; `retry_s` is how long they must wait."""

    def __init__(self, limit: Limit, retry_s: int) -> None:
        message = say(
            "{what}: at most {most} in {window_s} s; wait {retry_s} s",
            what=limit.what,
            most=limit.most,
            window_s=limit.window_s,
            retry_s=retry_s,
        )
        super().__init__("rate_limited", message, status=429)
        self.retry_s = retry_s


class Rates:
    """Counts in Redis."""

    def __init__(self, client: redis.asyncio.Redis) -> None:
        self._client = client

    async def take(self, limit: Limit, who: str) -> None:
        """Count one more of somebody's.  Raises RateLimited, and Refusal where nothing can be counted but must be."""
        # Hashed, since names come from outside, however long they are.
        key = f"rate:{sha256(f'{limit.what}/{who}'.encode()).hexdigest()[:32]}"
        try:
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.set(key, 0, ex=limit.window_s, nx=True)
                pipeline.incr(key)
                pipeline.ttl(key)
                _, count, left_s = await pipeline.execute()
        except (RedisError, OSError) as error:
            if limit.guarded:
                raise Refusal(
                    "unavailable",
                    say("{what}: cannot be counted, as Redis does not answer", what=limit.what),
                    status=503,
                ) from error
            return
        if count > limit.most:
            raise RateLimited(limit, max(1, left_s))


def _rates(request: Request) -> Rates:
    rates: Rates = request.app.state.rates
    return rates


def _address(request: Request) -> str:
    """Name who asks by address: of IPv6 the network of one customer, 64 bits."""
    host = "" if request.client is None else request.client.host
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)


TheRates = Annotated[Rates, Depends(_rates)]
TheAddress = Annotated[str, Depends(_address)]
