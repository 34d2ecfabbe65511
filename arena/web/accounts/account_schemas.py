"""The API's models of accounts: what is sent, and what comes back."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from arena.accounts.actors import Role
from arena.accounts.invitations import MAX_DAYS, STANDARD_DAYS
from arena.accounts.token_expiry import STANDARD
from arena.service.requests import Body

Name = Annotated[str, Field(max_length=80, description="The user's name.", examples=["ada"])]
Password = Annotated[
    str, Field(max_length=1000, description="The password.", examples=["three or four words"])
]
Scope = Annotated[str, Field(max_length=80)]
_AT = "Seconds since the epoch, UTC."
_ROLE = "author, organiser or admin."
_SCOPES = "read, bots, tournaments, admin."


class Registration(Body):
    """A registration of a new user."""

    name: Name
    password: Password
    invitation: str | None = Field(None, max_length=200, description="The invitation, where one is needed.")


class Login(Body):
    """A user's name and password."""

    name: Name
    password: Password


class LinkLogin(Body):
    """The code of a sign-in link."""

    code: str = Field(
        max_length=200,
        description="The code of the link, `link_…`.",
        examples=["link_2b19c42bf0c904cf_KLx-7h2RT2pdx5WVHYWrHcSKkzYvvUgV6b3VbBBB3Xg"],
    )


class PasswordChange(Body):
    """A change of your password."""

    old: Password = Field(description="The one that one has; anything where there is none yet.")
    new: Password = Field(description="The new one.")
    revoke_tokens: bool = Field(
        default=False,
        description="Whether to revoke all of one's API tokens, too, the one that asks among them.",
    )


class TokenRequest(Body):
    """A token to create."""

    label: str = Field(max_length=200, description="What it is for.", examples=["laptop"])
    scopes: list[Scope] = Field([], max_length=10, description=f"{_SCOPES} Empty: all that one has oneself.")
    expires: str = Field(
        STANDARD,
        max_length=80,
        description="When it expires: days (30d), hours (12h), a date in UTC (2027-01-31), or never.",
        examples=["30d"],
    )


class UserRequest(Body):
    """A user to create; without a password, one is generated."""

    name: Name
    role: Role = Field("author", description=_ROLE)
    password: Password | None = Field(None, description="The password; null: one is made up.")


class RoleChange(Body):
    """A user's new role."""

    role: Role = Field(description=_ROLE)


class PasswordReset(Body):
    """A user's new password; without one, it is generated."""

    password: Password | None = Field(None, description="The password; null: one is made up.")


class InvitationRequest(Body):
    """An invitation to create."""

    role: Role = Field("author", description=_ROLE)
    days: int = Field(STANDARD_DAYS, ge=1, le=MAX_DAYS, description="How long it can be used.")
