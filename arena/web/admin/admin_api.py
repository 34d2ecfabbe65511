"""What admins look at: queues, workers, referees, faults; and the jobs that failed, tried again or forgotten."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from operator import attrgetter
from typing import Annotated, Literal

from fastapi import Depends, Path, Query

from arena.accounts.actors import Actor
from arena.competition.qualification import suspensions
from arena.competition.qualification.suspensions import SuspendedVersion
from arena.messaging import presence, queue_status
from arena.messaging.presence import RefereeRow
from arena.operations import failed_jobs, worker_status
from arena.operations.start_checks import known_warnings
from arena.operations.start_checks.known_warnings import SetupWarning
from arena.operations.worker_status import MatchesPerMinute
from arena.reports import fault_reports
from arena.reports.fault_reports import FaultRow
from arena.service.paging import listed, newest_first
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.admin import admin_schemas
from arena.web.auth.api_auth import require_scope
from arena.web.auth.api_router import api_router
from arena.web.http.list_answers import USE_LIMIT, Before, Listed, ThePaging
from arena.web.http.path_parameters import TheQueue, TheStore
from arena.web.http.problems import answers

router = api_router("/admin", tags=["admin"], dependencies=[Depends(keep_nowhere)])

_REFUSALS = answers(401, 403, 422, 429, 503)
Admin = Annotated[Actor, require_scope("admin")]
JobId = Annotated[str, Path(max_length=200, description="The job's id.", examples=["block-7-3"])]
Kind = Literal["", "illegal action", "timeout", "crash", "protocol"]


@router.get("/queues", summary="Show the queues", responses=_REFUSALS)
def show_queues(store: TheStore, queue: TheQueue, admin: Admin) -> admin_schemas.Queues:
    """How long they are, since when the oldest job waits, what failed, and what the store says is to be played."""
    return admin_schemas.Queues(
        queues=queue_status.queues(queue),
        backlog=worker_status.backlog(store, admin),
        failed=queue_status.failed(queue),
    )


@router.post(
    "/jobs/{job_id}/retry",
    status_code=204,
    summary="Try a job again",
    responses={**_REFUSALS, **answers(404)},
)
def retry_job(store: TheStore, queue: TheQueue, admin: Admin, job_id: JobId) -> None:
    """Queue a job that failed once more."""
    failed_jobs.retry(store, queue, admin, job_id)


@router.delete(
    "/jobs/{job_id}", status_code=204, summary="Forget a job", responses={**_REFUSALS, **answers(404)}
)
def forget_job(store: TheStore, queue: TheQueue, admin: Admin, job_id: JobId) -> None:
    """Delete a job that failed; what the store says is to be done is queued again by itself."""
    failed_jobs.forget(store, queue, admin, job_id)


@router.get("/workers", summary="Show the workers", responses=_REFUSALS)
def show_workers(store: TheStore, queue: TheQueue, admin: Admin) -> admin_schemas.Workers:
    """Who lives, and what they play."""
    held = worker_status.leased_blocks(store, admin)
    rows = queue_status.workers(queue)
    names = {row.name for row in rows}
    return admin_schemas.Workers(
        workers=tuple(
            admin_schemas.BusyWorker(
                **asdict(row), blocks=tuple(each for each in held if each.worker == row.name)
            )
            for row in rows
        ),
        lost=tuple(each for each in held if each.worker not in names),
    )


@router.get("/referees", summary="Show the referees", responses=_REFUSALS)
def show_referees(queue: TheQueue, admin: Admin, paging: ThePaging) -> Listed[RefereeRow]:
    """Who is there, how bots reach them, and what keeps hosted bots from doing harm."""
    admin.require("admin")
    return paging.answer(partial(listed, presence.overview(queue)))


@router.get("/warnings", summary="Show what is wrong with the set-up", responses=_REFUSALS)
def show_warnings(queue: TheQueue, admin: Admin, paging: ThePaging) -> Listed[SetupWarning]:
    """List what any part has found at its start or since, and still holds: settings, certificates, clocks, connections."""
    return paging.answer(partial(listed, known_warnings.listing(queue, admin)))


@router.get(
    "/throughput",
    summary="Show what was played in the last hour",
    responses=_REFUSALS,
)
def show_throughput(store: TheStore, admin: Admin, paging: ThePaging) -> Listed[MatchesPerMinute]:
    """Minute by minute, the oldest first."""
    return paging.answer(partial(listed, worker_status.throughput(store, admin)))


@router.get("/faults", summary="Show the newest faults", responses=_REFUSALS)
def show_faults(
    *,
    store: TheStore,
    admin: Admin,
    kind: Annotated[Kind, Query(description="Only those of this kind.")] = "",
    bot: Annotated[str, Query(max_length=80, description="Only those of this bot.")] = "",
    paging: ThePaging,
    before: Before = None,
    most: Annotated[int, Query(ge=1, le=fault_reports.MAX_ROWS, deprecated=True, description=USE_LIMIT)] = 25,
) -> admin_schemas.Faults:
    """Over all tournaments, with what was wrong in words where the match is public."""

    def read(before: int | None, most: int) -> tuple[FaultRow, ...]:
        return fault_reports.listing(store, admin, kind=kind, bot=bot, before=before, most=most)

    page = newest_first(
        read,
        attrgetter("id"),
        limit=paging.limit or most,
        cursor=paging.cursor or (None if before is None else str(before)),
    ).first
    return admin_schemas.Faults(page.items, fault_reports.tally(store, admin), page.next)


@router.get(
    "/suspensions",
    summary="List the suspended bots",
    responses=_REFUSALS,
)
def list_suspensions(store: TheStore, admin: Admin, paging: ThePaging) -> Listed[SuspendedVersion]:
    """Those that play no more for their faults; `restore` brings one back."""
    return paging.answer(partial(listed, suspensions.listing(store, admin)))
