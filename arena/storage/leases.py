"""Leases in the database, for tasks that only one process of all machines may do at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.storage.database_clock import read_time
from arena.storage.schema import Meta
from arena.storage.upserts import insert_missing

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.storage import Store


def take(store: Store, purpose: str, holder: str, lease_s: float) -> bool:
    """Acquire or renew a lease; return False if another process holds it.

    The lease of a process that dies expires after `lease_s` seconds, by the database's clock.
    """
    key = f"lease/{purpose}"
    with store.read() as session:
        if _is_held_by_other(session, session.get(Meta, key), holder):
            return False
    with store.write() as session:
        row = session.get(Meta, key, with_for_update=True)
        if _is_held_by_other(session, row, holder):
            return False
        now = read_time(session)
        value = f"{now + lease_s:.3f} {holder}"
        if row is None:  # several may be here at the same time
            new = insert_missing(store.dialect, Meta, ("key",))
            return bool(new.run(session.connection(), {"key": key, "value": value}).rowcount)
        row.value = value
    return True


def leave(store: Store, purpose: str, holder: str) -> None:
    """Release a lease, so that another process can acquire it at once."""
    with store.write() as session:
        row = session.get(Meta, f"lease/{purpose}", with_for_update=True)
        if row is not None and row.value.partition(" ")[2] == holder:
            session.delete(row)


def _is_held_by_other(session: Session, row: Meta | None, holder: str) -> bool:
    """Return whether another process holds the lease."""
    if row is None:
        return False
    until, _, other = row.value.partition(" ")
    return other != holder and float(until) > read_time(session)
