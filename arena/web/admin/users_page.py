"""The users: their roles and passwords, and an end to their sessions."""

from __future__ import annotations

from functools import partial
from typing import Annotated, cast

from fastapi import APIRouter, Path, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.accounts.actors import ROLES, Role
from arena.accounts.users import UserRow
from arena.core.errors import Refusal
from arena.core.problem_details import status_of
from arena.service.composed_answers import UserWithPassword
from arena.service.local_arena import LocalArena
from arena.web.admin.admin_frame import SECTIONS, confirm
from arena.web.auth.arena_access import AdminPageArena
from arena.web.auth.page_auth import see_other
from arena.web.auth.password_pool import TheHashing
from arena.web.ui.data_table import Column, arrange
from arena.web.ui.form_state import Text
from arena.web.ui.templating import render

router = APIRouter(prefix="/admin/users", include_in_schema=False)

_ROWS = 20
_COLUMNS: dict[str, Column[UserRow]] = {
    "name": Column(lambda row: row.name, falls=False),
    "role": Column(lambda row: ROLES.index(row.role), falls=False),
    "tokens": Column(lambda row: row.tokens),
    "since": Column(lambda row: row.created_at),
}
Name = Annotated[str, Path(max_length=80)]


@router.get("")
def show(request: Request, arena: AdminPageArena) -> Response:
    """Show all users."""
    return _show(request, arena)


@router.post("")
async def create(
    request: Request, arena: AdminPageArena, hashing: TheHashing, name: Text = "", role: Text = ""
) -> Response:
    """Create an account with a random password, which is shown once."""
    name = name.strip()
    try:
        made = await hashing.run(partial(arena.accounts.create_user, name=name, role=cast("Role", role)))
    except Refusal as error:
        values = {"name": name, "role": role}
        return await run_in_threadpool(_show, request, arena, error=error, values=values)
    return await run_in_threadpool(_show, request, arena, made=made)


@router.post("/{name}/role")
def change_role(request: Request, arena: AdminPageArena, name: Name, role: Text = "") -> Response:
    """Change a user's role."""
    try:
        arena.accounts.change_role(name, role=cast("Role", role))
    except Refusal as error:
        return _show(request, arena, error=error, about=name)
    return see_other("/admin/users")


@router.post("/{name}/reset")
async def reset(
    request: Request, arena: AdminPageArena, hashing: TheHashing, name: Name, sure: Text = ""
) -> Response:
    """Reset a user's password; the new one is shown once, their sessions end and their tokens are revoked."""
    try:
        confirm(sure)
        made = await hashing.run(partial(arena.accounts.reset_user, name))
    except Refusal as error:
        return await run_in_threadpool(_show, request, arena, error=error, about=name)
    if name == arena.actor.name:
        return see_other("/sign-in")
    return await run_in_threadpool(_show, request, arena, made=made)


@router.post("/{name}/sign-out")
def sign_out(request: Request, arena: AdminPageArena, name: Name) -> Response:
    """End all sessions of a user."""
    try:
        arena.accounts.sign_out_user(name)
    except Refusal as error:
        return _show(request, arena, error=error, about=name)
    return see_other("/admin/users")


def _show(
    request: Request,
    arena: LocalArena,
    *,
    error: Refusal | None = None,
    about: str = "",
    values: dict[str, str] | None = None,
    made: UserWithPassword | None = None,
) -> Response:
    field = "" if error is None else error.field
    errors = {} if error is None else {field if field in {"name", "role"} else "": str(error)}
    response = render(
        request,
        "admin/users.html",
        status=200 if error is None else status_of(error),
        sections=SECTIONS,
        users=arrange(
            request,
            "users",
            tuple(arena.accounts.list_users()),
            _COLUMNS,
            sort="name",
            words=lambda row: f"{row.name} {row.role}",
            size=_ROWS,
            at="/admin/users",
        ),
        roles=ROLES,
        values=values or {"role": ROLES[0]},
        errors={} if about else errors,
        wrong=str(error) if error is not None and about else "",
        made=None if made is None else (made.name, made.password),
    )
    if made is not None:
        response.headers["Cache-Control"] = "no-store"
    return response
