"""The public status of the arena: a headline, the reason if something is wrong, and the figures behind it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.operations.public_status import DAYS
from arena.web.http.path_parameters import TheProbe, TheQueue, TheStore
from arena.web.status import status_schema
from arena.web.ui.templating import render

router = APIRouter(include_in_schema=False)


@router.get("/status")
def show(request: Request, store: TheStore, queue: TheQueue, probe: TheProbe) -> Response:
    """Show the status."""
    found = status_schema.read(store, queue, probe)
    return render(request, "status.html", found=found, days=DAYS)
