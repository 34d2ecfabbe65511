"""The status of the arena."""

from __future__ import annotations

from fastapi import Response

from arena.web.auth.api_router import api_router
from arena.web.http.path_parameters import TheProbe, TheQueue, TheStore
from arena.web.http.problems import answers
from arena.web.status import status_schema
from arena.web.status.status_schema import Status

router = api_router(tags=["status"])


@router.get("/status", summary="Show the status of the arena", responses=answers(503))
def show_status(store: TheStore, queue: TheQueue, probe: TheProbe, response: Response) -> Status:
    """Return the running parts, the queues, and the pace of matches and uploads; a few seconds old at most."""
    response.headers["Cache-Control"] = f"max-age={status_schema.KEPT_S}"
    return status_schema.read(store, queue, probe)
