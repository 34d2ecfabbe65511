"""Progress of tournaments: capped Redis streams.

An event says that something has changed, and the little that a page needs to show it; the truth is in the store.
So nobody waits for Redis to take an event, and a stream that is lost with Redis is no loss.  The id of an entry is
the event's id: whoever was away reads on from the last one it saw.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import redis.asyncio
from redis import Redis
from redis.exceptions import RedisError

_log = logging.getLogger(__name__)

_ENTRIES = 1000
"""About how many events a stream keeps."""
_KEPT_S = 24 * 3600
"""A stream is dropped this long after its last event."""
_BLOCK_MS = 5_000
_AWAY_S = 1.0
"""The pause before Redis is asked again after it was away."""

BEGINNING = "0"
"""The id before all events."""
NOW = "$"
"""The id of the last event there is: from here on, only what is new."""


class EventKind(StrEnum):
    """What has changed."""

    RESULT = "result"
    """A match has its result: `set`, `match`, `bots`, `places`."""
    STATE = "state"
    """The tournament is in another state: `state`."""
    RATINGS = "ratings"
    """An Elo table was computed anew: `pool`."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has changed.  `id` is empty until Redis has it."""

    kind: EventKind
    data: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""


def tournament_stream(tournament_id: int) -> str:
    """Name the stream of a tournament."""
    return f"events:tournament:{tournament_id}"


RATINGS_STREAM = "events:ratings"
"""The stream of all pools' Elo tables."""


def publish(client: Redis, stream: str, *events: Event) -> None:
    """Append events to a stream, in one round trip.  Raises RedisError and OSError; the events are lost then."""
    with client.pipeline(transaction=False) as pipeline:
        for event in events:
            pipeline.xadd(stream, _fields(event), maxlen=_ENTRIES, approximate=True)
        pipeline.expire(stream, _KEPT_S)
        pipeline.execute()


async def apublish(client: redis.asyncio.Redis, stream: str, event: Event) -> bool:
    """Append an event to a stream, in asyncio.  False if Redis is away; it is then lost, which is no loss."""
    try:
        async with client.pipeline(transaction=False) as pipeline:
            pipeline.xadd(stream, _fields(event), maxlen=_ENTRIES, approximate=True)
            pipeline.expire(stream, _KEPT_S)
            await pipeline.execute()
    except (RedisError, OSError) as error:
        _log.warning("an event for %s was not published: %s", stream, error)
        return False
    return True


def read(client: Redis, stream: str, after: str = BEGINNING) -> tuple[Event, ...]:
    """Return the events after an id that are there now, oldest first."""
    return _events(client.xread({stream: after}))


def follow(client: Redis, stream: str, after: str = NOW) -> Iterator[Event]:
    """Return the events after an id as they come, without end; it outlasts a Redis that goes and comes back."""
    while True:
        try:
            after = _last_id(client.xrevrange(stream, count=1)) if after == NOW else after
            events = _events(client.xread({stream: after}, block=_BLOCK_MS))
        except (RedisError, OSError):
            time.sleep(_AWAY_S)
            continue
        for event in events:
            after = event.id
            yield event


async def afollow(client: redis.asyncio.Redis, stream: str, after: str = NOW) -> AsyncIterator[Event]:
    """Return the events after an id as they come, as `follow` does, in asyncio."""
    while True:
        try:
            after = _last_id(await client.xrevrange(stream, count=1)) if after == NOW else after
            events = _events(await client.xread({stream: after}, block=_BLOCK_MS))
        except (RedisError, OSError):
            await asyncio.sleep(_AWAY_S)
            continue
        for event in events:
            after = event.id
            yield event


def _fields(event: Event) -> Any:  # noqa: ANN401 - redis-py wants keys and values of any kind
    return {"kind": event.kind.value, "data": json.dumps(event.data, separators=(",", ":"))}


def _last_id(entries: Any) -> str:  # noqa: ANN401 - redis-py types replies loosely
    return entries[0][0].decode() if entries else BEGINNING


def _events(reply: Any) -> tuple[Event, ...]:  # noqa: ANN401 - redis-py types replies loosely
    streams = reply.values() if isinstance(reply, dict) else [entries for _, entries in reply or ()]
    return tuple(
        Event(
            kind=EventKind(fields[b"kind"].decode()), data=json.loads(fields[b"data"]), id=entry_id.decode()
        )
        for entries in streams
        for entry_id, fields in _flat(entries)
    )


def _flat(entries: Any) -> Any:  # noqa: ANN401 - RESP3 nests the entries of a stream once more
    return entries[0] if entries and isinstance(entries[0], list) else entries
