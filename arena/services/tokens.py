"""API tokens: shown once, stored hashed, revocable at once."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from arena.errors import Refusal
from arena.services import accounts, audit, credentials
from arena.services.accounts import Actor
from arena.store.schema import ApiToken, User
from arena.wording import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from arena.store import Store

MOST_TOKENS = 50
"""Of one user."""
LONGEST_LABEL = 100

_KIND = "arena"


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token in the list of them; `created_at` is in seconds since the epoch, UTC."""

    id: str
    label: str
    scopes: tuple[str, ...]
    created_at: float


@dataclass(frozen=True, slots=True)
class NewApiToken:
    """A token that was just made: the one moment at which it can be read."""

    id: str
    label: str
    scopes: tuple[str, ...]
    created_at: float
    token: str = field(repr=False)


def identify(store: Store, token: str) -> Actor:
    """Say whose token this is, and what it allows now.  Raises Refusal."""
    with store.read() as session:
        return identify_in(session, token)


def identify_in(session: Session, token: str) -> Actor:
    """Say as `identify` does, inside a transaction.  Raises Refusal."""
    shown = credentials.read(_KIND, token)
    if shown is not None:
        query = select(ApiToken, User).join(User, ApiToken.user_id == User.id)
        row = session.execute(query.where(ApiToken.id == shown.id)).first()
        if row is not None and credentials.fits(row[0].sha256, shown):
            own, user = row
            scopes = frozenset(own.scopes.split()) & accounts.scopes_of(user.role)
            return Actor(user.id, user.name, user.role, scopes)
    raise Refusal(
        "token_unknown",
        say("token: is none of this arena's, or was revoked; `arena login URL` brings another"),
        field="token",
        status=401,
    )


def create(store: Store, actor: Actor, label: str, scopes: Iterable[str] = ()) -> NewApiToken:
    """Make a token for oneself; without scopes, with all of one's own.  Raises Refusal."""
    actor.require("bots")
    if not 0 < len(label) <= LONGEST_LABEL or not label.isprintable():
        raise Refusal(
            "label_invalid",
            say("label {label!r}: must be 1 to {most} characters", label=label[:80], most=LONGEST_LABEL),
            field="label",
        )
    wanted = accounts.check_scopes(scopes, actor.scopes, actor.role)
    with store.write() as session:
        user = accounts.find_in(session, actor.name)
        if len(_of(session, user.id)) >= MOST_TOKENS:
            raise Refusal(
                "quota_exhausted",
                say(
                    "tokens: {name} has {most_tokens}; revoke one first (`arena token list`)",
                    name=actor.name,
                    most_tokens=MOST_TOKENS,
                ),
                status=409,
            )
        return add_in(session, actor.name, user, label, wanted)


def add_in(session: Session, actor_name: str, user: User, label: str, scopes: frozenset[str]) -> NewApiToken:
    """Make a token for a user, inside a transaction."""
    made, now = credentials.make(_KIND), time.time()
    ordered = tuple(scope for scope in accounts.SCOPES if scope in scopes)
    session.add(
        ApiToken(
            id=made.id,
            user_id=user.id,
            label=label,
            scopes=" ".join(ordered),
            sha256=made.sha256,
            created_at=now,
        )
    )
    audit.note(session, actor_name, "token.create", f"token/{made.id}", user=user.name, scopes=ordered)
    return NewApiToken(made.id, label, ordered, now, made.text)


def listing(store: Store, actor: Actor) -> tuple[TokenRow, ...]:
    """List one's own tokens, the oldest first."""
    with store.read() as session:
        return tuple(
            TokenRow(row.id, row.label, tuple(row.scopes.split()), row.created_at)
            for row in _of(session, actor.user_id)
        )


def revoke(store: Store, actor: Actor, token_id: str) -> None:
    """Revoke a token of one's own; an admin, anybody's.  It counts no longer from the next request on.

    Raises Refusal, in the same words for a token that is not there as for one that is not theirs.
    """
    actor.require("bots")
    with store.write() as session:
        query = select(ApiToken, User.name).join(User, ApiToken.user_id == User.id)
        row = session.execute(query.where(ApiToken.id == token_id)).first()
        if row is None or (row[0].user_id != actor.user_id and "admin" not in actor.scopes):
            raise Refusal(
                "token_unknown",
                say(
                    "token {token_id!r}: you have none with that id; `arena token list` shows them",
                    token_id=token_id[:80],
                ),
                field="id",
                status=404,
            )
        own, owner = row
        session.delete(own)
        audit.note(session, actor.name, "token.revoke", f"token/{token_id}", user=owner)


def ensure_admin(store: Store) -> NewApiToken | None:
    """In a store without users, make the local admin and a token; None where there are users."""
    with store.write() as session:
        if session.scalar(select(func.count(User.id))):
            return None
        user = accounts.add_in(session, "admin", "admin", None)
        audit.note(session, accounts.OPERATOR.name, "user.create", "user/admin", role="admin")
        return add_in(session, accounts.OPERATOR.name, user, "first start", accounts.scopes_of("admin"))


def _of(session: Session, user_id: int) -> list[ApiToken]:
    return list(
        session.scalars(select(ApiToken).where(ApiToken.user_id == user_id).order_by(ApiToken.created_at))
    )
