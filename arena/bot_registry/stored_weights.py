"""Weights: the large files that bundles name, in the store in parts; each author's are that author's own.

Authors can name only weights of their own uploads: to know a SHA-256 is not to have the file.  Weights that no bundle in the store names are
deleted a day after their upload, and unfinished uploads after an hour.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, func, select, update

from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import BundleWeights, Weights, WeightsPart
from arena.storage.upserts import insert_missing

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.accounts.actors import Actor
    from arena.bundle_format.bundle import Bundle
    from arena.storage import Store

PART_BYTES = 1 << 20
"""The most bytes in one row and one transaction."""
BATCH = 64
"""Parts that one transaction deletes."""
_MIB = 1 << 20
_UNNAMED_S = 86_400.0
_BROKEN_OFF_S = 3600.0
DELETED = 0.0
"""`written_at` of a file that is being deleted: nothing can be added to it."""


@dataclass(frozen=True, slots=True)
class WeightsLimits:
    """Limits in MiB of the weights of one upload, and of one author together."""

    upload_mib: int = 512
    author_mib: int = 3072


STANDARD = WeightsLimits()


def size_of(store: Store, actor: Actor, sha256: str) -> int | None:
    """Return the size of weights that an author has sent; None if they are not there."""
    with store.read() as session:
        return session.scalar(
            select(Weights.size).where(
                Weights.sha256 == sha256, Weights.user_id == actor.user_id, Weights.complete
            )
        )


def count_bytes(session: Session, user_id: int) -> int:
    """Return the size of all weights of an author, those on their way among them."""
    return session.scalar(select(func.sum(Weights.size)).where(Weights.user_id == user_id)) or 0


def check_size(size: int, limits: WeightsLimits) -> None:
    """Check that weights are not too large.  Raises Refusal."""
    if size > limits.upload_mib * _MIB:
        raise Refusal(
            "too_large",
            say(
                "weights: have {bytes} bytes, at most {most} are possible for all of one upload together",
                bytes=size,
                most=limits.upload_mib * _MIB,
            ),
            field="weights",
            kind=RefusalKind.TOO_LARGE,
        )


def discard(store: Store, number: int) -> None:
    """Delete a file that is not complete."""
    _close(store, number, time.time())
    while _delete(store, number):
        pass


def keep(session: Session, actor: Actor, upload: Bundle, limits: WeightsLimits) -> None:
    """Keep the weights that a bundle names for as long as the bundle, which is in the store.  Raises Refusal if they are not there, or too large."""
    connection, size = session.connection(), 0
    statement = insert_missing(connection.dialect.name, BundleWeights, ("bundle_sha256", "weights_id"))
    for name, sha256 in upload.manifest.weights:
        query = select(Weights).where(Weights.sha256 == sha256, Weights.complete)
        if actor.user_id:
            query = query.where(Weights.user_id == actor.user_id)
        row = session.scalars(query.limit(1).with_for_update(read=True)).one_or_none()
        if row is None:
            raise Refusal(
                "weights_missing",
                say(
                    "weights {name}: you have not uploaded a file with the SHA-256 {sha256} yet; `arena bot submit FOLDER` uploads it, as does POST /api/v1/weights/{sha256}/upload",
                    name=name,
                    sha256=sha256,
                ),
                field="weights",
            )
        size += row.size
        statement.run(connection, {"bundle_sha256": upload.sha256, "weights_id": row.id})
    check_size(size, limits)


def find(store: Store, sha256: str) -> int | None:
    """Return the number of a file that is complete; None if there is none of that SHA-256."""
    with store.read() as session:
        return session.scalar(select(Weights.id).where(Weights.sha256 == sha256, Weights.complete).limit(1))


def read_part(store: Store, number: int, part: int) -> bytes | None:
    """Return a part of a file; None after the last one."""
    with store.read() as session:
        return session.scalar(
            select(WeightsPart.data).where(WeightsPart.weights_id == number, WeightsPart.number == part)
        )


def prune(store: Store, now: float, batches: int | None = None) -> bool:
    """Delete unnamed weights and unfinished uploads, in at most `batches` batches; return whether there may be more."""
    _hide_unnamed(store, now - _UNNAMED_S)
    broken_off = (~Weights.complete, Weights.written_at < now - _BROKEN_OFF_S)
    batch = 0
    while batches is None or batch < batches:
        batch += 1
        with store.read() as session:
            number = session.scalar(select(Weights.id).where(*broken_off).limit(1))
        if number is None:
            return False
        _close(store, number, now - _BROKEN_OFF_S)
        _delete(store, number)
    return True


def _hide_unnamed(store: Store, before: float) -> None:
    """Make files incomplete that no bundle names, so that they are deleted."""
    named = exists().where(BundleWeights.weights_id == Weights.id)
    unnamed = (Weights.complete, Weights.written_at < before, ~named)
    with store.read() as session:
        if session.scalar(select(Weights.id).where(*unnamed).limit(1)) is None:
            return
    with store.write() as session:
        locked = list(session.scalars(select(Weights.id).where(*unnamed).with_for_update(skip_locked=True)))
        # Looked at again: a bundle may have named it before the lock.
        hidden = (
            update(Weights).where(Weights.id.in_(locked), *unnamed).values(complete=False, written_at=DELETED)
        )
        session.execute(hidden.execution_options(synchronize_session=False))


def _close(store: Store, number: int, before: float) -> None:
    """Keep anything from being added to an unfinished file that was last written to before a time."""
    idle = (Weights.id == number, ~Weights.complete, Weights.written_at <= before)
    with store.write() as session:
        session.execute(update(Weights).where(*idle).values(written_at=DELETED))


def _delete(store: Store, number: int) -> bool:
    """Delete a batch of the parts of a closed file, and the file after the last; return whether there is more of it."""
    of_it = WeightsPart.weights_id == number
    closed = (Weights.id == number, ~Weights.complete, Weights.written_at == DELETED)
    with store.write() as session:
        if session.scalar(select(Weights.id).where(*closed).with_for_update()) is None:
            return False
        parts = session.scalars(
            select(WeightsPart.number).where(of_it).order_by(WeightsPart.number).limit(BATCH)
        )
        last = max(parts, default=-1)
        session.execute(delete(WeightsPart).where(of_it, WeightsPart.number <= last))
        if last < 0:
            session.execute(delete(Weights).where(*closed))
        return last >= 0
