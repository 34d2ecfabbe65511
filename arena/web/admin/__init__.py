"""The pages of admins, one for each part of the platform."""

from __future__ import annotations

from arena.web.admin import (
    audit_page,
    design_page,
    faults_page,
    invitations_page,
    overview_page,
    queues_page,
    referees_page,
    users_page,
    workers_page,
)

PAGES = (
    overview_page,
    queues_page,
    workers_page,
    referees_page,
    faults_page,
    audit_page,
    users_page,
    invitations_page,
    design_page,
)
