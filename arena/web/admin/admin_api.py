"""The API for admins: queues, workers, referees, faults and failed jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query

from arena.competition.qualification.suspensions import SuspendedVersion
from arena.messaging.presence import RefereeRow
from arena.operations.start_checks.known_warnings import SetupWarning
from arena.operations.worker_status import MatchesPerMinute
from arena.reports.fault_reports import MAX_ROWS
from arena.service.administration_operations import FaultKind
from arena.service.composed_answers import Faults, Queues, Workers
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import AdminArena
from arena.web.http.list_answers import USE_LIMIT, Before, Listed, ThePaging
from arena.web.http.problems import answers

router = api_router("/admin", tags=["admin"], dependencies=[Depends(keep_nowhere)])

_REFUSALS = answers(401, 403, 422, 429, 503)
JobId = Annotated[str, Path(max_length=200, description="The job's id.", examples=["block-7-3"])]


@router.get("/queues", summary="Show the queues", responses=_REFUSALS)
def show_queues(arena: AdminArena) -> Queues:
    """Return the length and the oldest job of each queue, the failed jobs, and the number of unplayed matches."""
    return arena.administration.show_queues()


@router.post(
    "/jobs/{job_id}/retry",
    status_code=204,
    summary="Retry a job",
    responses={**_REFUSALS, **answers(404)},
)
def retry_job(arena: AdminArena, job_id: JobId) -> None:
    """Queue a failed job again."""
    arena.administration.retry_job(job_id)


@router.delete(
    "/jobs/{job_id}", status_code=204, summary="Delete a failed job", responses={**_REFUSALS, **answers(404)}
)
def forget_job(arena: AdminArena, job_id: JobId) -> None:
    """Delete a failed job; work that the store still lists is queued again automatically."""
    arena.administration.forget_job(job_id)


@router.get("/workers", summary="Show the workers", responses=_REFUSALS)
def show_workers(arena: AdminArena) -> Workers:
    """List the running workers and what each is playing."""
    return arena.administration.show_workers()


@router.get("/referees", summary="Show the referees", responses=_REFUSALS)
def show_referees(arena: AdminArena, paging: ThePaging) -> Listed[RefereeRow]:
    """List the referees, with the addresses for bots and the protection from hosted bots of each."""
    return paging.answer(arena.administration.show_referees)


@router.get("/warnings", summary="List the warnings about the set-up", responses=_REFUSALS)
def show_warnings(arena: AdminArena, paging: ThePaging) -> Listed[SetupWarning]:
    """List the problems that parts have found with settings, certificates, clocks and connections, and that persist."""
    return paging.answer(arena.administration.show_warnings)


@router.get(
    "/throughput",
    summary="Show the throughput of the last hour",
    responses=_REFUSALS,
)
def show_throughput(arena: AdminArena, paging: ThePaging) -> Listed[MatchesPerMinute]:
    """List the matches of each minute of the last hour, the oldest first."""
    return paging.answer(arena.administration.show_throughput)


@router.get("/faults", summary="Show the newest faults", responses=_REFUSALS)
def show_faults(
    *,
    arena: AdminArena,
    kind: Annotated[FaultKind, Query(description="Only faults of this kind.")] = "",
    bot: Annotated[str, Query(max_length=80, description="Only faults of this bot.")] = "",
    paging: ThePaging,
    before: Before = None,
    most: Annotated[int, Query(ge=1, le=MAX_ROWS, deprecated=True, description=USE_LIMIT)] = 25,
) -> Faults:
    """List the newest faults of all tournaments, with a description if the match is public."""
    cursor = paging.cursor or (None if before is None else str(before))
    return arena.administration.show_faults(kind=kind, bot=bot, limit=paging.limit or most, cursor=cursor)


@router.get(
    "/suspensions",
    summary="List the suspended bots",
    responses=_REFUSALS,
)
def list_suspensions(arena: AdminArena, paging: ThePaging) -> Listed[SuspendedVersion]:
    """List the versions that are suspended for their faults; `restore` reactivates one."""
    return paging.answer(arena.administration.list_suspensions)
