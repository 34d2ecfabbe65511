"""Which webs and workers run: each announces itself in Redis every few seconds, and is forgotten soon after the last time.

    workers:parts           sorted set   part, such as `web/arena-1-4711` → when it last announced itself, in seconds of Redis's clock
    workers:part:<part>     string       JSON: the database connections that it keeps, and its warnings

The names begin with `workers:` since the ACL of docs/deployment.md has always allowed that.  Referees have no connection to Redis: the links of workers to them announce them (arena/messaging/presence.py).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from redis import Redis

PartKind = Literal["web", "worker"]

KEPT_S = 15
"""Seconds that a part counts as running after it last announced itself: five announcements may be missed."""
_PARTS = "workers:parts"


@dataclass(frozen=True, slots=True)
class RunningPart:
    """A web or a worker that runs; `name` is its machine and process, `connections` how many to the database it keeps open."""

    kind: PartKind
    name: str
    connections: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Return its name among all parts."""
        return f"{self.kind}/{self.name}"


def announce(client: Redis, part: RunningPart) -> None:
    """Publish that a part runs.  Raises RedisError and OSError, as everything here does."""
    seconds, _ = client.time()
    value = json.dumps([part.connections, part.warnings])
    with client.pipeline(transaction=True) as pipeline:
        pipeline.set(_key(part.id), value, ex=KEPT_S)
        pipeline.zadd(_PARTS, {part.id: seconds})
        pipeline.zremrangebyscore(_PARTS, "-inf", seconds - KEPT_S)
        pipeline.execute()


def withdraw(client: Redis, part: RunningPart) -> None:
    """Publish that a part has stopped."""
    with client.pipeline(transaction=True) as pipeline:
        pipeline.delete(_key(part.id))
        pipeline.zrem(_PARTS, part.id)
        pipeline.execute()


def listing(client: Redis) -> tuple[RunningPart, ...]:
    """List the parts that run, by kind and name."""
    seconds, _ = client.time()
    found = cast("list[bytes]", client.zrangebyscore(_PARTS, seconds - KEPT_S, "+inf"))
    ids = sorted(each.decode() for each in found)
    values = cast("list[bytes | None]", client.mget([_key(each) for each in ids])) if ids else []
    return tuple(_read(each, value) for each, value in zip(ids, values, strict=True) if value)


def _read(part: str, value: bytes) -> RunningPart:
    kind, _, name = part.partition("/")
    connections, warnings = json.loads(value)
    return RunningPart(cast("PartKind", kind), name, connections, tuple(warnings))


def _key(part: str) -> str:
    return f"workers:part:{part}"
