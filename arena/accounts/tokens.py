"""API tokens: shown once, stored hashed, revocable at once; they expire, and say in which hour they were last used."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.exc import SQLAlchemyError

from arena.accounts import actors, audit_log, secret_format, token_expiry, users
from arena.accounts.actors import Actor
from arena.core.answer_fields import PublicId, UtcTime
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import ApiToken, User

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from arena.storage import Store

MAX_TOKENS = 50
"""Of one user."""
MAX_LABEL_CHARS = 100

_log = logging.getLogger(__name__)

_KIND = "arena"
_HOUR_S = 3600

_TOKEN_AND_USER = (
    select(ApiToken, User).join(User, ApiToken.user_id == User.id).where(ApiToken.id == bindparam("of"))
)
"""Built once: every request with a token runs it, and building it takes nearly as long."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token, without its secret."""

    id: PublicId
    label: Annotated[str, Field(description="Purpose.", examples=["laptop"])]
    scopes: Annotated[
        tuple[str, ...], Field(description="read, bots, tournaments, admin.", examples=[["read", "bots"]])
    ]
    created_at: UtcTime
    expires_at: Annotated[
        float | None, Field(description="Time of its expiry, in seconds since the epoch, UTC; null: never.")
    ]
    used_at: Annotated[
        float | None,
        Field(
            description="The begin of the hour in which it was last used; null: it never was. Seconds since the epoch, UTC."
        ),
    ]


@dataclass(frozen=True, slots=True)
class NewApiToken(TokenRow):
    """A token that was just made."""

    token: Annotated[str, Field(description="The token itself: it is shown this once.")] = field(repr=False)


def identify(store: Store, token: str) -> Actor:
    """Return the user of a token and the scopes it has now, and record that it was used.  Raises Refusal."""
    with store.read() as session:
        own, actor = _find(session, token)
    _note_use(store, own)
    return actor


def identify_in(session: Session, token: str) -> Actor:
    """Do as `identify`, inside a transaction that writes.  Raises Refusal."""
    own, actor = _find(session, token)
    own.used_at = _hour()
    return actor


def _find(session: Session, token: str) -> tuple[ApiToken, Actor]:
    shown = secret_format.read(_KIND, token)
    if shown is not None:
        row = session.execute(_TOKEN_AND_USER, {"of": shown.id}).first()
        if row is not None and secret_format.fits(row[0].sha256, shown):
            own, user = row
            if own.expires_at is not None and own.expires_at <= time.time():
                raise _expired(own.expires_at)
            scopes = frozenset(own.scopes.split()) & actors.scopes_of(user.role)
            return own, Actor(user.id, user.name, user.role, scopes, own.expires_at)
    raise Refusal(
        "token_unknown",
        say("token: unknown or revoked; get a new one with `arena login URL`"),
        field="token",
        kind=RefusalKind.NOT_SIGNED_IN,
    )


def create(
    store: Store,
    actor: Actor,
    label: str,
    scopes: Iterable[str] = (),
    *,
    expires: str = token_expiry.STANDARD,
    user_name: str | None = None,
) -> NewApiToken:
    """Make a token for oneself; without scopes, with all of one's own.  Raises Refusal.

    `expires` is as `arena.accounts.token_expiry` reads it; a token that is made with another one expires no later than that.  `user_name` makes it for another user, which takes the scope `admin`.
    """
    actor.require("bots" if user_name is None else "admin")
    if not 0 < len(label) <= MAX_LABEL_CHARS or not label.isprintable():
        raise Refusal(
            "label_invalid",
            say("label {label!r}: must be 1 to {most} characters", label=label[:80], most=MAX_LABEL_CHARS),
            field="label",
        )
    ends = [at for at in (token_expiry.read(expires, time.time()), actor.expires_at) if at is not None]
    expires_at = min(ends, default=None)
    with store.write() as session:
        user = users.find_in(session, actor.name if user_name is None else user_name)
        allowed = actor.scopes if user_name is None else actors.scopes_of(user.role)
        wanted = users.check_scopes(scopes, allowed, user.role)
        _make_room(session, user)
        return add_in(session, actor.name, user, label, wanted, expires_at)


def add_in(
    session: Session,
    actor_name: str,
    user: User,
    label: str,
    scopes: frozenset[str],
    expires_at: float | None = None,
) -> NewApiToken:
    """Make a token for a user, inside a transaction."""
    made, now = secret_format.make(_KIND), time.time()
    ordered = tuple(scope for scope in actors.SCOPES if scope in scopes)
    session.add(
        ApiToken(
            id=made.id,
            user_id=user.id,
            label=label,
            scopes=" ".join(ordered),
            sha256=made.sha256,
            created_at=now,
            expires_at=expires_at,
        )
    )
    audit_log.note(session, actor_name, "token.create", f"token/{made.id}", user=user.name, scopes=ordered)
    return NewApiToken(made.id, label, ordered, now, expires_at, None, made.text)


def listing(store: Store, actor: Actor) -> tuple[TokenRow, ...]:
    """List your tokens, the oldest first; the secrets are not stored."""
    with store.read() as session:
        return tuple(
            TokenRow(
                row.id, row.label, tuple(row.scopes.split()), row.created_at, row.expires_at, row.used_at
            )
            for row in _of(session, actor.user_id)
        )


def revoke(store: Store, actor: Actor, token_id: str) -> None:
    """Revoke one of the actor's own tokens; an admin may revoke any.  It is invalid from the next request on.

    Raises Refusal, with the same message for a missing token and for another user's.
    """
    actor.require("bots")
    with store.write() as session:
        query = select(ApiToken, User.name).join(User, ApiToken.user_id == User.id)
        row = session.execute(query.where(ApiToken.id == token_id)).first()
        if row is None or (row[0].user_id != actor.user_id and "admin" not in actor.scopes):
            raise Refusal(
                "token_unknown",
                say(
                    "token {token_id!r}: you have none with this id; `arena token list` shows yours",
                    token_id=token_id[:80],
                ),
                field="id",
                kind=RefusalKind.NOT_FOUND,
            )
        own, owner = row
        session.delete(own)
        audit_log.note(session, actor.name, "token.revoke", f"token/{token_id}", user=owner)


def revoke_all_in(session: Session, user: User) -> int:
    """Revoke all tokens of a user inside a transaction; return how many there were."""
    mine = delete(ApiToken).where(ApiToken.user_id == user.id).returning(ApiToken.id)
    return len(session.execute(mine).all())


def _note_use(store: Store, own: ApiToken) -> None:
    """Record the hour in which a token is used, once; a store that cannot be written to locks no user out."""
    hour = _hour()
    if own.used_at is not None and own.used_at >= hour:
        return
    try:
        with store.write() as session:
            session.execute(update(ApiToken).where(ApiToken.id == own.id).values(used_at=hour))
    except SQLAlchemyError as error:
        _log.warning("token %s: its use could not be written down: %s", own.id, error)


def _hour() -> float:
    now = time.time()
    return now - now % _HOUR_S


def _make_room(session: Session, user: User) -> None:
    """Delete expired tokens of a user who has as many as possible.  Raises Refusal if all are valid."""
    mine = _of(session, user.id)
    if len(mine) < MAX_TOKENS:
        return
    expired = [row for row in mine if row.expires_at is not None and row.expires_at <= time.time()]
    if not expired:
        raise Refusal(
            "quota_exhausted",
            say(
                "tokens: {name} has {most_tokens}; revoke one first (`arena token list`)",
                name=user.name,
                most_tokens=MAX_TOKENS,
            ),
            kind=RefusalKind.CONFLICT,
        )
    for row in expired:
        session.delete(row)


def _expired(at: float) -> Refusal:
    return Refusal(
        "token_expired",
        say(
            "token: expired ({when} UTC); get a new one with `arena login URL`",
            when=time.strftime("%Y-%m-%d %H:%M", time.gmtime(at)),
        ),
        field="token",
        kind=RefusalKind.NOT_SIGNED_IN,
    )


def _of(session: Session, user_id: int) -> list[ApiToken]:
    return list(
        session.scalars(select(ApiToken).where(ApiToken.user_id == user_id).order_by(ApiToken.created_at))
    )
