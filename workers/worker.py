"""The worker: RQ's work loop, one job at a time, in this process.

RQ provides the queues, unique job ids, and the loop that takes a job and calls its function; all in JSON.  The database
knows which worker has leased a block, and what is still to be played.  So nothing depends on RQ's own record of workers
and running jobs, and its recovery is not used:

    killed worker            its lease expires, and the reconciler queues the block again within 10 s
    Redis killed, hanging,   the worker plays on, block after block in the database's order, then waits until Redis is
    or refusing writes       back and the reconciler has queued again what is due
    Redis comes back empty   each heartbeat writes the worker's whole entry, so it is listed again within a second or two
    SIGTERM                  the running job stops (workers/context.py): it stores the results so far and gives its block
                             back, and the loop ends
    no referee               the worker takes no blocks until a referee answers; ratings and figures need none

Jobs run in the worker's own process (SimpleWorker): a fork per job costs 25 ms, and neither gRPC nor SQLite support
forks.  They set their own time limit, which follows from the time control.
"""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from redis.exceptions import RedisError
from rq import worker_registration
from rq.exceptions import InvalidJobOperation, NoSuchJobError, StopRequested
from rq.registry import FailedJobRegistry
from rq.timeouts import TimerDeathPenalty
from rq.utils import now
from rq.worker import SimpleWorker, WorkerStatus
from sqlalchemy.exc import DBAPIError

from arena.core import sd_notify
from arena.core.release import release
from arena.messaging import presence
from arena.messaging.job_queue import BLOCKS, CHANCES, RATINGS, SERIALIZER
from arena.storage.transient_errors import is_transient
from workers import job_functions
from workers.block_runner import wait_for_referee
from workers.figures.figures_share import FiguresShare
from workers.job_classes import ArenaJob, ArenaQueue, HintOfAnotherRelease

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
"""Seconds of one wait for a job."""
_WORKER_TTL_S = 10
"""Seconds for which Redis keeps a worker's entry after its last heartbeat."""
_RUNNING_TTL_S = 24 * 3600
"""Seconds for which Redis keeps the entries of a running job whose end is never recorded: longer than any job lasts."""
_PAUSE_S = 1.0
"""The pause after a job whose end could not be recorded in Redis, and between attempts to reach the database."""


class Worker(SimpleWorker):
    """Does the jobs of the queues until SIGTERM: ratings first, since they are short; then blocks; figures of past matches last.

    Figures get a fifth of the time while there are blocks to play (workers/figures/figures_share.py).
    """

    queue_class = ArenaQueue
    job_class = ArenaJob
    death_penalty_class = TimerDeathPenalty
    """RQ's default sets a SIGALRM; this one does nothing for jobs without a limit of RQ's, and the arena's have none."""
    exponential_backoff_factor = 1.0
    max_connection_wait_time = 1.0

    def __init__(self, client: Redis, context: Context, heartbeat: Heartbeat) -> None:
        self._context = context
        self._heartbeat = heartbeat
        self._figures = FiguresShare()
        self._is_looking = False
        """Whether the worker looks for a referee, in an event loop, where StopRequested must not be raised."""
        self._is_ending = False
        """Whether StopRequested has been raised: another one would come in the middle of the end."""
        super().__init__(
            [RATINGS, BLOCKS, CHANCES],
            name=context.name,
            connection=client,
            serializer=SERIALIZER,
            worker_ttl=_WORKER_TTL_S,
            log_job_description=False,
        )
        context.pulse = self.heartbeat

    @property
    def dequeue_timeout(self) -> int:
        """The seconds of one wait for a job.

        RQ derives it from the worker's TTL and its minute-long heartbeats; between waits this worker checks for referees.
        """
        return _DEQUEUE_S

    @property
    def connection_timeout(self) -> int:
        """The timeout of Redis connections, in seconds: RQ's ten more are too long when Redis hangs."""
        return _DEQUEUE_S + 1

    def get_heartbeat_ttl(self, _job: Job, _working_time: float = 0.0) -> int:
        """Return the seconds for which Redis keeps the entries of a running job.

        RQ's 90 s count on heartbeats during the job, which SimpleWorker does not send.
        """
        return _RUNNING_TTL_S

    def heartbeat(self, _timeout: int | None = None, pipeline: Any = None) -> None:  # noqa: ANN401
        """Record in Redis that this worker is alive, for the list of workers.

        RQ's own waits for Redis and fails with it; this one is posted and may be lost, since no decision depends on it.
        """
        self._heartbeat.beat()
        if pipeline is not None:
            super().heartbeat(_WORKER_TTL_S, pipeline)
        else:
            self.last_heartbeat = now()
            self._context.courier.post(self._enter)

    def register_birth(self) -> None:
        """Enter the list of workers by the first heartbeat.

        RQ's own ends the worker where Redis refuses writes, or has the entry of a killed one of the same name.
        """
        self.birth_date = now()
        self.heartbeat()

    def register_death(self) -> None:
        """Leave the list of workers, after the heartbeats that have been posted before."""

        def leave(client: Redis) -> None:
            with client.pipeline() as pipeline:
                worker_registration.unregister(self, pipeline)
                pipeline.delete(self.key, self.executions_key)
                pipeline.execute()

        self._context.courier.post(leave)

    def _enter(self, client: Redis) -> None:
        """Write the worker's whole entry, and enter it in the list of workers.

        RQ's own does so once, at the worker's birth; if Redis has come back empty since, or was full then, the worker would
        never be listed.
        """
        with client.pipeline() as pipeline:
            worker_registration.register(self, pipeline)
            pipeline.hset(self.key, mapping=cast("Any", self.serialize() | {"state": self._state}))
            pipeline.expire(self.key, _WORKER_TTL_S)
            pipeline.expire(self.executions_key, _WORKER_TTL_S)
            pipeline.execute()

    def set_state(self, state: str, pipeline: Any = None) -> None:  # noqa: ANN401
        """Set the worker's state, and post it to Redis: RQ's own fails when Redis does not answer."""
        self._state = state
        if pipeline is not None:
            super().set_state(state, pipeline)
        else:
            self._context.courier.post(lambda client: client.hset(self.key, "state", state))

    def serialize(self) -> dict[str, Any]:
        """Return the worker's entry in Redis: RQ's own fields, and the worker's release."""
        return {**super().serialize(), "release": release()}

    def subscribe(self) -> None:
        """Do nothing: RQ would accept commands over Redis, but access to Redis is no right to stop workers."""

    def _install_signal_handlers(self) -> None:
        """Handle SIGINT and SIGTERM, and only then report to the supervisor that this worker is ready: before, they would just kill it."""
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]
        sd_notify.tell(sd_notify.READY)

    def check_for_suspension(self, _burst: bool) -> None:  # noqa: FBT001 - RQ's signature
        """Do nothing: RQ would pause while a key in Redis says so, with the same objection as for `subscribe`."""

    def run_maintenance_tasks(self) -> None:
        """Remove workers that have died, and jobs that failed more than an hour ago, from RQ's registries.

        RQ's own also fails or requeues the jobs of dead workers, which is the reconciler's task, and fails with Redis.
        """
        with _tolerate_redis_outage("workers that are gone"):
            for queue in self.queues:
                worker_registration.clean_worker_registry(queue)
                FailedJobRegistry(queue=queue).cleanup()
        self.last_cleaned_at = now()  # type: ignore[assignment]  # RQ says None and means a time

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, _max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """Wait for a job; without a referee not for a block, without the database for none.

        RQ's own always waits on all queues, and needs Redis; this one plays on without it.
        """
        while True:
            self._await_database()
            if self._context.referees.due:
                self._look_for_referee()
            missing = self._context.referees.missing
            if self._context.courier.away and not missing and self._play_without_job():
                continue
            ratings, plays, figures = self.queues
            if missing:
                self._ordered_queues = [ratings, figures]
            elif self._figures.is_due:
                self._ordered_queues = [ratings, figures, plays]
            else:
                self._ordered_queues = [ratings, plays, figures]
            try:
                found: tuple[Job, Queue] | None = super().dequeue_job_and_maintain_ttl(timeout, timeout)
            except HintOfAnotherRelease:
                self._play_without_job()
                continue
            if found is not None:
                return found
            if self._stop_requested:
                raise StopRequested

    def _play_without_job(self) -> bool:
        """Play the block that is due first, without a job; return False if none is free."""
        self._state = WorkerStatus.BUSY
        try:
            return job_functions.claim_and_play(self._context)
        finally:
            self._state = WorkerStatus.IDLE
            if self._stop_requested:
                raise StopRequested

    def _await_database(self) -> None:
        """Wait until the database answers again, if it failed in the last job."""
        while self._context.database.lasts:
            try:
                self._context.store.version()
            except DBAPIError as error:
                if not is_transient(error):
                    raise
                self.heartbeat()
                time.sleep(_PAUSE_S)
            else:
                self._context.database.end()

    def _look_for_referee(self) -> None:
        """Check whether a referee answers, and publish whether this worker waits for one."""
        waited = self._context.referees.missing
        self._is_looking = True
        try:
            self._context.loop.run(wait_for_referee(self._context))
        except DBAPIError as error:
            if not is_transient(error):
                raise
        finally:
            self._is_looking = False
        if self._stop_requested:
            raise StopRequested
        if waited or self._context.referees.missing:
            waits = self._context.referees.missing
            self._context.courier.post(lambda client: presence.set_waiting(client, self.name, waits=waits))

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run a job; RQ's own would end the worker if Redis failed meanwhile."""
        began = time.monotonic()
        with _tolerate_redis_outage(f"the end of job {job.id}"):
            super().execute_job(job, queue)
            took_s = time.monotonic() - began
            if queue.name == BLOCKS:
                self._figures.played(took_s)
            elif queue.name == CHANCES:
                self._figures.computed(took_s)
            return
        self.executions.clear()
        self._state = WorkerStatus.IDLE
        time.sleep(_PAUSE_S)

    def _finalize_success(self, job: Job, queue: Queue, execution: Execution, return_value: Any) -> None:  # noqa: ANN401
        """Record the end of a job.  RQ's own counts a job whose entry was deleted as failed.

        The reconciler deletes the entry of a free block's hint, and queues it again, while the worker that took it plays
        another block, which was due first.
        """
        try:
            super()._finalize_success(job, queue, execution, return_value)
        except (InvalidJobOperation, NoSuchJobError):
            _log.debug("job %s was queued again while it ran", job.id)
            with self.connection.pipeline() as pipeline:
                self.cleanup_execution(job, pipeline=pipeline, execution=execution)
                pipeline.execute()

    def request_stop(self, _signum: int, _frame: FrameType | None) -> None:
        """Stop at once while idle, otherwise as soon as the job has given back its block.

        RQ's own lets the job run to its end, and treats a second signal as an order to abort it.
        """
        self._stop_requested = True
        if self.get_state() == WorkerStatus.BUSY:
            self._context.stop()
        elif not self._is_looking and not self._is_ending:
            self._is_ending = True
            raise StopRequested

    def teardown(self) -> None:
        """Sign off in Redis; RQ's own fails when Redis does not answer."""
        with _tolerate_redis_outage("its end"):
            super().teardown()  # type: ignore[no-untyped-call]


@contextmanager
def _tolerate_redis_outage(what: str) -> Iterator[None]:
    """Log errors of Redis instead of raising them."""
    try:
        yield
    except (RedisError, OSError) as error:
        _log.warning("Redis was not told of %s: %s", what, error)
