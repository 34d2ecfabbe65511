"""Numbers of deleted tournaments, which are not used again: SQLite would give the newest one's number to the next.

PostgreSQL counts by a sequence, which never goes back.
"""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.storage.schema import Meta, Tournament

_KEY = "highest_deleted_tournament"


def note(session: Session, tournament_id: int) -> None:
    """Remember a number that is about to be free."""
    row = session.get(Meta, _KEY, with_for_update=True)
    if row is None:
        session.add(Meta(key=_KEY, value=str(tournament_id)))
    else:
        row.value = str(max(int(row.value), tournament_id))


def next_number(session: Session) -> int | None:
    """Return the number of the next tournament where the database would use one again; None: let the database choose."""
    if session.connection().dialect.name != "sqlite":
        return None
    deleted = session.scalar(select(Meta.value).where(Meta.key == _KEY))
    if deleted is None:
        return None
    return max(int(deleted), session.scalar(select(func.max(Tournament.id))) or 0) + 1
