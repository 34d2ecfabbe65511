"""The referees: which are there, how bots reach them, and what keeps hosted bots from doing harm."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request, Response

from arena.messaging import presence
from arena.operations import worker_status
from arena.web.admin.admin_frame import SECTIONS, Admin, ask
from arena.web.http.path_parameters import TheQueue, TheStore
from arena.web.ui.templating import render

router = APIRouter(prefix="/admin", include_in_schema=False)


@router.get("/referees")
def show(request: Request, store: TheStore, queue: TheQueue, admin: Admin) -> Response:
    """Show the referees."""
    held = worker_status.leased_blocks(store, admin)
    return render(
        request,
        "admin/referees.html",
        sections=SECTIONS,
        referees=ask(partial(presence.overview, queue)),
        connected=ask(partial(presence.present, queue)) or {},
        at_once=sum(block.matches - block.done for block in held),
    )
