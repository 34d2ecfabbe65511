"""The platform at a glance: what is played, what waits, who works, what goes wrong."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from redis import Redis

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.competition.qualification import suspensions
from arena.messaging import presence, queue_status
from arena.operations import worker_status, write_probe
from arena.operations.start_checks import known_warnings
from arena.reports import fault_reports
from arena.storage import Store
from arena.web.admin.admin_frame import SECTIONS, Admin, ask
from arena.web.http.path_parameters import TheProbe, TheQueue, TheStore
from arena.web.ui.templating import render

_NEWEST = 6

router = APIRouter(include_in_schema=False)


@router.get("/admin")
def show(request: Request, store: TheStore, queue: TheQueue, probe: TheProbe, admin: Admin) -> Response:
    """Show the platform."""
    problem = probe.verdict(wait_s=0).problem
    second = (store.written, int(time.monotonic()))
    found = store.cache.get("overview", second, lambda: _read(store, queue, admin))
    if not problem and found["is_full"]:
        problem = write_probe.find_no_room().problem
    return render(request, "admin/overview.html", sections=SECTIONS, problem=problem, **found)


def _read(store: Store, queue: Redis, admin: Actor) -> dict[str, Any]:
    """Look at all parts: once a second, however many admins look."""
    minutes = worker_status.throughput(store, admin)
    return {
        "minutes": minutes,
        "played": sum(minute.matches for minute in minutes),
        "faulted": sum(minute.faults for minute in minutes),
        "most": max(1, *(minute.matches for minute in minutes)),
        "backlog": worker_status.backlog(store, admin),
        "queues": ask(partial(queue_status.queues, queue)),
        "warnings": ask(partial(known_warnings.listing, queue, admin)),
        "is_full": bool(ask(partial(presence.full, queue))),
        "workers": ask(partial(queue_status.workers, queue)),
        "referees": ask(partial(presence.overview, queue)),
        "held": worker_status.leased_blocks(store, admin),
        "suspended": len(suspensions.listing(store, admin)),
        "faults": fault_reports.listing(store, admin, most=_NEWEST),
        "deeds": audit_log.listing(store, admin, most=_NEWEST),
    }
