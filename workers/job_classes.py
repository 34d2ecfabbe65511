"""RQ's jobs and queues, held to what the arena queues: nothing that stands in Redis is imported, called back or sent."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DequeueTimeout
from rq.job import Job

from arena.messaging import refused_jobs
from arena.messaging.job_calls import PLAY_BLOCK, REFRESH_RATINGS, ForeignJob, read_call, shorten
from workers import job_functions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from redis import Redis

_log = logging.getLogger(__name__)

_AWAY_S = 1.0
"""The pause after Redis did not answer."""
_FUNCTIONS: Mapping[str, Callable[..., None]] = {
    PLAY_BLOCK: job_functions.play_block,
    REFRESH_RATINGS: job_functions.refresh_ratings,
}


class OwnJob(Job):
    """A job of ours; any other cannot be made from what stands in Redis."""

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Take over what stands in Redis.  Raises ForeignJob."""
        found = {name.decode("ascii", "backslashreplace"): value for name, value in raw_data.items()}
        call = read_call(found)
        try:
            super().restore(raw_data)
            same = (self.func_name, tuple(self.args)) == (call.function, call.arguments)
        except Exception as error:
            raise ForeignJob(f"RQ cannot read it: {shorten(repr(error).encode())}", str(call)) from error
        if not same:
            raise ForeignJob("RQ reads another call in it", str(call))

    @property
    def func(self) -> Callable[..., None]:
        """The function: looked up, never imported."""
        return _FUNCTIONS[str(self.func_name)]

    @property
    def success_callback(self) -> None:
        """None: it would be imported."""

    @property
    def failure_callback(self) -> None:
        """None: it would be imported."""

    @property
    def stopped_callback(self) -> None:
        """None: it would be imported."""

    def send_webhooks(self, *_arguments: object, **_more: object) -> None:
        """Send nothing to addresses that stand in Redis."""


class OwnQueue(Queue):
    """A queue that gives our jobs only, and none where Redis does not answer."""

    job_class = OwnJob

    @classmethod
    def dequeue_any(cls, *arguments: Any, **more: Any) -> tuple[Job, Queue] | None:  # noqa: ANN401 - RQ's signature
        """Wait for a job of ours.  Raises DequeueTimeout."""
        while True:
            try:
                found: tuple[Job, Queue] | None = super().dequeue_any(*arguments, **more)
            except (RedisError, OSError) as error:
                time.sleep(_AWAY_S)
                raise DequeueTimeout from error
            except (ForeignJob, ValueError) as error:  # ValueError: of an id that RQ does not take
                _refuse(more["connection"], error)
            else:
                return found


def _refuse(client: Redis, error: ForeignJob | ValueError) -> None:
    """Log a foreign job, keep it for admins to see, and forget it."""
    job_id = str(getattr(error, "job_id", ""))
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
        client.delete(f"{Job.redis_job_namespace_prefix}{job_id}")
    except (RedisError, OSError) as away:
        _log.debug("it could not be kept for admins: %s", away)
