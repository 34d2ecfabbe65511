"""Web sessions: a browser that is signed in shows a cookie; the store has only its keyed digest.

The key is the platform's secret: with another one, all users sign in again, and a copy of the store is useless for signing in.
A form or script of our own pages proves that it is one by the session's CSRF token, which no other site can read.
"""

from __future__ import annotations

import hmac
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from sqlalchemy import bindparam, delete, select

from arena.accounts import actors, audit_log, known_devices, passwords, sign_in_links, tokens, users
from arena.accounts.actors import Actor
from arena.core.answer_fields import PublicId, UtcTime
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import User, WebSession

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.games.kernel import Json
    from arena.storage import Store

LASTS_S = 14 * 86400
LOGIN_FAILED = "login_failed"
"""The code of a refusal of a wrong password."""
_ID_LENGTH = 16

_USER_OF_A_SESSION = (
    select(User)
    .join(WebSession, WebSession.user_id == User.id)
    .where(WebSession.digest == bindparam("of"), WebSession.expires_at > bindparam("now"))
)
"""Built once: every request of a browser that is signed in runs it, and building it takes nearly as long."""


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that was just begun: its cookie is nowhere else, nor is that of the device (`arena.accounts.known_devices`)."""

    actor: Actor
    cookie: str = field(repr=False)
    device: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A browser that is signed in."""

    id: PublicId
    created_at: UtcTime
    expires_at: Annotated[float, Field(description="Time of its expiry, in seconds since the epoch, UTC.")]
    current: Annotated[bool, Field(description="Whether it is the session of this request.")]


def begin(store: Store, key: bytes, name: str, password: str) -> NewSession:
    """Sign a user in.  Raises Refusal, alike and after as long for a wrong name and for a wrong password."""
    with store.read() as session:
        user = session.scalar(select(User).where(User.name == name))
    if not passwords.matches(None if user is None else user.password, password) or user is None:
        raise _failed()
    with store.write() as session:
        found = users.find_in(session, name)
        if found.password != user.password:  # it was changed while we looked at the old one
            raise _failed()
        return _begin(session, key, found)


def begin_by_token(store: Store, key: bytes, token: str) -> NewSession:
    """Begin a session by an API token, which must have all scopes of its user's role.  Raises Refusal."""
    with store.write() as session:
        actor = tokens.identify_in(session, token)
        if not _allows_all(actor):
            raise Refusal(
                "scope_missing",
                say(
                    "token: has only {scopes}, but a browser can do everything that {name} can; make one that has {all}",
                    scopes=", ".join(sorted(actor.scopes)) or say("no scope"),
                    name=actor.name,
                    all=", ".join(sorted(actors.scopes_of(actor.role))),
                ),
                field="token",
                kind=RefusalKind.FORBIDDEN,
            )
        user = session.get_one(User, actor.user_id)
        return _begin(session, key, user, ends_at=actor.expires_at, by="token")


def begin_by_link(store: Store, key: bytes, link: str) -> NewSession:
    """Begin a session by a sign-in link, which works once.  Raises Refusal."""
    with store.write() as session:
        return _begin(session, key, sign_in_links.use_in(session, link), by="link")


def identify(store: Store, key: bytes, cookie: str) -> Actor:
    """Return the user of a session.  Raises Refusal."""
    with store.read() as session:
        user = session.scalar(_USER_OF_A_SESSION, {"of": _digest(key, cookie), "now": time.time()})
    if user is None:
        raise Refusal(
            "session_over", say("session: has expired; sign in again"), kind=RefusalKind.NOT_SIGNED_IN
        )
    return _actor(user)


def end(store: Store, key: bytes, actor: Actor, cookie: str) -> None:
    """Sign a browser out."""
    with store.write() as session:
        session.execute(delete(WebSession).where(WebSession.digest == _digest(key, cookie)))
        audit_log.note(session, actor.name, "session.end", f"user/{actor.name}")


def listing(store: Store, key: bytes, actor: Actor, cookie: str | None) -> tuple[SessionRow, ...]:
    """List one's own sessions, the newest first; `cookie` is that of the browser that asks."""
    actor.require("read")
    current = None if cookie is None else _digest(key, cookie)
    query = select(WebSession).where(WebSession.user_id == actor.user_id, WebSession.expires_at > time.time())
    with store.read() as session:
        return tuple(
            SessionRow(row.digest[:_ID_LENGTH], row.created_at, row.expires_at, row.digest == current)
            for row in session.scalars(query.order_by(WebSession.created_at.desc()))
        )


def end_one(store: Store, actor: Actor, session_id: str) -> None:
    """End one of the user's own sessions.  Raises Refusal."""
    actor.require("bots")
    mine = select(WebSession).where(WebSession.user_id == actor.user_id)
    with store.write() as session:
        found = [row for row in session.scalars(mine) if row.digest[:_ID_LENGTH] == session_id]
        if not found:
            raise Refusal(
                "session_unknown",
                say(
                    "session {session_id!r}: you have no open session with this id",
                    session_id=session_id[:80],
                ),
                field="id",
                kind=RefusalKind.NOT_FOUND,
            )
        session.delete(found[0])
        audit_log.note(session, actor.name, "session.end", f"user/{actor.name}")


def change_password(
    store: Store,
    key: bytes,
    actor: Actor,
    *,
    old: str,
    new: str,
    cookie: str | None,
    revoke_tokens: bool = False,
) -> str:
    """Change one's own password, end all of one's other sessions, and forget all devices.  Raises Refusal.

    Returns the cookie of a new device, for the browser that asks.  `revoke_tokens` revokes all of one's API tokens, also
    one that is used for this very change.  A user without a password may set one with credentials that have all scopes of the account; `old` is ignored then.
    """
    with store.read() as session:
        user = session.get_one(User, actor.user_id)
    if not (_allows_all(actor) if user.password is None else passwords.matches(user.password, old)):
        raise Refusal(LOGIN_FAILED, say("old password: wrong"), field="old", kind=RefusalKind.FORBIDDEN)
    hashed = passwords.make(new, actor.name)
    with store.write() as session:
        found = users.find_in(session, actor.name)
        if found.password != user.password:  # as in `begin`
            raise _failed()
        found.password = hashed
        others = delete(WebSession).where(WebSession.user_id == actor.user_id)
        if cookie is not None:
            others = others.where(WebSession.digest != _digest(key, cookie))
        session.execute(others)
        revoked = tokens.revoke_all_in(session, found) if revoke_tokens else 0
        known_devices.forget(found)
        audit_log.note(session, actor.name, "user.password", f"user/{actor.name}", tokens_revoked=revoked)
        return known_devices.make(key, found)


def csrf_token(key: bytes, cookie: str) -> str:
    """Return what a page of the session shows with each write: it follows from the cookie and cannot be made without the key."""
    return hmac.digest(key, b"csrf/" + cookie.encode(), "sha256").hex()


def _begin(
    session: Session, key: bytes, user: User, *, ends_at: float | None = None, **by: Json
) -> NewSession:
    """Begin a session of a user, inside a transaction; it ends with what it was begun by, if that ends sooner."""
    cookie = _add(session, key, user.id, ends_at)
    audit_log.note(session, user.name, "session.begin", f"user/{user.name}", **by)
    return NewSession(_actor(user), cookie, known_devices.make(key, user))


def _add(session: Session, key: bytes, user_id: int, ends_at: float | None) -> str:
    """Add a session, and forget those that are over; gives its cookie."""
    cookie, now = secrets.token_urlsafe(32), time.time()
    session.execute(delete(WebSession).where(WebSession.expires_at < now))
    expires_at = now + LASTS_S if ends_at is None else min(now + LASTS_S, ends_at)
    session.add(
        WebSession(digest=_digest(key, cookie), user_id=user_id, created_at=now, expires_at=expires_at)
    )
    return cookie


def _allows_all(actor: Actor) -> bool:
    """Whether these credentials allow all that the account may."""
    return actor.scopes == actors.scopes_of(actor.role)


def _failed() -> Refusal:
    return Refusal(
        LOGIN_FAILED,
        say("name or password: wrong; an admin can reset your password"),
        field="password",
        kind=RefusalKind.NOT_SIGNED_IN,
    )


def _digest(key: bytes, cookie: str) -> str:
    return hmac.digest(key, b"session/" + cookie.encode(), "sha256").hex()


def _actor(user: User) -> Actor:
    return Actor(user.id, user.name, user.role, actors.scopes_of(user.role))
