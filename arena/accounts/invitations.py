"""Registration: who may make an account by themselves, and invitations to do so once."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field
from sqlalchemy import delete, select

from arena.accounts import audit_log, passwords, secret_format, users
from arena.accounts.actors import Actor, Role
from arena.accounts.users import UserRow
from arena.core.answer_fields import PublicId, UtcTime
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import Invitation, User

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.core.settings import Registration
    from arena.storage import Store

STANDARD_DAYS = 7
MAX_DAYS = 90
_KIND = "invite"
_DAY_S = 86400
_STANDARD_ROLE: Role = "author"


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """An invitation that was just made."""

    id: Annotated[str, Field(description="Its public id.")]
    role: Annotated[str, Field(description="The role it gives: author, organiser or admin.")]
    expires_at: UtcTime
    invitation: Annotated[
        str, Field(description="Code to be sent with the registration; it is shown only once.")
    ] = field(repr=False)


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """An invitation, without its secret."""

    id: PublicId
    role: Annotated[str, Field(description="The role that it gives.", examples=["author"])]
    state: Annotated[Literal["open", "used", "expired"], Field(description="Whether it can still be used.")]
    used_by: Annotated[str | None, Field(description="User who has registered with it.", examples=["ada"])]
    created_at: UtcTime
    expires_at: UtcTime


def invite(
    store: Store, actor: Actor, role: str = _STANDARD_ROLE, days: int = STANDARD_DAYS
) -> NewInvitation:
    """Create an invitation for one person that expires after `days` (1 to MAX_DAYS).  Raises Refusal."""
    actor.require("admin")
    users.check_role(role)
    if not 1 <= days <= MAX_DAYS:
        raise Refusal(
            "days_invalid",
            say("days {days}: must be 1 to {most_days}", days=days, most_days=MAX_DAYS),
            field="days",
        )
    made, now = secret_format.make(_KIND), time.time()
    expires_at = now + days * _DAY_S
    with store.write() as session:
        session.add(
            Invitation(id=made.id, role=role, sha256=made.sha256, created_at=now, expires_at=expires_at)
        )
        audit_log.note(
            session, actor.name, "invitation.create", f"invitation/{made.id}", role=role, days=days
        )
    return NewInvitation(made.id, role, expires_at, made.text)


def listing(store: Store, actor: Actor) -> tuple[InvitationRow, ...]:
    """List the invitations, the newest first; what makes one an invitation was shown when it was made.  Raises Refusal."""
    actor.require("admin")
    query = select(Invitation, User.name).outerjoin(User, User.id == Invitation.used_by)
    now = time.time()
    with store.read() as session:
        rows = session.execute(query.order_by(Invitation.created_at.desc(), Invitation.id)).all()
        return tuple(
            InvitationRow(
                row.id,
                row.role,
                "used" if row.used_by is not None else "open" if row.expires_at > now else "expired",
                name,
                row.created_at,
                row.expires_at,
            )
            for row, name in rows
        )


def revoke(store: Store, actor: Actor, invitation_id: str) -> None:
    """Revoke an unused invitation.  Raises Refusal."""
    actor.require("admin")
    with store.write() as session:
        mine = (Invitation.id == invitation_id, Invitation.used_by.is_(None))
        if session.execute(delete(Invitation).where(*mine).returning(Invitation.id)).first() is None:
            raise Refusal(
                "invitation_unknown",
                say(
                    "invitation {invitation_id!r}: no unused invitation has this id",
                    invitation_id=invitation_id[:40],
                ),
                field="invitation",
                kind=RefusalKind.NOT_FOUND,
            )
        audit_log.note(session, actor.name, "invitation.revoke", f"invitation/{invitation_id}")


def register(
    store: Store, mode: Registration, name: str, password: str, invitation: str | None = None
) -> UserRow:
    """Make an account for a stranger.  Raises Refusal, before it says anything about names to those who may not."""
    if mode == "closed":
        raise Refusal(
            "registration_closed",
            say("registration: is closed; ask the organiser for an account"),
            kind=RefusalKind.FORBIDDEN,
        )
    if mode == "invitation" and invitation is None:
        raise Refusal(
            "invitation_missing",
            say("invitation: is missing; registration here is by invitation only, ask the organiser for one"),
            field="invitation",
            kind=RefusalKind.FORBIDDEN,
        )
    with store.read() as session:
        _find(session, invitation, lock=False)
        users.check_name(name)
        if session.scalar(select(User.id).where(User.name == name)) is not None:
            raise users.taken(name)
    hashed = passwords.make(password, name)
    with users.adding(name), store.write() as session:
        used = _find(session, invitation, lock=True)
        user = users.add_in(session, name, _STANDARD_ROLE if used is None else used.role, hashed)
        if used is not None:
            used.used_by = user.id
        by = {} if used is None else {"invitation": used.id}
        audit_log.note(session, name, "user.register", f"user/{name}", role=user.role, **by)
        return UserRow(user.name, user.role, has_password=True, tokens=0, created_at=user.created_at)


def valid_id(store: Store, text: str) -> str | None:
    """Return the public id of an invitation that can be used; None if this is none."""
    with store.read() as session:
        try:
            found = _find(session, text, lock=False)
        except Refusal:
            return None
        return None if found is None else found.id


def _find(session: Session, text: str | None, *, lock: bool) -> Invitation | None:
    """Return the unused invitation whose secret is shown, None where none is shown.  Raises Refusal.

    `lock` keeps others from using it until the transaction ends: for one that writes, since one that reads sees the store
    as it was when it began, and PostgreSQL lets it lock nothing that has changed since.
    """
    if text is None:
        return None
    shown = secret_format.read(_KIND, text)
    if shown is not None:
        query = select(Invitation).where(
            Invitation.id == shown.id, Invitation.used_by.is_(None), Invitation.expires_at > time.time()
        )
        found = session.scalar(query.with_for_update() if lock else query)
        if found is not None and secret_format.fits(found.sha256, shown):
            return found
    raise Refusal(
        "invitation_unknown",
        say("invitation: unknown, used or expired; ask the organiser for a new one"),
        field="invitation",
        kind=RefusalKind.FORBIDDEN,
    )
