"""The context of a worker's jobs: store, courier, referees.

RQ calls a job by its name with JSON arguments; so everything else is in one global of the process, which
`python -m workers` sets before the first job.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from arena.messaging import presence
from arena.messaging.job_queue import enqueue_ratings
from arena.messaging.progress_events import Event, publish
from arena.referee_client.kept_loop import KeptLoop
from arena.storage.diagnosis import cause, is_full
from workers.outage_log import Outage
from workers.worker_metrics import WorkerMetrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.exc import DBAPIError

    from arena.storage import Store
    from workers.redis_courier import Courier
    from workers.referee_selection import Referees


@dataclass(slots=True)
class Context:
    """The parts of one worker.  `name` is unique among the workers of all machines."""

    name: str
    store: Store
    courier: Courier
    referees: Referees
    absence_s: float
    """Seconds of the platform's uptime for which a match waits for a bot."""
    playing: tuple[int, float] | None = None
    """The tournament that it played last, and since when without another between, by the monotonic clock."""
    database: Outage = field(default_factory=lambda: Outage("the database"))
    metrics: WorkerMetrics = field(default_factory=WorkerMetrics)
    loop: KeptLoop = field(default_factory=KeptLoop)
    pulse: Callable[[], None] = lambda: None
    """Called once a second by a running job, as a heartbeat."""
    ratings_are_final: bool = False
    """Whether a tournament has ended, whose Elo table should not wait for the end of the job."""
    _unrated: set[str] = field(default_factory=set)
    """The pools that have had results since their Elo tables were queued."""
    _stopping: bool = False
    _interrupt: Callable[[], None] | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def stopping(self) -> bool:
        """Whether the worker was asked to stop."""
        return self._stopping

    def stop(self) -> None:
        """Ask the running job to stop; called by the handler of SIGTERM, so between any two statements."""
        with self._lock:
            self._stopping = True
            interrupt = self._interrupt
        if interrupt is not None:
            interrupt()

    def interrupted_by(self, interrupt: Callable[[], None] | None) -> None:
        """Set the function that stops the running job, None if there is none; it is called at once if the worker is stopping."""
        with self._lock:
            self._interrupt = interrupt
            is_stopping = self._stopping
        if is_stopping and interrupt is not None:
            interrupt()

    def lose_database(self, error: DBAPIError) -> None:
        """Record a transient error of the database; a full one is published for admins."""
        reason = cause(error)
        self.database.begin(reason)
        if is_full(reason):
            self.courier.post(lambda client: presence.set_full(client, self.name))

    def want_ratings(self, pool: str, *, final: bool) -> None:
        """Record that a pool has had results; `final` ends the job, so that its Elo table is computed now."""
        self._unrated.add(pool)
        self.ratings_are_final |= final

    async def queue_ratings(self) -> None:
        """Queue a refresh of the Elo tables of all pools that have had results, and wait until they are in the queue.

        If Redis does not answer, the reconciler does it later.
        """
        pools, self._unrated, self.ratings_are_final = sorted(self._unrated), set(), False
        for pool in pools:
            await self.courier.ask(partial(enqueue_ratings, pool=pool))

    def publish(self, stream: str, *events: Event) -> None:
        """Publish events on a stream."""
        self.courier.post(lambda client: publish(client, stream, *events))


_current: Context | None = None


def enter(context: Context) -> None:
    """Set the context of this process."""
    global _current  # noqa: PLW0603 - see above
    _current = context


def current() -> Context:
    """Return the context of this process."""
    if _current is None:
        raise RuntimeError("jobs run in `python -m workers`, which makes their context")
    return _current
