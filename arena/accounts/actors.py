"""Actors: who asks for something, and what their role and credentials allow.

    role        scopes
    author      read, bots
    organiser   read, bots, tournaments
    admin       read, bots, tournaments, admin

A role bounds what any credential of its user can do, at once when it changes; a token may have fewer scopes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say

Role = Literal["author", "organiser", "admin"]

ROLES: tuple[Role, ...] = get_args(Role)

SCOPES = {
    "read": "own logs and the like",
    "bots": "submit bots, manage one's own bots and tokens, challenge",
    "tournaments": "create and control tournaments",
    "admin": "users and the audit log",
}
"""Permissions of each scope."""

_SCOPES_OF: dict[str, frozenset[str]] = {
    "author": frozenset({"read", "bots"}),
    "organiser": frozenset({"read", "bots", "tournaments"}),
    "admin": frozenset(SCOPES),
    "visitor": frozenset(),
}


@dataclass(frozen=True, slots=True)
class Actor:
    """Author of a request and what the credentials allow; `user_id` is 0 for the operator and visitors, who have no account.

    `expires_at` is the end of the credentials themselves, None if they have none.
    """

    user_id: int
    name: str
    role: str
    scopes: frozenset[str]
    expires_at: float | None = field(default=None, compare=False)

    def require(self, scope: str) -> None:
        """Raise Refusal unless these credentials have the scope."""
        if scope in self.scopes:
            return
        words = (
            say(
                "scope {scope!r}: this token has {has}; make one that has it: `arena token create --scope {scope}`",
                scope=scope,
                has=_listed(self.scopes),
            )
            if scope in scopes_of(self.role)
            else say(
                "scope {scope!r}: {name} is {role}, which has {has}; an admin can change that",
                scope=scope,
                name=self.name,
                role=say(self.role),
                has=_listed(scopes_of(self.role)),
            )
        )
        raise Refusal("scope_missing", words, field="scope", kind=RefusalKind.FORBIDDEN)


VISITOR = Actor(0, "", "visitor", frozenset())
"""A visitor, who is not signed in and so may only read what is public."""

OPERATOR = Actor(0, "operator", "admin", frozenset(SCOPES))
"""The operator, who runs commands on the store itself and so may do all."""


def _listed(scopes: frozenset[str]) -> str:
    return ", ".join(sorted(scopes)) or say("no scope")


def scopes_of(role: str) -> frozenset[str]:
    """Return the scopes that a role can have."""
    return _SCOPES_OF[role]
