"""Uploads of weights in parts, which can be interrupted and continued.

    begin ──▶ add, add, … ──▶ finish: whole, its SHA-256 checked, and only now visible
      └─ again, after any interruption: says how many bytes are there

An author has at most one unfinished upload of a SHA-256, and each of its bytes is added once: `add` names the offset that it
continues at.  An unfinished upload is deleted an hour after its last part.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from hashlib import sha256 as new_sha256
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from sqlalchemy import Select, func, insert, select

from arena.bot_registry import quotas, stored_weights
from arena.bot_registry.stored_weights import DELETED, WeightsLimits
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import Weights, WeightsPart

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.accounts.actors import Actor
    from arena.storage import Store

MIN_PART_BYTES = 1 << 16
"""The fewest bytes of a part that does not end the file: it is one row, and a sender may break off anywhere."""
_MIB = 1 << 20
MAX_PART_BYTES = 4 * _MIB
"""The most bytes of a part by default."""


@dataclass(frozen=True, slots=True)
class WeightsUpload:
    """The progress of an upload of weights."""

    sha256: Annotated[str, Field(description="SHA-256 of the file, in hex.")]
    size: Annotated[int, Field(description="Its size in bytes.")]
    received: Annotated[int, Field(description="How many of them are there: the next part begins here.")]
    complete: Annotated[bool, Field(description="Whether the file is whole, checked, and can be named.")]
    part_bytes: Annotated[int, Field(description="The most bytes of a part.", examples=[4194304])]


def begin(store: Store, actor: Actor, sha256: str, size: int, limits: WeightsLimits) -> WeightsUpload:
    """Begin an upload of `size` bytes, or return the one that has begun; a finished one is complete.  Raises Refusal."""
    stored_weights.check_size(size, limits)
    with store.write() as session:
        quotas.lock(session, actor)
        if (had := session.scalar(_complete(actor, sha256))) is not None:
            return _progress(sha256, had.size, had.size, complete=True)
        unfinished = session.scalar(_unfinished(actor, sha256))
        if unfinished is not None and unfinished.size == size:
            unfinished.written_at = time.time()
            return _progress(sha256, size, _extent(session, unfinished)[1], complete=False)
        if unfinished is not None:
            unfinished.written_at = DELETED
        used = stored_weights.count_bytes(session, actor.user_id)
        if used + size > limits.author_mib * _MIB:
            raise Refusal(
                "storage_exhausted",
                say(
                    "weights of {bytes} bytes: {author}'s weights have {used} bytes already, at most {most} are possible; "
                    "those that no version needs any more are deleted in time",
                    bytes=size,
                    author=actor.name,
                    used=used,
                    most=limits.author_mib * _MIB,
                ),
                field="weights",
                kind=RefusalKind.TOO_LARGE,
            )
        session.add(
            Weights(sha256=sha256, user_id=actor.user_id, size=size, complete=False, written_at=time.time())
        )
        return _progress(sha256, size, 0, complete=False)


def add(store: Store, actor: Actor, sha256: str, offset: int, data: bytes) -> WeightsUpload:
    """Add bytes to an unfinished upload, at the offset where it ends.  Raises Refusal."""
    with store.write() as session:
        row = _locked(session, actor, sha256)
        parts, received = _extent(session, row)
        if offset != received:
            raise Refusal(
                "offset_wrong",
                say("offset {offset}: this upload continues at {received}", offset=offset, received=received),
                field="offset",
                kind=RefusalKind.CONFLICT,
            )
        received += len(data)
        if received > row.size:
            raise Refusal(
                "too_large",
                say("weights: are larger than {most} bytes", most=row.size),
                field="weights",
                kind=RefusalKind.TOO_LARGE,
            )
        session.execute(insert(WeightsPart).values(weights_id=row.id, number=parts, data=data))
        row.written_at = time.time()
        return _progress(sha256, row.size, received, complete=False)


def show(store: Store, actor: Actor, sha256: str) -> WeightsUpload:
    """Return how far an unfinished upload is.  Raises Refusal if there is none."""
    with store.read() as session:
        row = session.scalar(_unfinished(actor, sha256))
        if row is None:
            raise _not_begun(sha256)
        return _progress(sha256, row.size, _extent(session, row)[1], complete=False)


def finish(store: Store, actor: Actor, sha256: str) -> WeightsUpload:
    """Check a file that is whole and make it visible; one that is visible already stays.  Raises Refusal.

    It is read part by part for its SHA-256, outside of a transaction: a whole file does not change any more.
    """
    if (size := stored_weights.size_of(store, actor, sha256)) is not None:
        return _progress(sha256, size, size, complete=True)
    with store.read() as session:
        row = session.scalar(_unfinished(actor, sha256))
        if row is None:
            raise _not_begun(sha256)
        number, size, received = row.id, row.size, _extent(session, row)[1]
    if received < size:
        raise Refusal(
            "weights_incomplete",
            say(
                "weights {sha256}: {received} of {bytes} bytes have come; send the rest first",
                sha256=sha256,
                received=received,
                bytes=size,
            ),
            field="sha256",
            kind=RefusalKind.CONFLICT,
        )
    found = _hash(store, number)
    if found != sha256:
        stored_weights.discard(store, number)
        raise Refusal(
            "weights_wrong",
            say(
                "sha256 {sha256}: the {bytes} bytes that came have the SHA-256 {found}; name them by that, or send the right file",
                sha256=sha256,
                bytes=size,
                found=found,
            ),
            field="sha256",
        )
    with store.write() as session:
        quotas.lock(session, actor)
        if session.scalar(_complete(actor, sha256)) is None:
            row = _locked(session, actor, sha256)
            row.complete, row.written_at = True, time.time()
    return _progress(sha256, size, size, complete=True)


def _complete(actor: Actor, sha256: str) -> Select[Weights]:
    return select(Weights).where(Weights.sha256 == sha256, Weights.user_id == actor.user_id, Weights.complete)


def _unfinished(actor: Actor, sha256: str) -> Select[Weights]:
    return select(Weights).where(
        Weights.sha256 == sha256,
        Weights.user_id == actor.user_id,
        ~Weights.complete,
        Weights.written_at > DELETED,
    )


def _locked(session: Session, actor: Actor, sha256: str) -> Weights:
    """Return an unfinished upload, locked until the end of the transaction.  Raises Refusal if there is none."""
    row = session.scalar(_unfinished(actor, sha256).with_for_update())
    if row is None:
        raise _not_begun(sha256)
    return row


def _not_begun(sha256: str) -> Refusal:
    return Refusal(
        "weights_missing",
        say(
            "weights {sha256}: there is no unfinished upload of yours; it may have expired, begin it again",
            sha256=sha256,
        ),
        field="sha256",
        kind=RefusalKind.NOT_FOUND,
    )


def _extent(session: Session, row: Weights) -> tuple[int, int]:
    """Return the number of parts of a file and of their bytes."""
    query = select(func.count(), func.coalesce(func.sum(func.length(WeightsPart.data)), 0))
    parts, received = session.execute(query.where(WeightsPart.weights_id == row.id)).one()
    return parts, received


def _hash(store: Store, number: int) -> str:
    digest, part = new_sha256(), 0
    while (data := stored_weights.read_part(store, number, part)) is not None:
        digest.update(data)
        part += 1
    return digest.hexdigest()


def _progress(sha256: str, size: int, received: int, *, complete: bool) -> WeightsUpload:
    return WeightsUpload(sha256, size, received, complete, MAX_PART_BYTES)
