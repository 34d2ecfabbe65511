"""An insight: derived from open matches by a worker, stored, and only read by pages, which ask for what is missing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from arena.messaging.job_queue import enqueue_insight

if TYPE_CHECKING:
    from redis import Redis

    from arena.storage import Store

Tick = Callable[[], None]
"""Called between parts of the work; what it raises ends the work."""


@dataclass(frozen=True, slots=True)
class Insight:
    """A kind of insight, under the name that its jobs have."""

    name: str
    key: tuple[type[int | str], ...]
    """The types of the values that name one of the kind."""
    derive: Callable[..., object]
    """Derive and store one, from the store, a `Tick`, and the values of its key; return what was done, falsy for nothing."""

    def derive_named(self, store: Store, key: str, tick: Tick) -> bool:
        """Derive one by its key as a job has it; return whether anything was done.  Raises ValueError for another key."""
        values = key.split()
        parts = [kind(value) for kind, value in zip(self.key, values, strict=True)]
        return bool(self.derive(store, tick, *parts))

    def ask(self, client: Redis, *key: int | str) -> None:
        """Ask the workers for one.  Without Redis, or while many wait, it is asked for when readers look again."""
        with suppress(RedisError, OSError):
            enqueue_insight(client, self.name, *key)
