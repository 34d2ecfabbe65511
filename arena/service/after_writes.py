"""What follows a write: the workers are woken, and open pages learn which tournament has changed.

    operation ──▶ @writes ──▶ AfterWrite ──▶ Redis ──▶ the reconciler, the pages of all web processes

Both are hints, so a Redis that is away delays nothing: workers and pages look at the store themselves after some seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from redis.exceptions import RedisError

from arena.messaging import wakeup
from arena.messaging.progress_events import Event, EventKind, apublish, publish, tournament_stream

if TYPE_CHECKING:
    import redis.asyncio
    from redis import Redis


@dataclass(frozen=True, slots=True)
class Written:
    """A write that was taken: the tournament that it has changed and the state of that, if there is one."""

    tournament: int | None = None
    state: str = ""

    @property
    def event(self) -> Event:
        """The event for pages that show the tournament."""
        return Event(EventKind.STATE, {"state": self.state})


AfterWrite: TypeAlias = Callable[[Written], None]


def send(client: Redis, written: Written) -> None:
    """Send the hints of a write, if Redis is there."""
    with suppress(RedisError, OSError):
        wakeup.wake(client)
        if written.tournament is not None:
            publish(client, tournament_stream(written.tournament), written.event)


def send_to(url: str, written: Written) -> None:
    """Send the hints of a write to a Redis that need not be there, without waiting for it."""
    with wakeup.brief_client(url) as client:
        send(client, written)


async def send_async(client: redis.asyncio.Redis, written: Written) -> None:
    """Send the hints of a write, if Redis is there."""
    await wakeup.wake_async(client)
    if written.tournament is not None:
        await apublish(client, tournament_stream(written.tournament), written.event)
