"""The job queue: hints to the workers that there is work.

Only hints: the database knows what is to be done, and which worker does it.  There is one hint for each block that is
free, but a worker that takes one claims the block that is due first, and goes on with further ones; a job to refresh
ratings checks whether they have changed.  So a job that is queued twice, or late, does no harm, and a lost one is queued
again by the reconciler (workers/reconciler.py).  Of RQ the arena uses queues, unique job ids and the work loop; not retries, registries, results
or the scheduler.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rq import Queue
from rq.exceptions import DuplicateJobError, InvalidJobOperation, NoSuchJobError
from rq.executions import ExecutionRegistry
from rq.job import Job
from rq.serializers import JSONSerializer

from arena.messaging.job_calls import (
    DERIVE_INSIGHT,
    PLAY_NEXT_BLOCK,
    REFRESH_RATINGS,
)

if TYPE_CHECKING:
    from redis import Redis

BLOCKS = "blocks"
RATINGS = "ratings"
CHANCES = "chances"
"""The queue of insights, that workers turn to when nothing else waits: chances and drama of matches, and the playing styles of bots."""
SERIALIZER = JSONSerializer
"""Never pickle, which runs code when it is loaded.  JSON alone is not safe either, since RQ imports the names in a job: so
workers validate jobs by `arena.messaging.job_calls`, which accepts the arena's functions and nothing else."""

_NO_LIMIT = -1
"""No time limit of RQ's: a job limits itself, by the time control of its matches."""
_FAILED_KEPT_S = 3600
_MOST_CHANCES = 50
"""Insights that wait at most: readers who look through thousands of replays must not fill it."""


@dataclass(frozen=True, slots=True)
class _Job:
    """A job to queue: its queue, id, function and arguments."""

    queue: str
    job_id: str
    function: str
    arguments: tuple[int | str, ...]


def enqueue_ratings(client: Redis, pool: str) -> bool:
    """Queue a refresh of a pool's Elo table; return False if one is in the queue already.

    One that is running does not count, since it may have read the results already.
    """
    prefix = f"ratings-{_slug(pool)}-"
    queue = _queue(client, RATINGS)
    if any(job_id.startswith(prefix) for job_id in queue.get_job_ids()):
        return False
    return _enqueue(client, _Job(RATINGS, f"{prefix}{secrets.token_hex(4)}", REFRESH_RATINGS, (pool,)))


def enqueue_insight(client: Redis, name: str, *key: int | str) -> bool:
    """Queue an insight, named by its kind and key; return False if it waits already, or the queue is full.

    It may be queued while another of its name runs, or after a worker died in one.
    """
    prefix = "-".join((name, *(_slug(str(part)) for part in key))) + "-"
    queued = _queue(client, CHANCES).get_job_ids()
    if len(queued) >= _MOST_CHANCES or any(job_id.startswith(prefix) for job_id in queued):
        return False
    arguments = (name, " ".join(map(str, key)))
    return _enqueue(client, _Job(CHANCES, f"{prefix}{secrets.token_hex(4)}", DERIVE_INSIGHT, arguments))


def requeue_blocks(client: Redis, blocks: Sequence[tuple[int, int]]) -> int:
    """Queue hints for the free blocks, tournament and number of each, that have none in the queue; return how many.

    All that is queued is read at once: there may be a thousand blocks, and this is called every second.
    """
    queued = set(_queue(client, BLOCKS).get_job_ids()) if blocks else set()
    missing = [block for block in blocks if _block_hint(*block).job_id not in queued]
    return sum(requeue_block(client, *block) for block in missing)


def requeue_block(client: Redis, tournament_id: int, number: int) -> bool:
    """Queue a hint for a free block, even if the entry of its last job is still there since a worker died.

    Return False if it is in the queue already.
    """
    job = _block_hint(tournament_id, number)
    if _enqueue(client, job):
        return True
    if client.lpos(_queue(client, job.queue).key, job.job_id) is not None:
        return False
    try:
        Job.fetch(job.job_id, connection=client, serializer=SERIALIZER).delete()
    except (NoSuchJobError, InvalidJobOperation, ValueError):
        # A worker has just ended this job, or is about to: RQ misses some of its entries, and may still write others.
        client.delete(Job.key_for(job.job_id), ExecutionRegistry(job.job_id, client).key)
    return _enqueue(client, job)


def drop_hint(client: Redis, tournament_id: int, number: int) -> None:
    """Take the hint for a block that was claimed without it out of the queue."""
    job = _block_hint(tournament_id, number)
    if client.lrem(_queue(client, job.queue).key, 1, job.job_id):
        client.delete(Job.key_for(job.job_id))


def _block_hint(tournament_id: int, number: int) -> _Job:
    job_id = f"block-{tournament_id}-{number}"
    return _Job(BLOCKS, job_id, PLAY_NEXT_BLOCK, ())


def _slug(text: str) -> str:
    """Return a text in the letters that RQ allows in a job id; different texts stay different."""
    return re.sub(r"[^A-Za-z0-9]", lambda letter: f"_{ord(letter[0]):x}_", text)


def _enqueue(client: Redis, job: _Job) -> bool:
    try:
        _queue(client, job.queue).enqueue_call(
            job.function,
            args=job.arguments,
            job_id=job.job_id,
            timeout=_NO_LIMIT,
            result_ttl=0,
            failure_ttl=_FAILED_KEPT_S,
            unique=True,
        )
    except DuplicateJobError:
        return False
    return True


def _queue(client: Redis, name: str) -> Queue:
    return Queue(name, connection=client, serializer=SERIALIZER)
