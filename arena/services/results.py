"""Results: stored exactly once, with their record and their part of the sums, in one transaction.

Rows are touched in the same order by everybody (result, record, totals by key, tournament, bot, version), so that two transactions
of PostgreSQL never wait for each other in a circle.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from sqlalchemy import Connection, delete, exists, select, update
from sqlalchemy.orm import Session

from arena.schedule.sets import PlannedMatch
from arena.services import plans, trials
from arena.services.outcomes import ANNULLED, Outcome, RecordMismatch, pair_rows, read_outcome, version_rows
from arena.services.plans import StoredPlan
from arena.services.pools import pool_scope, tournament_scope
from arena.store import Store
from arena.store.compression import pack
from arena.store.schema import (
    Absence,
    Attempt,
    MatchOutput,
    MatchResult,
    PairTotal,
    Record,
    Tournament,
    VersionTotal,
)
from arena.store.statements import add_up, count_up, insert, insert_new

__all__ = ["MOST_ATTEMPTS", "RecordMismatch", "add", "failed"]

MOST_ATTEMPTS = 5

_UNIQUE = ("tournament_id", "set_number", "match_number")
_PAIR_KEY = ("scope", "low", "high")
_PAIR_SUMS = ("low_units", "high_units", "wins", "draws", "losses")
_VERSION_KEY = ("scope", "version_id")
_VERSION_SUMS = ("matches", "faults")


@dataclass(frozen=True, slots=True)
class Output:
    """The end of what a hosted bot printed in a match; `dropped` counts the bytes before it."""

    stderr: bytes
    dropped: int


def add(  # noqa: PLR0917
    store: Store,
    tournament_id: int,
    set: int,  # noqa: A002
    match: int,
    attempt: int,
    record_json: str,
    outputs: Mapping[int, Output] = MappingProxyType({}),
) -> bool:
    """Store the result of a match: its record, the sums, and the tournament's end if it was the last.

    `outputs` is what bots printed, by their seats.

    False, with nothing changed, if the match has a result already, or if the attempt was given up and the match has
    gone on to another deal.  Raises NotFound, and RecordMismatch if the record's match, seed, game or seats are not those
    planned for this attempt.
    """
    stored, planned = _planned(store, tournament_id, set, match, attempt)
    outcome = read_outcome(record_json, stored, planned)
    data = pack(record_json)
    with store.write_fast() as connection:
        if not planned.shared and _attempt(connection, planned, tournament_id)[0] > attempt:
            return False
        result_id = _insert_result(connection, tournament_id, planned, outcome)
        if result_id is None:
            return False
        insert(store.dialect, Record).run(connection, {"result_id": result_id, "data": data})
        insert(store.dialect, MatchOutput).run_all(
            connection,
            [
                {"result_id": result_id, "seat": seat, "stderr": output.stderr, "dropped": output.dropped}
                for seat, output in sorted(outputs.items())
            ],
        )
        _add_totals(connection, stored, planned, outcome)
        _count_done(connection, stored)
    return True


def failed(store: Store, tournament_id: int, set: int, match: int, attempt: int, reason: str) -> bool:  # noqa: A002, PLR0917
    """Count a failure of the platform's at a match, which has to be played again.

    True if it was the fifth: then the match is annulled, which stands in place of its result.  One attempt fails at most
    once, and a match that has a result is left as it is.  Raises NotFound.
    """
    stored, planned = _planned(store, tournament_id, set, match, attempt)
    with store.write() as session:
        current, failures = _attempt(session.connection(), planned, tournament_id)
        if attempt != current or _has_result(session, planned, tournament_id):
            return False
        session.merge(
            Attempt(
                tournament_id=tournament_id,
                set_number=set,
                match_number=match,
                attempt=attempt + 1,
                failures=failures + 1,
                reason=reason,
            )
        )
        if failures + 1 < MOST_ATTEMPTS:
            return False
        connection = session.connection()
        _insert_result(connection, tournament_id, planned, Outcome((), None, ANNULLED))
        _count_done(connection, stored)
        return True


def _planned(
    store: Store,
    tournament_id: int,
    set_number: int,
    match_number: int,
    attempt: int,
) -> tuple[StoredPlan, PlannedMatch]:
    stored = plans.find(store, tournament_id)
    return stored, plans.match(stored, set_number, match_number, attempt)


def _attempt(connection: Connection, planned: PlannedMatch, tournament_id: int) -> tuple[int, int]:
    """Give the number of the attempt that counts now, and the failures so far."""
    row = connection.execute(
        select(Attempt.attempt, Attempt.failures)
        .where(
            Attempt.tournament_id == tournament_id,
            Attempt.set_number == planned.set,
            Attempt.match_number == planned.match,
        )
        .with_for_update()
    ).first()
    return (0, 0) if row is None else (row.attempt, row.failures)


def _has_result(session: Session, planned: PlannedMatch, tournament_id: int) -> bool:
    return bool(
        session.scalar(
            select(
                exists().where(
                    MatchResult.tournament_id == tournament_id,
                    MatchResult.set_number == planned.set,
                    MatchResult.match_number == planned.match,
                )
            )
        )
    )


def _insert_result(
    connection: Connection, tournament_id: int, planned: PlannedMatch, outcome: Outcome
) -> int | None:
    """Insert the result under its unique key; None if there is one."""
    row = {
        "tournament_id": tournament_id,
        "set_number": planned.set,
        "match_number": planned.match,
        "attempt": planned.attempt,
        "match": planned.id,
        "end": outcome.end,
        "places": " ".join(map(str, outcome.places)),
        "scores": None if outcome.scores is None else " ".join(map(str, outcome.scores)),
        "fault_seat": outcome.fault_seat,
        "fault_kind": outcome.fault_kind,
        "stored_at": time.time(),
    }
    result_id: int | None = (
        insert_new(connection.dialect.name, MatchResult, _UNIQUE).run(connection, row).scalar()
    )
    return result_id


def _add_totals(connection: Connection, stored: StoredPlan, planned: PlannedMatch, outcome: Outcome) -> None:
    """Add the match to its tournament's sums; to its pool's too, less the pairs of one owner: nobody lifts his own bots."""
    versions = [stored.entries[entry].version_id for entry in planned.seats]
    owners = {stored.entries[entry].version_id: stored.entries[entry].owner for entry in planned.seats}
    pairs, each = [], []
    if stored.pool_id is not None:
        scope = pool_scope(stored.pool_id)
        public = [
            row
            for row in pair_rows(scope, versions, outcome)
            if (owner := owners[cast("int", row["low"])]) is None or owner != owners[cast("int", row["high"])]
        ]
        met = {row[side] for row in public for side in ("low", "high")}
        pairs += public
        each += [row for row in version_rows(scope, versions, outcome) if row["version_id"] in met]
    scope = tournament_scope(stored.tournament_id)
    pairs += pair_rows(scope, versions, outcome)
    each += version_rows(scope, versions, outcome)
    dialect = connection.dialect.name
    add_up(dialect, PairTotal, _PAIR_KEY, _PAIR_SUMS).run_all(connection, pairs)
    add_up(dialect, VersionTotal, _VERSION_KEY, _VERSION_SUMS).run_all(connection, each)


def _count_done(connection: Connection, stored: StoredPlan) -> None:
    """Count a match as done, and end the tournament with its last one: then it waits for nobody."""
    tournament_id = stored.tournament_id
    counter = count_up(connection.dialect.name, Tournament, "matches_done", "matches_total")
    counted = counter.run(connection, {"row_id": tournament_id}).one()
    if counted.matches_done == counted.matches_total:
        connection.execute(
            update(Tournament)
            .where(Tournament.id == tournament_id)
            .values(state="finished", finished_at=time.time())
        )
        connection.execute(delete(Absence).where(Absence.tournament_id == tournament_id))
        trials.settle(connection, stored)
