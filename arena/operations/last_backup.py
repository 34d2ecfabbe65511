"""Time of the last backup: noted in the store itself, so that it outlasts Redis and is the same for all machines."""

from __future__ import annotations

import json

from arena.storage import Store
from arena.storage.schema import Meta

_KEY = "backup/last"


def note(store: Store, at: float) -> None:
    """Note that a backup was written of the store as it was at a time, in seconds since the epoch."""
    with store.write() as session:
        session.merge(Meta(key=_KEY, value=json.dumps({"at": at})))


def read(store: Store) -> float | None:
    """Return the time of the last backup, in seconds since the epoch; None if there was none."""
    with store.read() as session:
        row = session.get(Meta, _KEY)
        return None if row is None else float(json.loads(row.value)["at"])
