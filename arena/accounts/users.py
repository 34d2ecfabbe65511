"""Users: their names, roles and passwords."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from arena.accounts import audit_log, known_devices, passwords
from arena.accounts.actors import ROLES, SCOPES, Actor
from arena.core.answer_fields import UtcTime
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import ApiToken, SignInLink, User, WebSession

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy.orm import Session

    from arena.storage import Store


_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_RESERVED = frozenset({"anonymous", "arena", "house", "operator", "platform"})
"""Names for actors without an account, in the audit log and on pages."""


@dataclass(frozen=True, slots=True)
class UserRow:
    """A user."""

    name: Annotated[str, Field(description="The name.", examples=["ada"])]
    role: Annotated[str, Field(description="author, organiser or admin.", examples=["author"])]
    has_password: Annotated[bool, Field(description="Whether the user can sign in with a password.")]
    tokens: Annotated[int, Field(description="Number of the user's tokens.", examples=[1])]
    created_at: UtcTime


def check_scopes(scopes: Iterable[str], allowed: frozenset[str], role: str) -> frozenset[str]:
    """Check requested scopes and return them; all that the role allows where none is requested.  Raises Refusal."""
    wanted = frozenset(scopes)
    for scope in sorted(wanted):
        if scope not in SCOPES:
            raise Refusal(
                "scope_unknown",
                say("scope {scope!r}: must be {scopes}", scope=scope, scopes=", ".join(SCOPES)),
                field="scopes",
            )
        if scope not in allowed:
            has = ", ".join(sorted(allowed))
            raise Refusal(
                "scope_missing",
                say(
                    "scope {scope!r}: can be one of {has} here ({role}); leave it out, or ask an admin for a role that has it",
                    scope=scope,
                    has=has,
                    role=say(role),
                ),
                field="scopes",
                kind=RefusalKind.FORBIDDEN,
            )
    return wanted or allowed


def create(store: Store, actor: Actor, name: str, role: str, password: str) -> UserRow:
    """Create a user.  Raises Refusal."""
    actor.require("admin")
    check_name(name)
    check_role(role)
    hashed = passwords.make(password, name)
    with adding(name), store.write() as session:
        user = add_in(session, name, role, hashed)
        audit_log.note(session, actor.name, "user.create", f"user/{name}", role=role)
        return _row(user, 0)


def set_role(store: Store, actor: Actor, name: str, role: str) -> UserRow:
    """Change a user's role; all their credentials are bounded by it from now on.  Raises Refusal."""
    actor.require("admin")
    check_role(role)
    with store.write() as session:
        # All admins are locked, so that no two of them can step down at the same moment.
        admins = session.scalars(select(User).where(User.role == "admin").with_for_update()).all()
        user = find_in(session, name)
        if role != "admin" and [user] == list(admins):
            raise Refusal(
                "last_admin",
                say("role {role!r}: {name} is the only admin; make another one first", role=role, name=name),
                field="role",
                kind=RefusalKind.CONFLICT,
            )
        before, user.role = user.role, role
        audit_log.note(session, actor.name, "user.role", f"user/{name}", before=before, after=role)
        return _row(user, _count_tokens(session, user.id))


def reset(store: Store, actor: Actor, name: str, password: str) -> UserRow:
    """Return a user a new password, end their sessions, revoke their tokens, and forget their devices.  Raises Refusal."""
    actor.require("admin")
    hashed = passwords.make(password, name)
    with store.write() as session:
        user = find_in(session, name)
        user.password = hashed
        session.execute(delete(WebSession).where(WebSession.user_id == user.id))
        session.execute(delete(ApiToken).where(ApiToken.user_id == user.id))
        session.execute(delete(SignInLink).where(SignInLink.user_id == user.id))
        known_devices.forget(user)
        audit_log.note(session, actor.name, "user.reset", f"user/{name}")
        return _row(user, 0)


def end_sessions(store: Store, actor: Actor, name: str) -> int:
    """Sign a user out of every browser, and say of how many; no device is known any more, tokens and password stay.

    Raises Refusal.
    """
    actor.require("admin")
    with store.write() as session:
        user = find_in(session, name)
        ended = session.execute(
            delete(WebSession).where(WebSession.user_id == user.id).returning(WebSession.digest)
        ).all()
        known_devices.forget(user)
        audit_log.note(session, actor.name, "user.sign_out", f"user/{name}", sessions=len(ended))
    return len(ended)


def listing(store: Store, actor: Actor) -> tuple[UserRow, ...]:
    """List all users by name.  Raises Refusal."""
    actor.require("admin")
    query = (
        select(User, func.count(ApiToken.id))
        .outerjoin(ApiToken, ApiToken.user_id == User.id)
        .group_by(User.id)
        .order_by(User.name)
    )
    with store.read() as session:
        return tuple(_row(user, tokens) for user, tokens in session.execute(query))


def show(store: Store, user_id: int) -> UserRow:
    """Show one user to themselves.  Raises Refusal."""
    with store.read() as session:
        user = session.get(User, user_id)
        if user is None:
            raise Refusal(
                "user_unknown",
                say("user: no such account"),
                field="name",
                kind=RefusalKind.NOT_FOUND,
            )
        return _row(user, _count_tokens(session, user_id))


def check_name(name: str) -> None:
    """Check the form of a user's name.  Raises Refusal."""
    if not _NAME.fullmatch(name):
        raise Refusal(
            "name_invalid",
            say(
                "name {name!r}: must be 1 to 40 lower-case letters, digits, - and _, the first a letter or digit",
                name=name[:80],
            ),
            field="name",
        )
    if name in _RESERVED:
        raise taken(name)


def find_in(session: Session, name: str) -> User:
    """Return a user by name, locked while a transaction that writes lasts.  Raises Refusal."""
    user = session.scalar(select(User).where(User.name == name).with_for_update())
    if user is None:
        raise Refusal(
            "user_unknown",
            say("user {name!r}: no such user", name=name[:80]),
            field="name",
            kind=RefusalKind.NOT_FOUND,
        )
    return user


@contextmanager
def adding(name: str) -> Iterator[None]:
    """Turn a violated constraint into the refusal that a name is taken, also where it was taken at the same moment.  Raises Refusal."""
    try:
        yield
    except IntegrityError as error:
        raise taken(name) from error


def add_in(session: Session, name: str, role: str, hashed: str | None) -> User:
    """Add a user; `adding` is a context manager that wraps the transaction."""
    user = User(name=name, role=role, password=hashed, created_at=time.time())
    session.add(user)
    session.flush()
    return user


def taken(name: str) -> Refusal:
    """Return the refusal of a name that is taken."""
    message = say("name {name!r}: is taken; choose another", name=name)
    return Refusal("name_taken", message, field="name", kind=RefusalKind.CONFLICT)


def check_role(role: str) -> None:
    """Check the name of a role.  Raises Refusal."""
    if role not in ROLES:
        raise Refusal(
            "role_unknown",
            say("role {role!r}: must be {roles}", role=role[:80], roles=", ".join(ROLES)),
            field="role",
        )


def _count_tokens(session: Session, user_id: int) -> int:
    return session.scalar(select(func.count(ApiToken.id)).where(ApiToken.user_id == user_id)) or 0


def _row(user: User, tokens: int) -> UserRow:
    return UserRow(user.name, user.role, user.password is not None, tokens, user.created_at)
