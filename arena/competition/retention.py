"""Retention: records, output and notes of bots are deleted some days after the end of their tournament; results, ratings and sums stay.

    finished_at ──── the days of the policy ────▶ deleted, a batch in a transaction

Uploads that nobody can need any more (`arena.bot_registry.stored_bundles`) are deleted with them, and weights that none of them names
(`arena.bot_registry.stored_weights`).

The progress is recorded in the store, so that pages can say why there is nothing to show, and so that deleted rows
are not looked for again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Table, delete, select, tuple_
from sqlalchemy.orm import Session

from arena.bot_registry import stored_bundles, stored_weights
from arena.storage import Store
from arena.storage.schema import (
    Base,
    ChoiceChances,
    MatchChances,
    MatchDrama,
    MatchNotes,
    MatchOutput,
    MatchResult,
    Meta,
    Record,
    Tournament,
)

BATCH = 500
"""Rows that one transaction deletes: few, so that others need not wait long to write."""

RECORDS = "records"
OUTPUTS = "outputs"
_TABLES = {
    RECORDS: (Base.metadata.tables[Record.__tablename__],),
    OUTPUTS: (
        Base.metadata.tables[MatchOutput.__tablename__],
        Base.metadata.tables[MatchNotes.__tablename__],
    ),
}
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """For how many days after the end of their tournament records and outputs are kept, and old uploads after they came; 0 is for ever."""

    records_days: float = 0.0
    outputs_days: float = 0.0
    uploads_days: float = 0.0


@dataclass(frozen=True, slots=True)
class Pruned:
    """Counts of the deleted records, outputs (including notes) and uploads, and whether there is more."""

    records: int
    outputs: int
    more: bool
    uploads: int = 0


@dataclass(frozen=True, slots=True)
class _Border:
    """Tournaments that were over before `end` are without; of those before `done` all is deleted."""

    end: float = 0.0
    done: float = 0.0


def prune(
    store: Store, keep: RetentionPolicy, *, now: float | None = None, batches: int | None = None
) -> Pruned:
    """Delete what need not be kept, in at most `batches` batches of each kind, or all of it."""
    at = time.time() if now is None else now
    records, more_records = _prune(store, RECORDS, keep.records_days, at, batches)
    outputs, more_outputs = _prune(store, OUTPUTS, keep.outputs_days, at, batches)
    uploads, more_uploads = 0, False
    if keep.uploads_days > 0:
        uploads, more_uploads = stored_bundles.prune(store, at - keep.uploads_days * _DAY_S, batches)
    more_weights = stored_weights.prune(store, at, batches)
    return Pruned(records, outputs, more_records or more_outputs or more_uploads or more_weights, uploads)


def is_kept(session: Session, kind: str, tournament_id: int) -> bool:
    """Return whether the records or outputs of a tournament are kept still."""
    ended = session.scalar(select(Tournament.finished_at).where(Tournament.id == tournament_id))
    return ended is None or ended >= _border(session, kind).end


def mark(session: Session) -> tuple[object, ...]:
    """Return what is another one when records or outputs are kept no longer."""
    return tuple((border.end, border.done) for border in (_border(session, kind) for kind in _TABLES))


def _prune(store: Store, kind: str, days: float, now: float, batches: int | None) -> tuple[int, bool]:
    if days <= 0:
        return 0, False
    cutoff, deleted, batch = now - days * _DAY_S, 0, 0
    while batches is None or batch < batches:
        batch += 1
        with store.write() as session:
            border = _border(session, kind)
            end = max(border.end, cutoff)
            found = _delete(session, kind, border.done, cutoff)
            if kind == RECORDS and found < BATCH:
                _delete_derived(session, border.done, cutoff)
            deleted += found
            done = border.done if found == BATCH else max(border.done, cutoff)
            session.merge(Meta(key=_key(kind), value=f"{end!r} {done!r}"))
        if found < BATCH:
            return deleted, False
    return deleted, True


def _delete(session: Session, kind: str, first: float, end: float) -> int:
    """Delete a batch of tournaments that were over from `first` on and before `end`; gives its size."""
    found = 0
    for table in _TABLES[kind]:
        found += _delete_rows(session, table, first, end, BATCH - found)
    return found


def _delete_rows(session: Session, table: Table, first: float, end: float, limit: int) -> int:
    key = tuple(table.primary_key)
    rows = session.execute(
        select(*key)
        .join(MatchResult, MatchResult.id == table.c.result_id)
        .join(Tournament, Tournament.id == MatchResult.tournament_id)
        .where(Tournament.finished_at >= first, Tournament.finished_at < end)
        .limit(limit)
    ).all()
    if rows:
        session.execute(delete(table).where(tuple_(*key).in_([tuple(row) for row in rows])))
    return len(rows)


def _delete_derived(session: Session, first: float, end: float) -> None:
    """Delete chances and the drama of matches whose records are deleted: nothing shows them any more."""
    over = select(Tournament.id).where(Tournament.finished_at >= first, Tournament.finished_at < end)
    for table in (MatchChances, MatchDrama, ChoiceChances):
        session.execute(delete(table).where(table.tournament_id.in_(over)))


def _border(session: Session, kind: str) -> _Border:
    row = session.get(Meta, _key(kind))
    return _Border() if row is None else _Border(*map(float, row.value.split()))


def _key(kind: str) -> str:
    return f"retention/{kind}"
