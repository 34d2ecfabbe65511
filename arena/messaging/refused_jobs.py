"""Foreign jobs that workers have refused, for admins to see: kept in Redis for an hour, at most MAX_KEPT.

refused     stream    id, queue, work and reason of each
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.messaging.job_calls import shorten

if TYPE_CHECKING:
    from redis import Redis

MAX_KEPT = 100
_KEPT_S = 3600
_STREAM = "refused"
_PREFIX = "refused-"


@dataclass(frozen=True, slots=True)
class RefusedJob:
    """A foreign job; its texts are untrusted, and shortened.  `at` is seconds since the epoch, UTC."""

    id: str
    queue: str
    work: str
    reason: str
    at: float


def note(client: Redis, queue: str, job_id: str, work: str, reason: str) -> None:
    """Record that a job was refused.  Raises RedisError and OSError."""
    with client.pipeline(transaction=False) as pipeline:
        pipeline.xadd(
            _STREAM,
            {"queue": queue, "job": shorten(job_id.encode()), "work": work, "reason": reason},
            maxlen=MAX_KEPT,
        )
        pipeline.expire(_STREAM, _KEPT_S)
        pipeline.execute()


def listing(client: Redis) -> tuple[RefusedJob, ...]:
    """List those of the last hour, the newest first.  Raises RedisError and OSError."""
    entries: Any = client.xrevrange(_STREAM, count=MAX_KEPT)
    return tuple(
        RefusedJob(
            id=f"{_PREFIX}{entry_id.decode()}",
            queue=_text(fields, b"queue"),
            work=_text(fields, b"work") or f"job {_text(fields, b'job')}",
            reason=_text(fields, b"reason"),
            at=int(entry_id.partition(b"-")[0]) / 1000,
        )
        for entry_id, fields in entries
    )


def forget(client: Redis, refused_id: str) -> bool:
    """Delete one; False if there is none of that id.  Raises RedisError and OSError."""
    return bool(client.xdel(_STREAM, refused_id.removeprefix(_PREFIX)))


def is_refused(job_id: str) -> bool:
    """Return whether an id is that of a refused job, and not of one that failed."""
    return job_id.startswith(_PREFIX)


def _text(fields: Any, name: bytes) -> str:  # noqa: ANN401 - redis-py types replies loosely
    """Return a field, made safe to show: foreign clients may write to Redis."""
    return shorten(fields.get(name, b"")).strip()
