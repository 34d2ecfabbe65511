"""The workers: who lives, and what they play."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request, Response

from arena.messaging import queue_status
from arena.operations import worker_status
from arena.web.admin.admin_frame import SECTIONS, Admin, ask
from arena.web.http.path_parameters import TheQueue, TheStore
from arena.web.ui.templating import render

router = APIRouter(prefix="/admin", include_in_schema=False)


@router.get("/workers")
def show(request: Request, store: TheStore, queue: TheQueue, admin: Admin) -> Response:
    """Show the workers with the blocks that they hold; those too whose worker shows no sign of life."""
    held = worker_status.leased_blocks(store, admin)
    found = ask(partial(queue_status.workers, queue))
    names = {row.name for row in found or ()}
    return render(
        request,
        "admin/workers.html",
        sections=SECTIONS,
        workers=None
        if found is None
        else [(row, [each for each in held if each.worker == row.name]) for row in found],
        lost=[each for each in held if each.worker not in names],
    )
