"""The queue: hints to the workers about what wants doing.

Only hints.  What is to be done, and who does it, stands in the database: a job names a block or a pool, and whoever
takes it claims that in the database first.  So a job that is queued twice, or late, does no harm, and one that is
lost is queued again by the reconciler (workers/reconciler.py).  Of RQ we use its queues, its unique job ids and its
work loop; not its retries, registries, results or scheduler.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job
from rq.serializers import JSONSerializer

from arena.messaging.job_calls import PLAY_BLOCK, REFRESH_RATINGS

if TYPE_CHECKING:
    from redis import Redis

BLOCKS = "blocks"
RATINGS = "ratings"
SERIALIZER = JSONSerializer
"""Never pickle, which runs code while it is read.  JSON alone does not make Redis harmless: RQ imports what a job names, so
workers read jobs by `arena.messaging.job_calls`, which takes our two functions and nothing else."""

_NO_LIMIT = -1
"""RQ sets no time limit: the job knows the time control, and limits itself."""
_FAILED_KEPT_S = 3600


@dataclass(frozen=True, slots=True)
class _Work:
    """One kind of job: where it is queued, under which id, and the function that does it."""

    queue: str
    job_id: str
    function: str
    arguments: tuple[int | str, ...]


def enqueue_block(client: Redis, tournament_id: int, number: int) -> bool:
    """Queue a block.  False if it is queued already, or running."""
    return _enqueue(client, _block(tournament_id, number))


def enqueue_ratings(client: Redis, pool: str) -> bool:
    """Queue the computing of a pool's Elo table.  False if it waits in the queue already.

    One that is running does not count, since it may have read its sums already.
    """
    prefix = f"ratings-{_slug(pool)}-"
    queue = _queue(client, RATINGS)
    if any(job_id.startswith(prefix) for job_id in queue.get_job_ids()):
        return False
    return _enqueue(client, _Work(RATINGS, f"{prefix}{secrets.token_hex(4)}", REFRESH_RATINGS, (pool,)))


def requeue_block(client: Redis, tournament_id: int, number: int) -> bool:
    """Queue a block that nobody holds, even where the job of a worker that died stands in the way.

    False if it waits in the queue.
    """
    work = _block(tournament_id, number)
    if _enqueue(client, work):
        return True
    if client.lpos(_queue(client, work.queue).key, work.job_id) is not None:
        return False
    try:
        Job.fetch(work.job_id, connection=client, serializer=SERIALIZER).delete()
    except NoSuchJobError:
        client.delete(
            Job.key_for(work.job_id)
        )  # what RQ writes of a job when it ends, even where it was deleted meanwhile
    return _enqueue(client, work)


def _block(tournament_id: int, number: int) -> _Work:
    job_id = f"block-{tournament_id}-{number}"
    return _Work(BLOCKS, job_id, PLAY_BLOCK, (tournament_id, number))


def _slug(text: str) -> str:
    """Write any text with the letters that RQ allows in a job id; different texts stay different."""
    return re.sub(r"[^A-Za-z0-9]", lambda letter: f"_{ord(letter[0]):x}_", text)


def _enqueue(client: Redis, work: _Work) -> bool:
    try:
        _queue(client, work.queue).enqueue_call(
            work.function,
            args=work.arguments,
            job_id=work.job_id,
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
