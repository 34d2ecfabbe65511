"""What the jobs of one worker process work with.

RQ calls a job by its name, with JSON for arguments; so what is not JSON stands here, in the one piece of state that
this process has: set once by `python -m workers`, before the first job.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.messaging import presence
from arena.messaging.job_queue import enqueue_ratings
from arena.messaging.progress_events import Event, publish
from arena.storage.diagnosis import cause, is_full
from workers.outage_log import Outage

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
    """How long a match waits for a bot, in seconds of the platform's uptime."""
    database: Outage = field(default_factory=lambda: Outage("the database"))
    pulse: Callable[[], None] = lambda: None
    """Called now and then by a job that runs: it shows that the worker lives."""
    _stopping: bool = False
    _interrupt: Callable[[], None] | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def stopping(self) -> bool:
        """Whether the worker was asked to stop."""
        return self._stopping

    def stop(self) -> None:
        """Ask the running job to stop; called by the handler of SIGTERM, so it may come between any two lines."""
        with self._lock:
            self._stopping = True
            interrupt = self._interrupt
        if interrupt is not None:
            interrupt()

    def interrupted_by(self, interrupt: Callable[[], None] | None) -> None:
        """Say how the running job is told to stop; None when there is none.  Told at once if it should already."""
        with self._lock:
            self._interrupt = interrupt
            late = self._stopping and interrupt is not None
        if late and interrupt is not None:
            interrupt()

    def lose_database(self, error: DBAPIError) -> None:
        """Take note of what the database refused for a reason that passes; where it has no room, all are told."""
        said = cause(error)
        self.database.begin(said)
        if is_full(said):
            self.courier.post(lambda client: presence.set_full(client, self.name))

    def want_ratings(self, pool: str) -> None:
        """Have a pool's Elo table computed soon; if Redis is away, the reconciler sees to it later."""
        self.courier.post(lambda client: enqueue_ratings(client, pool))

    def publish(self, stream: str, *events: Event) -> None:
        """Tell those who watch a stream what has changed."""
        self.courier.post(lambda client: publish(client, stream, *events))


_current: Context | None = None


def enter(context: Context) -> None:
    """Make a context that of this process."""
    global _current  # noqa: PLW0603 - see above
    _current = context


def current() -> Context:
    """Return the context of this process."""
    if _current is None:
        raise RuntimeError("jobs run in `python -m workers`, which makes their context")
    return _current
