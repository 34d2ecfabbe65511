"""What admins look at, and what they do: a page for each part of the platform."""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.admin import (
    audit_page,
    faults_page,
    invitations_page,
    overview_page,
    queues_page,
    referees_page,
    users_page,
    workers_page,
)

router = APIRouter(include_in_schema=False)
router.include_router(overview_page.router)
for _noun in (
    queues_page,
    workers_page,
    referees_page,
    faults_page,
    audit_page,
    users_page,
    invitations_page,
):
    router.include_router(_noun.router, prefix="/admin")
