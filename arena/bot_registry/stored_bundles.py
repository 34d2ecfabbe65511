"""Bundles: the uploads in the store, each once, shared by all its versions.

Those that are no longer needed are deleted in time: of versions that have failed, were withdrawn or have been replaced, are not
among the last of their bot, and are entered in nothing that is still to be played.  Results and records stay.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, literal, or_, select
from sqlalchemy.orm import aliased

from arena.bot_registry import version_states
from arena.bundle_format import bundle as bundles
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import Bundle as Row
from arena.storage.schema import Entry, Tournament, Version
from arena.storage.upserts import insert_missing

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from arena.bot_registry.bot_version import BotVersion
    from arena.bundle_format.bundle import Bundle
    from arena.storage import Store

KEPT_VERSIONS = 5
"""The newest versions of a bot, whose files are always kept."""
BATCH = 10
"""Bundles that one transaction deletes: few, since each may have 20 MB."""
_ENDED = ("finished", "cancelled")
_ATTEMPTS = 3


def keep(session: Session, bundle: Bundle) -> None:
    """Store a bundle unless it is stored already; it cannot be deleted until the transaction ends."""
    connection = session.connection()
    row = {"sha256": bundle.sha256, "data": bundle.data, "created_at": time.time()}
    for _ in range(_ATTEMPTS):  # it may be deleted at this very moment
        insert_missing(connection.dialect.name, Row, ("sha256",)).run(connection, row)
        if hold(session, bundle.sha256):
            return


def hold(session: Session, sha256: str) -> bool:
    """Keep a bundle from being deleted until the end of the transaction; return whether it is in the store."""
    held = select(Row.sha256).where(Row.sha256 == sha256).with_for_update(read=True)
    return session.scalar(held) is not None


def check_kept(session: Session, found: BotVersion, field: str = "bot") -> None:
    """Check that a version can be started: its files are not deleted, and stay until the end of the transaction.

    Raises Refusal.
    """
    sha256 = bundles.sha256_of(found.program) if found.hosted else None
    if sha256 is not None and not hold(session, sha256):
        raise not_kept(found.bot, found.version, field)


def not_kept(bot: str, version: str, field: str = "bot") -> Refusal:
    """Return the refusal of a version whose files are deleted."""
    return Refusal(
        "not_kept",
        say(
            "bot {bot}@{version}: its files are no longer kept; submit them again",
            bot=bot,
            version=version,
        ),
        field=field,
        kind=RefusalKind.GONE,
    )


def kept(session: Session, programs: set[str]) -> frozenset[str]:
    """Return those of some programs, `bundle:<SHA-256>`, whose bytes are in the store."""
    names = {sha256: program for program in programs if (sha256 := bundles.sha256_of(program))}
    return frozenset(
        names[sha256] for sha256 in session.scalars(select(Row.sha256).where(Row.sha256.in_(names)))
    )


def is_kept(session: Session, sha256: str) -> bool:
    """Return whether the bytes of a bundle are in the store."""
    return session.scalar(select(Row.sha256).where(Row.sha256 == sha256)) is not None


def read(store: Store, sha256: str) -> bytes | None:
    """Return the bytes of a bundle, None if there is none of that name."""
    with store.read() as session:
        return session.scalar(select(Row.data).where(Row.sha256 == sha256))


def prune(store: Store, before: float, batches: int | None = None) -> tuple[int, bool]:
    """Delete bundles older than a time that are not needed, in at most `batches` batches.

    Returns how many were deleted, and whether there may be more.
    """
    deleted, batch = 0, 0
    while batches is None or batch < batches:
        batch += 1
        found = _prune(store, before)
        deleted += found
        if found < BATCH:
            return deleted, False
    return deleted, True


def _prune(store: Store, before: float) -> int:
    needed = literal(bundles.PREFIX) + Row.sha256
    unneeded = (Row.created_at < before, needed.not_in(_needed(before)))
    with store.read() as session:
        if session.scalar(select(Row.sha256).where(*unneeded).limit(1)) is None:
            return 0
    with store.write() as session:
        locked = select(Row.sha256).where(*unneeded).limit(BATCH).with_for_update(skip_locked=True)
        names = list(session.scalars(locked))
        # Looked at again: a version may have come, or come back, before the lock.
        gone = delete(Row).where(Row.sha256.in_(names), *unneeded).returning(Row.sha256)
        return len(session.execute(gone.execution_options(synchronize_session=False)).all())


def _needed(before: float) -> Select[str]:
    """Select the programs of the versions that must be startable."""
    later = aliased(Version)
    newer = (
        select(func.count())
        .where(later.bot_id == Version.bot_id, later.id > Version.id)
        .correlate(Version)
        .scalar_subquery()
    )
    entered = (
        select(Entry.version_id)
        .join(Tournament, Tournament.id == Entry.tournament_id)
        .where(Tournament.state.not_in(_ENDED))
    )
    return select(Version.program).where(
        Version.source == version_states.HOSTED,
        or_(
            Version.state.in_((version_states.ACTIVE, version_states.WAITING, version_states.SUSPENDED)),
            Version.created_at >= before,
            newer < KEPT_VERSIONS,
            Version.id.in_(entered),
        ),
    )
