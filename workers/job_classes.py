"""RQ's jobs and queues, restricted to the arena's jobs: no name in Redis is imported, no callback or webhook is run."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DequeueTimeout
from rq.job import Job

from arena.messaging import refused_jobs
from arena.messaging.job_calls import (
    DERIVE_INSIGHT,
    PLAY_NEXT_BLOCK,
    REFRESH_RATINGS,
    ForeignJob,
    JobOfAnotherRelease,
    read_call,
    shorten,
)
from arena.messaging.job_queue import BLOCKS
from workers import job_functions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from redis import Redis

_log = logging.getLogger(__name__)

_PAUSE_S = 1.0
"""The pause after Redis did not answer."""
_FUNCTIONS: Mapping[str, Callable[..., None]] = {
    PLAY_NEXT_BLOCK: job_functions.play_next_block,
    REFRESH_RATINGS: job_functions.refresh_ratings,
    DERIVE_INSIGHT: job_functions.derive_insight,
}


class ArenaJob(Job):
    """A job of the arena; any other cannot be read from Redis."""

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Read the job's hash, if it has no field that the arena does not set, such as callbacks or webhooks.  Raises ForeignJob."""
        fields = {name.decode("ascii", "backslashreplace"): value for name, value in raw_data.items()}
        call = read_call(fields)
        try:
            super().restore(raw_data)
            is_same = (self.func_name, tuple(self.args)) == (call.function, call.arguments)
        except Exception as error:
            raise ForeignJob(f"RQ cannot read it: {shorten(repr(error).encode())}", str(call)) from error
        if not is_same:
            raise ForeignJob("RQ reads another call in it", str(call))

    @property
    def func(self) -> Callable[..., None]:
        """The function, looked up by its name; RQ would import it."""
        return _FUNCTIONS[str(self.func_name)]


class HintOfAnotherRelease(Exception):  # noqa: N818 - it reads as a sentence
    """Raised when a hint for a block was queued by another release: there is a block to play."""


class ArenaQueue(Queue):
    """A queue that returns the arena's jobs only, and none while Redis does not answer."""

    job_class = ArenaJob

    @classmethod
    def dequeue_any(cls, *arguments: Any, **more: Any) -> tuple[Job, Queue] | None:  # noqa: ANN401 - RQ's signature
        """Wait for a job of the arena.  Raises DequeueTimeout, also when Redis fails, and HintOfAnotherRelease.

        RQ's own ends the worker when Redis fails or a job cannot be read.
        """
        while True:
            try:
                found: tuple[Job, Queue] | None = super().dequeue_any(*arguments, **more)
            except (RedisError, OSError) as error:
                time.sleep(_PAUSE_S)
                raise DequeueTimeout from error
            except JobOfAnotherRelease as error:
                _drop(more["connection"], error)
                queue = getattr(error, "queue", None)
                if queue is not None and queue.name == BLOCKS:
                    raise HintOfAnotherRelease from error
            except (ForeignJob, ValueError) as error:  # ValueError: of an id that RQ does not accept
                _refuse(more["connection"], error)
            else:
                return found


def _drop(client: Redis, error: JobOfAnotherRelease) -> None:
    """Delete a job that another release queued in its own format: the reconciler queues a new one if it is still due.

    If the reconciler is of that release, too, only a hint for a block is of use: the block is played without it.
    """
    job_id = _id_of(error)
    _log.info("job %s was dropped: %s (%s)", shorten(job_id.encode()), error, error.work)
    _delete(client, job_id)


def _refuse(client: Redis, error: ForeignJob | ValueError) -> None:
    """Log a foreign job, record it for admins to see, and delete it."""
    job_id = _id_of(error)
    queue = getattr(error, "queue", None)
    name = "" if queue is None else shorten(queue.name.encode())
    work = error.work if isinstance(error, ForeignJob) else ""
    reason = str(error) if isinstance(error, ForeignJob) else "its id is none that the arena gives"
    _log.warning(
        "a foreign job was refused: %s in queue %s: %s; who may write to the arena's Redis? (%s)",
        shorten(job_id.encode()) or "one without a name",
        name or "?",
        reason,
        work,
    )
    try:
        refused_jobs.note(client, name, job_id, work, reason)
    except (RedisError, OSError) as failure:
        _log.debug("it could not be recorded for admins: %s", failure)
    _delete(client, job_id)


def _id_of(error: Exception) -> str:
    """Return the id that RQ attaches to an error of reading a job; empty if there is none."""
    return str(getattr(error, "job_id", ""))


def _delete(client: Redis, job_id: str) -> None:
    try:
        client.delete(f"{Job.redis_job_namespace_prefix}{job_id}")
    except (RedisError, OSError) as failure:
        _log.debug("job %s could not be deleted: %s", shorten(job_id.encode()), failure)
