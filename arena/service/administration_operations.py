"""Administration: queues, jobs, workers, referees, warnings, faults and suspensions, for admins."""

from __future__ import annotations

from dataclasses import asdict
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, TypeAlias

from arena.competition.qualification import suspensions
from arena.messaging import presence, queue_status
from arena.operations import failed_jobs, worker_status
from arena.operations.start_checks import known_warnings
from arena.reports import fault_reports
from arena.service.composed_answers import BusyWorker, Faults, Queues, Workers
from arena.service.noun import Noun, writes
from arena.service.paging import DEFAULT_LIMIT, Pages, listed, newest_first

if TYPE_CHECKING:
    from arena.competition.qualification.suspensions import SuspendedVersion
    from arena.messaging.presence import RefereeRow
    from arena.operations.start_checks.known_warnings import SetupWarning
    from arena.operations.worker_status import MatchesPerMinute
    from arena.reports.fault_reports import FaultRow

FaultKind: TypeAlias = Literal["", "illegal action", "timeout", "crash", "protocol"]


class Administration(Noun):
    """The operations of admins; all raise Refusal for others."""

    def show_queues(self) -> Queues:
        """Return the lengths of the queues, the jobs that failed, and what the store says is to be played."""
        return Queues(
            queues=queue_status.queues(self._redis),
            backlog=worker_status.backlog(self._store, self._actor),
            failed=queue_status.failed(self._redis),
        )

    @writes
    def retry_job(self, job_id: str) -> None:
        """Queue a failed job again.  Raises Refusal for an unknown one."""
        failed_jobs.retry(self._store, self._redis, self._actor, job_id)

    @writes
    def forget_job(self, job_id: str) -> None:
        """Delete a failed job; work that the store still lists is queued again automatically."""
        failed_jobs.forget(self._store, self._redis, self._actor, job_id)

    def show_workers(self) -> Workers:
        """Return the workers that live and what they play, and the blocks of those that do not."""
        held = worker_status.leased_blocks(self._store, self._actor)
        rows = queue_status.workers(self._redis)
        names = {row.name for row in rows}
        return Workers(
            workers=tuple(
                BusyWorker(**asdict(row), blocks=tuple(each for each in held if each.worker == row.name))
                for row in rows
            ),
            lost=tuple(each for each in held if each.worker not in names),
        )

    def show_referees(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[RefereeRow]:
        """List the referees, how bots reach them, and what keeps hosted bots from doing harm."""
        self._actor.require("admin")
        return listed(presence.overview(self._redis), limit=limit, cursor=cursor)

    def show_warnings(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[SetupWarning]:
        """List the problems of the set-up that a part has found and that still hold."""
        return listed(known_warnings.listing(self._redis, self._actor), limit=limit, cursor=cursor)

    def show_throughput(
        self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[MatchesPerMinute]:
        """List how many matches were played in each minute of the last hour, the oldest first."""
        return listed(worker_status.throughput(self._store, self._actor), limit=limit, cursor=cursor)

    def show_faults(
        self,
        *,
        kind: FaultKind = "",
        bot: str = "",
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Faults:
        """Return faults of all tournaments, the newest first, and the bots at fault most often; details only of public matches."""

        def read(before: int | None, most: int) -> tuple[FaultRow, ...]:
            return fault_reports.listing(
                self._store, self._actor, kind=kind, bot=bot, before=before, most=most
            )

        page = newest_first(read, attrgetter("id"), limit=limit or DEFAULT_LIMIT, cursor=cursor or None).first
        return Faults(page.items, fault_reports.tally(self._store, self._actor), page.next)

    def list_suspensions(
        self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[SuspendedVersion]:
        """List the versions that play no more for their faults; `bots.restore_version` brings one back."""
        return listed(suspensions.listing(self._store, self._actor), limit=limit, cursor=cursor)
