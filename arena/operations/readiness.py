"""Readiness: whether a part can do its work as far as store and Redis go, in words for operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from arena.messaging.redis_refusals import find_refusal

if TYPE_CHECKING:
    from redis import Redis

    from arena.operations.write_probe import Probe


class Readiness:
    """Asks the store and Redis for a write each.  Threads may share it."""

    def __init__(self, probe: Probe, client: Redis) -> None:
        """`client` is one with short timeouts."""
        self._probe = probe
        self._client = client

    def problems(self) -> tuple[str, ...]:
        """Return what keeps the part from its work; empty if nothing does."""
        store = self._probe.verdict().problem
        redis = self._ask_redis()
        return tuple(problem for problem in (store, redis) if problem)

    def _ask_redis(self) -> str:
        try:
            return find_refusal(self._client)
        except (RedisError, OSError) as error:
            return f"Redis does not answer: {error}"
