"""The queues: how long they are, and the jobs that failed, which are tried again or forgotten."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from arena.accounts.actors import Actor
from arena.core.errors import Refusal
from arena.core.problem_details import status_of
from arena.messaging import queue_status
from arena.operations import worker_status
from arena.web.admin.admin_frame import SECTIONS, Admin, ask
from arena.web.auth.arena_access import AdminPageArena
from arena.web.auth.page_auth import see_other
from arena.web.http.path_parameters import TheQueue, TheStore
from arena.web.ui.templating import render

router = APIRouter(prefix="/admin", include_in_schema=False)
JobId = Annotated[str, Path(max_length=200)]


@router.get("/queues")
def show(request: Request, store: TheStore, queue: TheQueue, admin: Admin) -> Response:
    """Show the queues."""
    return _show(request, store, queue, admin)


@router.post("/jobs/{job_id}/retry")
def retry(
    request: Request, store: TheStore, queue: TheQueue, arena: AdminPageArena, job_id: JobId
) -> Response:
    """Try a job that failed once more."""
    try:
        arena.administration.retry_job(job_id)
    except Refusal as error:
        return _show(request, store, queue, arena.actor, error)
    return see_other("/admin/queues")


@router.post("/jobs/{job_id}/forget")
def forget(
    request: Request, store: TheStore, queue: TheQueue, arena: AdminPageArena, job_id: JobId
) -> Response:
    """Delete a job that failed."""
    try:
        arena.administration.forget_job(job_id)
    except Refusal as error:
        return _show(request, store, queue, arena.actor, error)
    return see_other("/admin/queues")


def _show(
    request: Request, store: TheStore, queue: TheQueue, admin: Actor, error: Refusal | None = None
) -> Response:
    rows = ask(partial(queue_status.queues, queue))
    return render(
        request,
        "admin/queues.html",
        status=200 if error is None else status_of(error),
        sections=SECTIONS,
        queues=rows,
        longest=max((row.waiting for row in rows or ()), default=0) or 1,
        backlog=worker_status.backlog(store, admin),
        failed=ask(partial(queue_status.failed, queue)) or (),
        error="" if error is None else str(error),
    )
