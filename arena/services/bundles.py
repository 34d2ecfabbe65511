"""Bundles: the uploads in the store, each once, whatever versions it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import select

from arena.store.schema import Bundle as Row
from arena.store.statements import insert_missing

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.store import Store
    from arena.submit.bundle import Bundle


def keep(session: Session, bundle: Bundle) -> None:
    """Keep a bundle, if it is not kept yet."""
    connection = session.connection()
    row = {"sha256": bundle.sha256, "data": bundle.data, "created_at": time.time()}
    insert_missing(connection.dialect.name, Row, ("sha256",)).run(connection, row)


def is_kept(session: Session, sha256: str) -> bool:
    """Return whether the bytes of a bundle are in the store."""
    return session.scalar(select(Row.sha256).where(Row.sha256 == sha256)) is not None


def read(store: Store, sha256: str) -> bytes | None:
    """Give the bytes of a bundle, None if there is none of that name."""
    with store.read() as session:
        return session.scalar(select(Row.data).where(Row.sha256 == sha256))
