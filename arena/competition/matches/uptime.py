"""The platform's uptime: seconds in which it ran, independent of the clocks of its machines.  It never goes back."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.storage import Store
from arena.storage.schema import Meta

_KEY = "uptime_s"


def advance(store: Store, seconds: float) -> None:
    """Add what has passed; only the process that holds the reconciler's lease does."""
    with store.write() as session:
        row = session.get(Meta, _KEY, with_for_update=True)
        if row is None:
            session.add(Meta(key=_KEY, value=f"{seconds:.3f}"))
        else:
            row.value = f"{float(row.value) + seconds:.3f}"


def read(session: Session) -> float:
    """Return the uptime in seconds."""
    row = session.get(Meta, _KEY)
    return 0.0 if row is None else float(row.value)
