"""The worker: RQ's work loop, one job at a time, in this process.

What we rely on.  From RQ: queues that are waited on, unique job ids, and the loop that takes a job and calls its
function; all in JSON.  From the database: who holds a block (a lease that its holder renews) and what is still to be
played.  So nothing depends on what RQ knows about workers and running jobs, and none of its rescue works here:

    killed worker   its lease runs out, the reconciler queues the block again        within 10 s
    killed Redis, or one that hangs    the worker plays on, block after block, which are due the database says; then it
                    waits here until Redis is back, and takes what the reconciler has queued again
    SIGTERM         the running job is told to stop (workers/context.py): it stores what has come, gives its block
                    back, and the loop ends
    no referee      the worker takes no blocks until one answers; ratings need none

Jobs run in the worker's own process (SimpleWorker): a fork per job costs 25 ms, and neither gRPC nor SQLite may be
carried over a fork.  They set their own time limit, which follows from the time control.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from redis.exceptions import RedisError
from rq import worker_registration
from rq.exceptions import InvalidJobOperation, NoSuchJobError, StopRequested
from rq.timeouts import TimerDeathPenalty
from rq.utils import now
from rq.worker import SimpleWorker, WorkerStatus
from sqlalchemy.exc import DBAPIError

from arena.messaging import presence
from arena.messaging.job_queue import BLOCKS, RATINGS, SERIALIZER
from arena.storage.transient_errors import is_transient
from workers import job_functions
from workers.block_runner import look_for_referee
from workers.job_classes import OwnJob, OwnQueue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from redis import Redis
    from rq import Queue
    from rq.executions import Execution
    from rq.job import Job

    from workers.context import Context
    from workers.heartbeat import Heartbeat

_log = logging.getLogger(__name__)

_DEQUEUE_S = 2
"""How long one wait for a job lasts."""
_KNOWN_S = 10
"""How long Redis knows a worker after its last sign of life."""
_RUNNING_KEPT_S = 24 * 3600
"""How long Redis keeps what RQ writes about a running job, if its end never comes: longer than any job."""
_AWAY_S = 1.0
"""The pause after a job whose end Redis could not be told of, and before a database that was away is asked again."""


class Worker(SimpleWorker):
    """Takes blocks and ratings from the queue until SIGTERM; ratings come first, since they are short."""

    queue_class = OwnQueue
    job_class = OwnJob
    death_penalty_class = TimerDeathPenalty
    """Sets no alarm for jobs without a limit of RQ's, and ours have none."""
    exponential_backoff_factor = 1.0
    max_connection_wait_time = 1.0

    def __init__(self, client: Redis, context: Context, heartbeat: Heartbeat) -> None:
        self._context = context
        self._heartbeat = heartbeat
        self._looking = False
        """Whether a referee is looked for between two jobs: an event loop is no place to raise StopRequested in."""
        super().__init__(
            [RATINGS, BLOCKS],
            name=context.name,
            connection=client,
            serializer=SERIALIZER,
            worker_ttl=_KNOWN_S,
            log_job_description=False,
        )
        context.pulse = self.heartbeat

    @property
    def dequeue_timeout(self) -> int:
        """How long one wait for a job lasts, in seconds."""
        return _DEQUEUE_S

    @property
    def connection_timeout(self) -> int:
        """How long a command may take at least: RQ's ten seconds are too long for a Redis that hangs."""
        return _DEQUEUE_S + 1

    def get_heartbeat_ttl(self, _job: Job, _working_time: float = 0.0) -> int:
        """How long Redis keeps what it knows of a running job, in seconds."""
        return _RUNNING_KEPT_S

    def heartbeat(self, _timeout: int | None = None, pipeline: Any = None) -> None:  # noqa: ANN401
        """Show Redis that this worker lives; for those who count workers, nothing hangs on it."""
        self._heartbeat.beat()
        if pipeline is not None:
            super().heartbeat(_KNOWN_S, pipeline)
        else:
            # RQ calls the same methods of a pipeline and of a client.
            self._context.courier.post(
                lambda client: super(Worker, self).heartbeat(_KNOWN_S, cast("Any", client))
            )

    def set_state(self, state: str, pipeline: Any = None) -> None:  # noqa: ANN401
        """Remember what this worker does, and show it to Redis if that is there."""
        self._state = state
        if pipeline is not None:
            super().set_state(state, pipeline)
        else:
            self._context.courier.post(lambda client: client.hset(self.key, "state", state))

    def subscribe(self) -> None:
        """Take no commands over Redis: access to Redis is not the right to stop workers."""

    def check_for_suspension(self, _burst: bool) -> None:  # noqa: FBT001 - RQ's signature
        """Take no orders to pause over Redis either."""

    def run_maintenance_tasks(self) -> None:
        """Forget workers that are gone; jobs that are gone are the reconciler's."""
        with _away("workers that are gone"):
            for queue in self.queues:
                worker_registration.clean_worker_registry(queue)
        self.last_cleaned_at = now()  # type: ignore[assignment]  # RQ says None and means a time

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, _max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """Wait for a job; while no referee answers, not for a block; while the database does not, for none."""
        while True:
            self._await_database()
            if self._context.referees.due:
                self._look_for_referee()
            missing = self._context.referees.missing
            if self._context.courier.away and not missing and self._play_without_redis():
                continue
            # Of a single queue RQ moves each job to a list of its own first, which nobody empties: so it stands there twice.
            self._ordered_queues = [self.queues[0]] * 2 if missing else self.queues[:]
            found: tuple[Job, Queue] | None = super().dequeue_job_and_maintain_ttl(timeout, timeout)
            if found is not None:
                return found
            if self._stop_requested:
                raise StopRequested

    def _play_without_redis(self) -> bool:
        """Play the block that is due first, without a job that says so; False if there is none."""
        self._state = WorkerStatus.BUSY
        try:
            return job_functions.play_next(self._context)
        finally:
            self._state = WorkerStatus.IDLE
            if self._stop_requested:
                raise StopRequested

    def _await_database(self) -> None:
        """Wait until the database answers, if it did not when it was last asked for something."""
        while self._context.database.lasts:
            try:
                self._context.store.version()
            except DBAPIError as error:
                if not is_transient(error):
                    raise
                self.heartbeat()
                time.sleep(_AWAY_S)
            else:
                self._context.database.end()

    def _look_for_referee(self) -> None:
        """See whether a referee answers; say whether this worker waits for one."""
        waited = self._context.referees.missing
        self._looking = True
        try:
            asyncio.run(look_for_referee(self._context))
        except DBAPIError as error:
            if not is_transient(error):
                raise
        finally:
            self._looking = False
        if self._stop_requested:
            raise StopRequested
        if waited or self._context.referees.missing:
            waits = self._context.referees.missing
            self._context.courier.post(lambda client: presence.set_waiting(client, self.name, waits=waits))

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run a job; that Redis went away meanwhile is no reason to end."""
        with _away(f"the end of job {job.id}"):
            super().execute_job(job, queue)
            return
        self.executions.clear()
        self._state = WorkerStatus.IDLE
        time.sleep(_AWAY_S)

    def _finalize_success(self, job: Job, queue: Queue, execution: Execution, return_value: Any) -> None:  # noqa: ANN401
        """Note the end of a job; one whose entry is gone has not failed.

        The reconciler deletes the entry of a block that nobody holds, and queues it anew, while a worker that took its job
        plays another block that was due first.
        """
        try:
            super()._finalize_success(job, queue, execution, return_value)
        except (InvalidJobOperation, NoSuchJobError):
            _log.debug("job %s was queued anew while it ran", job.id)
            with self.connection.pipeline() as pipeline:
                self.cleanup_execution(job, pipeline=pipeline, execution=execution)
                pipeline.execute()

    def request_stop(self, _signum: int, _frame: FrameType | None) -> None:
        """Stop: at once while idle, else as soon as the job has handed back what it holds."""
        self._stop_requested = True
        if self.get_state() == WorkerStatus.BUSY:
            self._context.stop()
        elif not self._looking:
            raise StopRequested

    def teardown(self) -> None:
        """Sign off, if Redis is there to hear it."""
        with _away("its end"):
            super().teardown()  # type: ignore[no-untyped-call]


@contextmanager
def _away(what: str) -> Iterator[None]:
    """Go on where Redis cannot be told of something."""
    try:
        yield
    except (RedisError, OSError) as error:
        _log.warning("Redis was not told of %s: %s", what, error)
