"""Contents of the queue, failed jobs, and workers: for admins, who look at Redis through this alone.

Everything here raises RedisError and OSError while Redis is away.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import Field
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import NoSuchJobError
from rq.job import Job
from rq.registry import FailedJobRegistry, StartedJobRegistry
from rq.worker import BaseWorker, SimpleWorker

from arena.messaging import refused_jobs
from arena.messaging.job_calls import ForeignJob, read_call, shorten
from arena.messaging.job_queue import BLOCKS, CHANCES, RATINGS, SERIALIZER

if TYPE_CHECKING:
    from redis import Redis

    from arena.messaging.refused_jobs import RefusedJob

QUEUES = (BLOCKS, RATINGS, CHANCES)
MAX_FAILED = 100
"""Failed jobs that are shown, the latest."""
_MAX_REASON_CHARS = 4000


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A queue of jobs."""

    name: Annotated[str, Field(description="blocks, ratings or chances.", examples=["blocks"])]
    waiting: Annotated[int, Field(description="Jobs that wait.", examples=[3])]
    running: Annotated[int, Field(description="Jobs that run.", examples=[2])]
    failed: Annotated[int, Field(description="Jobs that failed in the last hour.", examples=[0])]
    oldest_at: Annotated[
        float | None,
        Field(
            description="Time at which the oldest waiting job was queued, in seconds since the epoch, UTC."
        ),
    ]


@dataclass(frozen=True, slots=True)
class FailedJob:
    """A job that ended with an error, or was refused."""

    id: Annotated[str, Field(description="Its id.", examples=["block-7-3"])]
    queue: Annotated[str, Field(description="Its queue.", examples=["blocks"])]
    work: Annotated[str, Field(description="Description of the job.", examples=["play_next_block()"])]
    failed_at: Annotated[float | None, Field(description="Seconds since the epoch, UTC.")]
    reason: Annotated[str, Field(description="The error in one line.", examples=["ConnectionError: refused"])]
    trace: Annotated[str, Field(description="Place of the error.")]
    refused: Annotated[
        bool,
        Field(
            description="Whether it is foreign: not queued by the arena, never run, and not to be retried.",
            examples=[False],
        ),
    ]


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker that lives."""

    name: Annotated[str, Field(description="Its name: machine and process.", examples=["arena-1-4711"])]
    state: Annotated[str, Field(description="idle or busy, as the queue knows it.", examples=["busy"])]
    job: Annotated[
        str | None, Field(description="The job that it took last, if it runs.", examples=["block-7-3"])
    ]
    born_at: Annotated[float | None, Field(description="Time of its start, in seconds since the epoch, UTC.")]
    seen_at: Annotated[
        float | None, Field(description="Its last sign of life. Seconds since the epoch, UTC.")
    ]
    done: Annotated[int, Field(description="Jobs that it has done.", examples=[120])]
    failed: Annotated[int, Field(description="Jobs that ended with an error.", examples=[0])]
    working_s: Annotated[float, Field(description="Seconds that it has worked.", examples=[512.5])]
    release: Annotated[str, Field(description="Its release; empty if it names none.", examples=["0.2.0"])]


def queues(client: Redis) -> tuple[QueueRow, ...]:
    """Show every queue."""
    return tuple(_queue(client, name) for name in QUEUES)


def failed(client: Redis) -> tuple[FailedJob, ...]:
    """List the jobs that failed in the last hour, or were refused, the newest first; later they are forgotten."""
    found = [_refused(job) for job in refused_jobs.listing(client)]
    for name in QUEUES:
        registry = FailedJobRegistry(name, connection=client, serializer=SERIALIZER)
        ids = registry.get_job_ids(0, MAX_FAILED - 1, desc=True)
        found += [row for row in (_failed(client, job_id, name) for job_id in ids) if row is not None]
    return tuple(sorted(found, key=lambda job: job.failed_at or 0.0, reverse=True)[:MAX_FAILED])


def retry(client: Redis, job_id: str) -> bool:
    """Queue a job that failed once more; False if there is none of that id."""
    registry = _registry_of(client, job_id)
    if registry is None:
        return False
    registry.requeue(job_id)
    return True


def forget(client: Redis, job_id: str) -> bool:
    """Delete a failed job; False if there is none of that id.  Its work is still listed in the database."""
    if refused_jobs.is_refused(job_id):
        return refused_jobs.forget(client, job_id)
    registry = _registry_of(client, job_id)
    if registry is None:
        return False
    registry.remove(job_id, delete_job=True)
    return True


def workers(client: Redis) -> tuple[WorkerRow, ...]:
    """List the workers that have shown a sign of life in the last ten seconds, by name."""
    found = SimpleWorker.all(connection=client, serializer=SERIALIZER)
    return tuple(sorted((_worker(worker) for worker in found), key=lambda row: row.name))


def _queue(client: Redis, name: str) -> QueueRow:
    queue = Queue(name, connection=client, serializer=SERIALIZER)
    oldest = queue.get_job_ids(0, 1)
    return QueueRow(
        name=name,
        waiting=queue.count,
        running=StartedJobRegistry(queue=queue).get_job_count(cleanup=False),
        failed=_count_failed(client, queue),
        oldest_at=_queued_at(client, oldest[0]) if oldest else None,
    )


def _count_failed(client: Redis, queue: Queue) -> int:
    """Count the jobs that failed in the last hour.  RQ's own deletes older ones, which a Redis that refuses writes does not do."""
    return len(
        cast("list[bytes]", client.zrangebyscore(FailedJobRegistry(queue=queue).key, time.time(), "+inf"))
    )


def _queued_at(client: Redis, job_id: str) -> float | None:
    try:
        return _seconds(Job.fetch(job_id, connection=client, serializer=SERIALIZER).enqueued_at)
    except NoSuchJobError:
        return None


def _failed(client: Redis, job_id: str, queue: str) -> FailedJob | None:
    """Show a job that failed; one that is none of ours only as much as is safe."""
    try:
        job = Job.fetch(job_id, connection=client, serializer=SERIALIZER)
        result = job.latest_result()
    except NoSuchJobError:
        return None
    except (RedisError, OSError):
        raise
    except Exception:  # noqa: BLE001 - whatever RQ stumbles over in what strangers wrote
        return FailedJob(shorten(job_id.encode()), queue, "", None, "it cannot be read", "", refused=False)
    trace = (result.exc_string if result is not None else None) or ""
    lines = trace.strip().splitlines()
    return FailedJob(
        id=job.id,
        queue=queue,
        work=_work(job),
        failed_at=_seconds(job.ended_at),
        reason=lines[-1].strip() if lines else "no reason was kept",
        trace=trace[-_MAX_REASON_CHARS:],
        refused=False,
    )


def _work(job: Job) -> str:
    """Write what a job was to do."""
    try:
        return str(read_call({"data": job.data}))
    except ForeignJob as error:
        return error.work


def _refused(job: RefusedJob) -> FailedJob:
    return FailedJob(job.id, job.queue, job.work, job.at, f"refused: {job.reason}", "", refused=True)


def _registry_of(client: Redis, job_id: str) -> FailedJobRegistry | None:
    for name in QUEUES:
        registry = FailedJobRegistry(name, connection=client, serializer=SERIALIZER)
        if job_id in registry.get_job_ids():
            return registry
    return None


def _worker(worker: BaseWorker) -> WorkerRow:
    return WorkerRow(
        name=worker.name,
        state=str(getattr(worker.get_state(), "value", worker.get_state())),
        job=worker.get_current_job_id(),
        born_at=_seconds(worker.birth_date),
        seen_at=_seconds(worker.last_heartbeat),
        done=worker.successful_job_count,
        failed=worker.failed_job_count,
        working_s=worker.total_working_time,
        release=(cast("bytes | None", worker.connection.hget(worker.key, "release")) or b"").decode(),
    )


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()
