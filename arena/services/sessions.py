"""Web sessions: a browser that is signed in shows a cookie; the store has only its keyed digest.

The key is the platform's secret: with another one, everybody signs in again, and a copy of the store lets nobody in.
A form or script of our own pages proves that it is one by the session's CSRF token, which nobody else can read.
"""

from __future__ import annotations

import hmac
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from arena.errors import Refusal
from arena.services import accounts, audit, passwords
from arena.services.accounts import Actor
from arena.store.schema import User, WebSession

if TYPE_CHECKING:
    from arena.store import Store

LASTS_S = 14 * 86400


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that was just begun: its cookie is nowhere else."""

    actor: Actor
    cookie: str = field(repr=False)


def begin(store: Store, key: bytes, name: str, password: str) -> NewSession:
    """Sign a user in.  Raises Refusal, alike and after as long for a wrong name and for a wrong password."""
    with store.read() as session:
        user = session.scalar(select(User).where(User.name == name))
    if not passwords.matches(None if user is None else user.password, password) or user is None:
        raise _failed()
    cookie, now = secrets.token_urlsafe(32), time.time()
    with store.write() as session:
        if (
            accounts.find_in(session, name).password != user.password
        ):  # it was changed while we looked at the old one
            raise _failed()
        session.execute(delete(WebSession).where(WebSession.expires_at < now))
        session.add(
            WebSession(digest=_digest(key, cookie), user_id=user.id, created_at=now, expires_at=now + LASTS_S)
        )
        audit.note(session, user.name, "session.begin", f"user/{user.name}")
    return NewSession(_actor(user), cookie)


def identify(store: Store, key: bytes, cookie: str) -> Actor:
    """Say whose session this is.  Raises Refusal."""
    query = (
        select(User)
        .join(WebSession, WebSession.user_id == User.id)
        .where(WebSession.digest == _digest(key, cookie), WebSession.expires_at > time.time())
    )
    with store.read() as session:
        user = session.scalar(query)
    if user is None:
        raise Refusal("session_over", "session: it is over; sign in again", status=401)
    return _actor(user)


def end(store: Store, key: bytes, actor: Actor, cookie: str) -> None:
    """Sign a browser out."""
    with store.write() as session:
        session.execute(delete(WebSession).where(WebSession.digest == _digest(key, cookie)))
        audit.note(session, actor.name, "session.end", f"user/{actor.name}")


def change_password(
    store: Store, key: bytes, actor: Actor, *, old: str, new: str, cookie: str | None
) -> None:
    """Change one's own password, and end all of one's other sessions.  Raises Refusal."""
    with store.read() as session:
        user = session.get_one(User, actor.user_id)
    if not passwords.matches(user.password, old):
        raise Refusal("login_failed", "password: it is not yours", field="password", status=403)
    hashed = passwords.make(new, actor.name)
    with store.write() as session:
        accounts.find_in(session, actor.name).password = hashed
        others = delete(WebSession).where(WebSession.user_id == actor.user_id)
        if cookie is not None:
            others = others.where(WebSession.digest != _digest(key, cookie))
        session.execute(others)
        audit.note(session, actor.name, "user.password", f"user/{actor.name}")


def csrf_token(key: bytes, cookie: str) -> str:
    """Give what a page of the session shows with each write: it follows from the cookie and cannot be made without the key."""
    return hmac.digest(key, b"csrf/" + cookie.encode(), "sha256").hex()


def _failed() -> Refusal:
    return Refusal(
        "login_failed",
        "name or password: they do not belong together; an admin can give you another password",
        field="password",
        status=401,
    )


def _digest(key: bytes, cookie: str) -> str:
    return hmac.digest(key, b"session/" + cookie.encode(), "sha256").hex()


def _actor(user: User) -> Actor:
    return Actor(user.id, user.name, user.role, accounts.scopes_of(user.role))
