"""Progress of tournaments: capped Redis streams.

An event says that something has changed, and the little that a page needs to show it; the truth is in the store.
So no process waits for Redis to take an event, and a stream that is lost with Redis is no loss.  The id of an entry is
the event's id: a client that was away reads on from the last one it saw.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import redis.asyncio
from redis import Redis
from redis.exceptions import RedisError

from arena.messaging.stream_reader import Entry

_log = logging.getLogger(__name__)

_ENTRIES = 1000
"""About how many events a stream keeps."""
_KEPT_S = 24 * 3600
"""A stream is dropped this long after its last event."""

BEGINNING = "0"
"""The id before all events."""


class EventKind(StrEnum):
    """Kind of change."""

    RESULT = "result"
    """A match has its result: `set`, `match`."""
    STATE = "state"
    """The tournament is in another state: `state`."""
    RATINGS = "ratings"
    """An Elo table was recomputed: `pool`."""


_KINDS = frozenset(kind.value for kind in EventKind)


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


def events_of(entries: Iterable[Entry]) -> tuple[Event, ...]:
    """Return the events that entries of a stream hold, without those of kinds that only a newer release knows."""
    return tuple(
        Event(kind=EventKind(kind), data=json.loads(fields[b"data"]), id=entry_id.decode())
        for entry_id, fields in entries
        if (kind := fields[b"kind"].decode()) in _KINDS
    )


def _fields(event: Event) -> Any:  # noqa: ANN401 - redis-py wants keys and values of any kind
    return {"kind": event.kind.value, "data": json.dumps(event.data, separators=(",", ":"))}
