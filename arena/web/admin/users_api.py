"""What admins do: users, invitations, the audit log."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from operator import attrgetter
from typing import Annotated

from fastapi import Depends, Path, Query

from arena.accounts import audit_log, invitations, passwords, users
from arena.accounts.actors import Actor
from arena.accounts.audit_log import MAX_ROWS, AuditRow, Filter
from arena.accounts.invitations import InvitationRow, NewInvitation
from arena.accounts.users import UserRow
from arena.service.paging import listed, newest_first
from arena.web.accounts import account_schemas
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.admin import admin_schemas
from arena.web.auth.api_auth import require_scope
from arena.web.auth.api_router import api_router
from arena.web.auth.password_pool import TheHashing
from arena.web.http.list_answers import USE_LIMIT, Before, Listed, ThePaging
from arena.web.http.path_parameters import TheStore
from arena.web.http.problems import answers

router = api_router(tags=["users"], dependencies=[Depends(keep_nowhere)])

_REFUSALS = answers(401, 403, 422, 429)
Admin = Annotated[Actor, require_scope("admin")]
UserName = Annotated[str, Path(max_length=80, description="The user's name.", examples=["ada"])]


@router.get("/users", summary="List the users", responses=_REFUSALS)
def list_users(store: TheStore, admin: Admin, paging: ThePaging) -> Listed[UserRow]:
    """List all users by name."""
    return paging.answer(partial(listed, users.listing(store, admin)))


@router.post(
    "/users",
    status_code=201,
    summary="Make a user",
    responses={**_REFUSALS, **answers(409, 503)},
)
async def create_user(
    body: account_schemas.UserRequest, store: TheStore, admin: Admin, hashing: TheHashing
) -> account_schemas.UserWithPassword:
    """Create an account."""
    password = body.password or passwords.generate()
    row = await hashing.run(partial(users.create, store, admin, body.name, body.role, password))
    return _with_password(row, None if body.password else password)


@router.patch(
    "/users/{name}",
    summary="Give a user another role",
    responses={**_REFUSALS, **answers(404, 409)},
)
def change_role(body: account_schemas.RoleChange, store: TheStore, admin: Admin, name: UserName) -> UserRow:
    """Change the role; it bounds all credentials of the user from now on."""
    return users.set_role(store, admin, name, body.role)


@router.post(
    "/users/{name}/reset",
    summary="Reset a user",
    responses={**_REFUSALS, **answers(404, 503)},
)
async def reset_user(
    body: account_schemas.PasswordReset, store: TheStore, admin: Admin, name: UserName, hashing: TheHashing
) -> account_schemas.UserWithPassword:
    """Set a new password, end all sessions of the user, and revoke all tokens."""
    password = body.password or passwords.generate()
    row = await hashing.run(partial(users.reset, store, admin, name, password))
    return _with_password(row, None if body.password else password)


@router.post(
    "/invitations",
    status_code=201,
    summary="Invite someone",
    responses=_REFUSALS,
)
def invite(body: account_schemas.InvitationRequest, store: TheStore, admin: Admin) -> NewInvitation:
    """Make an invitation that one person can register with."""
    return invitations.invite(store, admin, body.role, body.days)


@router.post(
    "/users/{name}/sign-out",
    summary="Sign a user out everywhere",
    responses={**_REFUSALS, **answers(404)},
)
def sign_out_user(store: TheStore, admin: Admin, name: UserName) -> admin_schemas.SignedOut:
    """End all sessions of the user in browsers; tokens and password stay."""
    return admin_schemas.SignedOut(name=name, sessions=users.end_sessions(store, admin, name))


@router.get(
    "/invitations",
    summary="List the invitations",
    responses=_REFUSALS,
)
def list_invitations(store: TheStore, admin: Admin, paging: ThePaging) -> Listed[InvitationRow]:
    """List them, the newest first, those that were used or are too old included."""
    return paging.answer(partial(listed, invitations.listing(store, admin)))


@router.delete(
    "/invitations/{invitation_id}",
    status_code=204,
    summary="Take an invitation back",
    responses={**_REFUSALS, **answers(404)},
)
def revoke_invitation(
    store: TheStore,
    admin: Admin,
    invitation_id: Annotated[
        str, Path(max_length=80, description="Its public id.", examples=["2b19c42bf0c904cf"])
    ],
) -> None:
    """Revoke an unused invitation."""
    invitations.revoke(store, admin, invitation_id)


@router.get(
    "/audit",
    summary="Read the audit log",
    responses=_REFUSALS,
)
def read_audit(
    *,
    store: TheStore,
    admin: Admin,
    paging: ThePaging,
    before: Before = None,
    most: Annotated[int, Query(ge=1, le=MAX_ROWS, deprecated=True, description=USE_LIMIT)] = 50,
    who: Annotated[str, Query(max_length=80, description="Only what this user did.")] = "",
    action: Annotated[
        str, Query(max_length=80, description="Only actions that begin so, such as `tournament.`")
    ] = "",
    subject: Annotated[
        str, Query(max_length=200, description="Only what begins so, such as `user/ada`.")
    ] = "",
) -> Listed[AuditRow]:
    """Return what people did, the newest first."""
    wanted = Filter(who, action, subject)

    def read(before: int | None, most: int) -> tuple[AuditRow, ...]:
        return audit_log.listing(store, admin, before=before, most=most, wanted=wanted)

    pages = partial(newest_first, read, attrgetter("id"))
    return paging.answer(pages, most=most, after=before)


def _with_password(row: UserRow, password: str | None) -> account_schemas.UserWithPassword:
    return account_schemas.UserWithPassword(**asdict(row), password=password)
