"""What admins look at, and what they do: a page for each part of the platform."""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.pages.admin import audit, faults, invitations, overview, queues, referees, users, workers

router = APIRouter(include_in_schema=False)
router.include_router(overview.router)
for _noun in (queues, workers, referees, faults, audit, users, invitations):
    router.include_router(_noun.router, prefix="/admin")
