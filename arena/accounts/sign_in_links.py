"""Sign-in links: the right to sign in once as a user, within minutes; only a hash of it is stored.

The admin of a new arena signs in by one, and so does a user whom the operator lets in without a password.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, or_, select

from arena.accounts import audit_log, secret_format, users
from arena.accounts.actors import OPERATOR, Actor
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import ApiToken, SignInLink, User, WebSession

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.storage import Store

STANDARD_MINUTES = 15
MAX_MINUTES = 24 * 60
PATH = "/sign-in/link"
"""Where the dashboard takes a link, with its code as the parameter `code`."""

_KIND = "link"
_MINUTE_S = 60
_ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link that was just made: the one moment at which its code can be read."""

    id: str
    name: str
    expires_at: float
    code: str = field(repr=False)

    def address(self, url: str) -> str:
        """Write it as the address to open at an arena."""
        return f"{url.rstrip('/')}{PATH}?code={self.code}"


def is_code(text: str) -> bool:
    """Return whether a text has the form of a link's code."""
    return secret_format.read(_KIND, text) is not None


def create(store: Store, actor: Actor, name: str, minutes: int = STANDARD_MINUTES) -> NewLink:
    """Create a link with which a user can sign in once within `minutes` (1 to MAX_MINUTES).  Raises Refusal."""
    actor.require("admin")
    if not 1 <= minutes <= MAX_MINUTES:
        raise Refusal(
            "minutes_invalid",
            say("minutes {minutes}: must be 1 to {most}", minutes=minutes, most=MAX_MINUTES),
            field="minutes",
        )
    with store.write() as session:
        return _add(session, actor, users.find_in(session, name), minutes)


def ensure_admin(store: Store) -> NewLink | None:
    """Create the admin if there are no users, and a link for it; return None if any user has signed in already.

    An admin who has never signed in, and has nothing to sign in with, gets another link.
    """
    with store.write() as session:
        if not session.scalar(select(func.count(User.id))):
            users.add_in(session, _ADMIN, "admin", None)
            audit_log.note(session, OPERATOR.name, "user.create", f"user/{_ADMIN}", role="admin")
        elif not _is_untouched(session):
            return None
        return _add(session, OPERATOR, users.find_in(session, _ADMIN), STANDARD_MINUTES)


def use_in(session: Session, code: str) -> User:
    """Return whose link this is, and let it count no longer, inside a transaction.  Raises Refusal."""
    shown = secret_format.read(_KIND, code)
    if shown is not None:
        query = select(SignInLink).where(SignInLink.id == shown.id, SignInLink.expires_at > time.time())
        link = session.scalar(query.with_for_update())
        if link is not None and secret_format.fits(link.sha256, shown):
            session.delete(link)
            return session.get_one(User, link.user_id)
    raise Refusal(
        "link_unknown",
        say(
            "sign-in link: unknown, used or expired; the operator can make a new one with `arena user link create NAME`"
        ),
        field="code",
        kind=RefusalKind.NOT_SIGNED_IN,
    )


def _is_untouched(session: Session) -> bool:
    """Return whether the admin is the only user, and has nothing that lets them in."""
    found = session.scalars(select(User).limit(2)).all()
    if len(found) != 1 or found[0].name != _ADMIN or found[0].password is not None:
        return False
    now = time.time()
    tokens = select(ApiToken.id).where(or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > now))
    sessions = select(WebSession.digest).where(WebSession.expires_at > now)
    return not any(session.scalars(query.limit(1)).all() for query in (tokens, sessions))


def _add(session: Session, actor: Actor, user: User, minutes: int) -> NewLink:
    """Make a link for a user, inside a transaction; those from before count no longer."""
    made, now = secret_format.make(_KIND), time.time()
    expires_at = now + minutes * _MINUTE_S
    session.execute(delete(SignInLink).where((SignInLink.user_id == user.id) | (SignInLink.expires_at < now)))
    session.add(
        SignInLink(id=made.id, user_id=user.id, sha256=made.sha256, created_at=now, expires_at=expires_at)
    )
    audit_log.note(session, actor.name, "user.link", f"user/{user.name}", link=made.id, minutes=minutes)
    return NewLink(made.id, user.name, expires_at, made.text)
