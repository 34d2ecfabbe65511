"""Leases on what only one process of all machines may do at a time; they stand in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.storage.database_clock import read_time
from arena.storage.schema import Meta

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.storage import Store


def take(store: Store, purpose: str, holder: str, lease_s: float) -> bool:
    """Take a lease, or hold it longer.  False if another holds it.

    Whoever dies with it holds it until it has run out, by the database's clock.
    """
    key = f"lease/{purpose}"
    with store.read() as session:
        if _is_held(session, session.get(Meta, key), holder):
            return False
    with store.write() as session:
        row = session.get(Meta, key, with_for_update=True)
        if _is_held(session, row, holder):
            return False
        now = read_time(session)
        value = f"{now + lease_s:.3f} {holder}"
        if row is None:
            session.add(Meta(key=key, value=value))
        else:
            row.value = value
    return True


def leave(store: Store, purpose: str, holder: str) -> None:
    """Return a lease back, so that another can take it at once."""
    with store.write() as session:
        row = session.get(Meta, f"lease/{purpose}")
        if row is not None and row.value.partition(" ")[2] == holder:
            session.delete(row)


def _is_held(session: Session, row: Meta | None, holder: str) -> bool:
    """Whether somebody else has the lease."""
    if row is None:
        return False
    until, _, other = row.value.partition(" ")
    return other != holder and float(until) > read_time(session)
