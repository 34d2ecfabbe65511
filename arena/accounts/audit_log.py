"""The audit log: what people did.  Rows are added in the transaction of the deed, so neither is there without the other."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.core.answer_fields import UtcTime
from arena.games.kernel import Json
from arena.storage import Store
from arena.storage.schema import Audit

if TYPE_CHECKING:
    from arena.accounts.actors import Actor

MAX_ROWS = 200
_MAX_SUBJECT_CHARS = 200


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A logged action of a user."""

    id: Annotated[int, Field(description="Counts up.", examples=[1])]
    at: UtcTime
    actor: Annotated[str, Field(description="User, or `operator`.", examples=["ada"])]
    action: Annotated[str, Field(description="Action.", examples=["token.create"])]
    subject: Annotated[str, Field(description="On what.", examples=["token/2b19c42bf0c904cf"])]
    detail: Annotated[Mapping[str, Any], Field(description="Further details.")]


def note(session: Session, actor_name: str, action: str, subject: str, **detail: Json) -> None:
    """Write down a deed, such as `token.create`, on a subject, such as `user/ada`.  Nothing secret goes into it."""
    session.add(
        Audit(
            at=time.time(),
            actor=actor_name,
            action=action,
            subject=subject[:_MAX_SUBJECT_CHARS],
            detail=dict(detail),
        )
    )


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rows are wanted: of whom, and those whose action or subject begins so; empty, all."""

    actor: str = ""
    action: str = ""
    subject: str = ""


def listing(
    store: Store,
    actor: Actor,
    *,
    before: int | None = None,
    most: int = MAX_ROWS,
    wanted: Filter = Filter(),
) -> tuple[AuditRow, ...]:
    """List the log, the newest first, from before the row with this id.  Raises Refusal."""
    actor.require("admin")
    query = select(Audit).order_by(Audit.id.desc()).limit(most)
    if before is not None:
        query = query.where(Audit.id < before)
    if wanted.actor:
        query = query.where(Audit.actor == wanted.actor)
    if wanted.action:
        query = query.where(Audit.action.startswith(wanted.action, autoescape=True))
    if wanted.subject:
        query = query.where(Audit.subject.startswith(wanted.subject, autoescape=True))
    with store.read() as session:
        return tuple(
            AuditRow(row.id, row.at, row.actor, row.action, row.subject, _detail(row.detail))
            for row in session.scalars(query)
        )


def _detail(stored: Mapping[str, object]) -> Mapping[str, Json]:
    """Return a detail as it was written: JSON comes back from the store without its type."""
    return stored  # type: ignore[return-value]
