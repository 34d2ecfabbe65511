"""The API for admins: users, invitations, the audit log."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Query

from arena.accounts.audit_log import MAX_ROWS, AuditRow
from arena.accounts.invitations import InvitationRow, NewInvitation
from arena.accounts.users import UserRow
from arena.service.composed_answers import SignedOut, UserWithPassword
from arena.web.accounts import account_schemas
from arena.web.accounts.accounts_api import keep_nowhere
from arena.web.auth.api_router import api_router
from arena.web.auth.arena_access import AdminArena
from arena.web.auth.password_pool import TheHashing
from arena.web.http.list_answers import USE_LIMIT, Before, Listed, ThePaging
from arena.web.http.problems import answers

router = api_router(tags=["users"], dependencies=[Depends(keep_nowhere)])

_REFUSALS = answers(401, 403, 422, 429)
UserName = Annotated[str, Path(max_length=80, description="The user's name.", examples=["ada"])]


@router.get("/users", summary="List the users", responses=_REFUSALS)
def list_users(arena: AdminArena, paging: ThePaging) -> Listed[UserRow]:
    """List all users by name."""
    return paging.answer(arena.accounts.list_users)


@router.post(
    "/users",
    status_code=201,
    summary="Create a user",
    responses={**_REFUSALS, **answers(409, 503)},
)
async def create_user(
    body: account_schemas.UserRequest, arena: AdminArena, hashing: TheHashing
) -> UserWithPassword:
    """Create an account."""
    create = arena.accounts.create_user
    return await hashing.run(partial(create, name=body.name, role=body.role, password=body.password))


@router.patch(
    "/users/{name}",
    summary="Change a user's role",
    responses={**_REFUSALS, **answers(404, 409)},
)
def change_role(body: account_schemas.RoleChange, arena: AdminArena, name: UserName) -> UserRow:
    """Change a user's role, which limits all credentials of the user from now on."""
    return arena.accounts.change_role(name, role=body.role)


@router.post(
    "/users/{name}/reset",
    summary="Reset a user",
    responses={**_REFUSALS, **answers(404, 503)},
)
async def reset_user(
    body: account_schemas.PasswordReset, arena: AdminArena, name: UserName, hashing: TheHashing
) -> UserWithPassword:
    """Set a new password, end all sessions of the user, and revoke all tokens."""
    return await hashing.run(partial(arena.accounts.reset_user, name, password=body.password))


@router.post(
    "/invitations",
    status_code=201,
    summary="Create an invitation",
    responses=_REFUSALS,
)
def invite(body: account_schemas.InvitationRequest, arena: AdminArena) -> NewInvitation:
    """Create an invitation, with which one person can register."""
    return arena.accounts.invite(role=body.role, days=body.days)


@router.post(
    "/users/{name}/sign-out",
    summary="Sign a user out everywhere",
    responses={**_REFUSALS, **answers(404)},
)
def sign_out_user(arena: AdminArena, name: UserName) -> SignedOut:
    """End all browser sessions of a user; tokens and password stay valid."""
    return arena.accounts.sign_out_user(name)


@router.get(
    "/invitations",
    summary="List the invitations",
    responses=_REFUSALS,
)
def list_invitations(arena: AdminArena, paging: ThePaging) -> Listed[InvitationRow]:
    """List the invitations, the newest first, including used and expired ones."""
    return paging.answer(arena.accounts.list_invitations)


@router.delete(
    "/invitations/{invitation_id}",
    status_code=204,
    summary="Revoke an invitation",
    responses={**_REFUSALS, **answers(404)},
)
def revoke_invitation(
    arena: AdminArena,
    invitation_id: Annotated[
        str, Path(max_length=80, description="Its public id.", examples=["2b19c42bf0c904cf"])
    ],
) -> None:
    """Revoke an unused invitation."""
    arena.accounts.revoke_invitation(invitation_id)


@router.get(
    "/audit",
    summary="Read the audit log",
    responses=_REFUSALS,
)
def read_audit(
    *,
    arena: AdminArena,
    paging: ThePaging,
    before: Before = None,
    most: Annotated[int, Query(ge=1, le=MAX_ROWS, deprecated=True, description=USE_LIMIT)] = 50,
    who: Annotated[str, Query(max_length=80, description="Only actions of this user.")] = "",
    action: Annotated[
        str, Query(max_length=80, description="Only actions with this prefix, such as `tournament.`")
    ] = "",
    subject: Annotated[
        str, Query(max_length=200, description="Only subjects with this prefix, such as `user/ada`.")
    ] = "",
) -> Listed[AuditRow]:
    """List the logged actions of users, the newest first."""
    read = partial(arena.accounts.read_audit, who=who, action=action, subject=subject)
    return paging.answer(read, most=most, after=before)
