"""Invitations: who may register, once."""

from __future__ import annotations

from typing import Annotated, cast
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Request, Response

from arena.accounts.actors import ROLES, Role
from arena.accounts.invitations import STANDARD_DAYS, NewInvitation
from arena.core.errors import Refusal
from arena.core.problem_details import status_of
from arena.core.translatable import say
from arena.service.local_arena import LocalArena
from arena.web.admin.admin_frame import SECTIONS
from arena.web.auth.api_auth import Access
from arena.web.auth.arena_access import AdminPageArena
from arena.web.auth.page_auth import see_other
from arena.web.http.app_services import service_of
from arena.web.ui.form_state import Text
from arena.web.ui.templating import render

_MAX_DAYS_DIGITS = 9

router = APIRouter(prefix="/admin/invitations", include_in_schema=False)


@router.get("")
def show(request: Request, arena: AdminPageArena) -> Response:
    """Show all invitations."""
    return _show(request, arena)


@router.post("")
def invite(request: Request, arena: AdminPageArena, role: Text = "", days: Text = "") -> Response:
    """Make an invitation, which is shown once."""
    try:
        made = arena.accounts.invite(role=cast("Role", role), days=_days(days.strip()))
    except Refusal as error:
        return _show(request, arena, error=error, values={"role": role, "days": days})
    return _show(request, arena, made=made)


@router.post("/{invitation_id}/revoke")
def revoke(
    request: Request, arena: AdminPageArena, invitation_id: Annotated[str, Path(max_length=80)]
) -> Response:
    """Take an invitation back."""
    try:
        arena.accounts.revoke_invitation(invitation_id)
    except Refusal as error:
        return _show(request, arena, error=error)
    return see_other("/admin/invitations")


def _days(text: str) -> int:
    if not text.isdecimal() or len(text) > _MAX_DAYS_DIGITS:
        raise Refusal(
            "days_invalid", say("days {text!r}: must be a whole number", text=text[:20]), field="days"
        )
    return int(text)


def _show(
    request: Request,
    arena: LocalArena,
    *,
    error: Refusal | None = None,
    values: dict[str, str] | None = None,
    made: NewInvitation | None = None,
) -> Response:
    response = render(
        request,
        "admin/invitations.html",
        status=200 if error is None else status_of(error),
        sections=SECTIONS,
        rows=tuple(arena.accounts.list_invitations()),
        roles=ROLES,
        values=values or {"role": ROLES[0], "days": str(STANDARD_DAYS)},
        errors={} if error is None else {error.field if error.field in {"role", "days"} else "": str(error)},
        made=made,
        address=""
        if made is None
        else f"{str(request.base_url).rstrip('/')}/register?{urlencode({'invitation': made.invitation})}",
        registration=service_of(request.app, Access).registration,
    )
    if made is not None:
        response.headers["Cache-Control"] = "no-store"
    return response
