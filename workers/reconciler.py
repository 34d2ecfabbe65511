"""The reconciler: queues a job for each block that is free, as the database says.

All block jobs are queued here: for the blocks of a new tournament, those that a stopped worker gave back, those whose
worker was killed (its lease has expired), and all of them when Redis has come back empty.  So tournaments are created
without Redis, and no failure of Redis loses work; Redis only wakes the reconciler at once.  Every worker process has a
reconciler in a thread; a lease makes one of them active.  It also counts the platform's uptime and deletes expired data.

Workers take turns: what the task costs in time and memory is shared by all, and each has done it long before another one dies.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from redis.exceptions import RedisError
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from arena.competition import ladders, retention, settlement, stages
from arena.competition.matches import blocks, running_totals, uptime
from arena.competition.qualification import arrivals, suspensions
from arena.competition.retention import RetentionPolicy
from arena.core.unforeseen_errors import UnforeseenErrors
from arena.messaging import part_presence
from arena.messaging.job_queue import enqueue_insight, enqueue_ratings, requeue_blocks
from arena.messaging.wakeup import Listener
from arena.rankings import public_ratings
from arena.reports.insights.drama_measurement import NEWEST_DRAMA
from arena.reports.insights.puzzle_search import PUZZLES
from arena.storage import leases
from arena.storage.database_clock import read_time
from arena.storage.transient_errors import is_transient
from workers.outage_log import Outage

if TYPE_CHECKING:
    from redis import Redis

    from arena.storage import Store

_log = logging.getLogger(__name__)

T = TypeVar("T")

EVERY_S = 1.0
LEASE_S = 3.0
"""A reconciler that was killed is replaced after this time."""
TURN_S = 60.0
"""Seconds for which a worker is the reconciler before it leaves that to another, if there is one."""
REST_S = 2 * EVERY_S
"""Seconds for which it then waits: all others check within this time whether there is a reconciler."""
_RATINGS_EVERY_S = 10.0
"""The interval at which a refresh of each pool is queued, in case one was lost with Redis, and expired suspensions are lifted."""
_DRAMA_EVERY_S = 30.0
"""The interval at which the drama of the newest matches is queued, for workers that have nothing to play."""
_PRUNE_EVERY_S = 3600.0
_PURPOSE = "reconciler"


class Reconciler:
    """A thread that reconciles the queue with the database until it is closed."""

    def __init__(
        self,
        store: Store,
        client: Redis,
        name: str,
        keep: RetentionPolicy = RetentionPolicy(),  # noqa: B008 - frozen
        submissions_per_day: int = 50,
    ) -> None:
        self._store = store
        self._keep = keep
        self._submissions_per_day = submissions_per_day
        self._client = client
        self._name = name
        self._closing = threading.Event()
        self._woken = threading.Event()
        self._listener = Listener(client, self._woken.set)
        self._thread = threading.Thread(target=self._work, name=_PURPOSE, daemon=True)
        self._ratings_at = time.monotonic() + _RATINGS_EVERY_S
        self._drama_at = time.monotonic() + _DRAMA_EVERY_S
        self._prune_at = time.monotonic()
        self._counted_at: float | None = None
        """Until when this process has counted the uptime; None while another does."""
        self._turn_ends_at: float | None = None
        """When it leaves the lease to another process; None while another has it."""
        self._rests_until = time.monotonic()
        self._settled = False
        self._outage = Outage("the queue or the database, for the reconciler,")
        self._errors = UnforeseenErrors(_log)
        self._missing: Exception | None = None
        """The error that showed in this round that Redis or the database is away."""

    def start(self) -> None:
        """Begin."""
        self._listener.start()
        self._thread.start()

    def close(self) -> None:
        """End, and release the lease for another process."""
        self._closing.set()
        self._listener.close()
        self._woken.set()
        self._thread.join()
        leases.leave(self._store, _PURPOSE, self._name)

    def reconcile(self) -> int:
        """Queue the free blocks that have no job; return how many.  Does nothing if another process is the reconciler.

        A step that fails does not keep those after it from being done, even if it fails each time.
        """
        self._missing = None
        if time.monotonic() < self._rests_until or not leases.take(
            self._store, _PURPOSE, self._name, LEASE_S
        ):
            self._counted_at = self._turn_ends_at = None
            return 0
        if self._turn_ends_at is None:
            self._turn_ends_at = time.monotonic() + TURN_S
        self._do("counting the platform's uptime", self._count_uptime)
        self._decide()
        is_ratings_due = time.monotonic() >= self._ratings_at
        if is_ratings_due:
            self._ratings_at = time.monotonic() + _RATINGS_EVERY_S
            self._do("lifting suspensions", lambda: suspensions.lift(self._store))
        self._do("deleting what has expired", self._prune)
        count = self._do("queueing free blocks", self._queue_blocks) or 0
        if is_ratings_due:
            self._do("queueing the pools' ratings", self._queue_ratings)
        if time.monotonic() >= self._drama_at:
            self._drama_at = time.monotonic() + _DRAMA_EVERY_S
            self._do("queueing the newest drama", lambda: enqueue_insight(self._client, NEWEST_DRAMA.name))
            self._do("queueing the puzzles", lambda: enqueue_insight(self._client, PUZZLES.name))
        if self._missing is None:
            self._outage.end()
        else:
            self._note_outage(self._missing)
        if time.monotonic() >= self._turn_ends_at and self._do("looking for other workers", self._has_others):
            self._hand_over()
        return count

    def _has_others(self) -> bool:
        parts = part_presence.listing(self._client)
        return any(part.kind == "worker" and part.name != self._name for part in parts)

    def _hand_over(self) -> None:
        leases.leave(self._store, _PURPOSE, self._name)
        self._counted_at = self._turn_ends_at = None
        self._rests_until = time.monotonic() + REST_S

    def _decide(self) -> None:
        """Make the decisions that are due: of ladders and qualifications, and those that a killed process left."""
        if not self._settled:
            self._do("settling what an earlier process left", self._settle)
        for tournament_id in self._do("finding tournaments to decide", lambda: stages.due(self._store)) or ():
            self._do(
                f"deciding tournament {tournament_id}",
                partial(settlement.advance, self._store, tournament_id),
            )
        now = self._do("reading the database's clock", self._read_time)
        if now is None:
            return
        most = self._submissions_per_day
        for version_id in self._do("finding arrivals", lambda: arrivals.due(self._store, now, most)) or ():
            self._do(
                f"qualifying version {version_id}",
                partial(arrivals.begin, self._store, version_id, now, most),
            )
        for ladder_id in self._do("finding ladders to advance", lambda: ladders.due(self._store, now)) or ():
            self._do(
                f"advancing ladder {ladder_id}", partial(ladders.advance_one, self._store, ladder_id, now)
            )

    def _do(self, step: str, work: Callable[[], T]) -> T | None:
        """Do a step and return what it returns, None if it failed.  Raises what shows that the database is away."""
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - whatever it is
            if not _is_outage(error):
                self._errors.report(step, error)
                return None
            self._missing = self._missing or error
        leases.take(
            self._store, _PURPOSE, self._name, LEASE_S
        )  # without the database nothing else would work
        return None

    def _note_outage(self, error: Exception) -> None:
        self._outage.begin(error.orig if isinstance(error, DBAPIError) else error)
        self._ratings_at = 0.0
        if isinstance(error, RedisError):
            self._counted_at = None

    def _settle(self) -> None:
        running_totals.recount_old(self._store)
        settlement.settle_all(self._store)
        self._settled = True

    def _read_time(self) -> float:
        with self._store.read() as session:
            return read_time(session)

    def _queue_blocks(self) -> int:
        free = [(key.tournament_id, key.number) for key in blocks.reconcile(self._store)]
        return requeue_blocks(self._client, free)

    def _queue_ratings(self) -> None:
        for pool in public_ratings.pools(self._store):
            enqueue_ratings(self._client, pool.key)

    def _prune(self) -> None:
        """Delete expired data once an hour, one batch at a time, so that no other task is delayed."""
        if time.monotonic() >= self._prune_at:
            pruned = retention.prune(self._store, self._keep, batches=1)
            self._prune_at = time.monotonic() + (0.0 if pruned.more else _PRUNE_EVERY_S)
            if pruned.records or pruned.outputs or pruned.uploads:
                _log.info(
                    "deleted: %d records, %d outputs, %d uploads",
                    pruned.records,
                    pruned.outputs,
                    pruned.uploads,
                )

    def _count_uptime(self) -> None:
        """Add the time since the last count, at most the lease: another process may have counted the rest."""
        now = time.monotonic()
        if self._counted_at is not None:
            uptime.advance(self._store, min(now - self._counted_at, LEASE_S))
        self._counted_at = now

    def _work(self) -> None:
        while True:
            self._woken.wait(EVERY_S)
            self._woken.clear()
            if self._closing.is_set():
                return
            try:
                count = self.reconcile()
            except Exception as error:  # noqa: BLE001 - without a reconciler no block would ever be queued
                self._counted_at = None
                if _is_outage(error):
                    self._note_outage(error)
                else:
                    self._errors.report("the reconciler", error)
            else:
                if count:
                    _log.info("%d blocks queued", count)


def _is_outage(error: Exception) -> bool:
    """Return whether an error shows that Redis or the database is away, and not that something is wrong here."""
    if isinstance(error, DBAPIError):
        return is_transient(error)
    return isinstance(error, (RedisError, SQLAlchemyError, OSError))
