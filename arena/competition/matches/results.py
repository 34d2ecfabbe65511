"""Results: stored exactly once, with their record and their part of the sums, in one transaction.

What follows from them is settled by the caller (`arena.competition.settlement`).

All transactions touch rows in the same order (attempt, result, record, totals by key, tournament, bot, version), so that two of
PostgreSQL never wait for each other in a circle.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, exists, select
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.matches import running_totals, stored_notes
from arena.competition.matches.outcomes import ABSENT, ANNULLED, Outcome, RecordMismatch, read_outcome
from arena.competition.plans import NotFound, StoredPlan
from arena.competition.tournament_states import OVER
from arena.scheduling.match_sets import PlannedMatch
from arena.storage import Store
from arena.storage.record_compression import pack
from arena.storage.schema import Attempt, MatchNotes, MatchOutput, MatchResult, Record, Tournament
from arena.storage.upserts import Statement, count_up, insert, insert_new, put

MAX_ATTEMPTS = 5

_UNIQUE = ("tournament_id", "set_number", "match_number")
_LOCK_ATTEMPT = (
    select(Attempt.attempt, Attempt.failures)
    .where(
        Attempt.tournament_id == bindparam("tournament_id"),
        Attempt.set_number == bindparam("set"),
        Attempt.match_number == bindparam("match"),
    )
    .with_for_update()
)


@dataclass(frozen=True, slots=True)
class Output:
    """The end of what a hosted bot printed in a match; `dropped` counts the bytes before it."""

    stderr: bytes
    dropped: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """A match that has been played: its place in the plan, the attempt, its record as JSON, and what bots printed, by their seats.

    `absent` are the seats that it did not begin for: their bots were away, or would not play.  Such a forfeit suspends no bot; of several
    the record names the first only.  In a ladder it is part of no rating either: what is stored is only that the match was not played, and
    why.  The forfeits of one `incident` count as one fault for a suspension.
    """

    set: int
    match: int
    attempt: int
    record: str
    outputs: Mapping[int, Output] = field(default_factory=dict)
    absent: tuple[int, ...] = ()
    incident: str = ""
    notes: Mapping[int, str] = field(default_factory=dict)
    """Notes of bots, by their seats: documents of `arena.match.seat_notes`."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The answer to results that arrived together."""

    answers: tuple[bool | RecordMismatch, ...]
    """By arrival: whether it was stored, or why it is refused."""
    is_last: bool
    """Whether all that was planned is played now, so that a decision is due."""
    faulted: tuple[int, ...]
    """The entries whose faults ended some of those that were stored."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The answer to a failure of the platform: whether it annulled the match, and whether that was the last of those planned."""

    annulled: bool
    is_last: bool


class _Played(NamedTuple):
    """A match as it was planned, its outcome, and, if it counts for no bot, why it was not played."""

    planned: PlannedMatch
    outcome: Outcome
    reason: str = ""


def add_all(store: Store, tournament_id: int, arrivals: Sequence[Arrival]) -> Stored:
    """Store the results of matches in one transaction: their records, and the sums.

    A match is not stored, with nothing changed, if it has a result already, if the attempt was given up and the match has
    gone on to another deal, or if it is no longer to be played: the tournament was cancelled, or a bot of it has left.
    It is refused, with the others stored, if the record's match, seed, game or seats are not those planned for this
    attempt.  Raises NotFound.
    """
    packed = [pack(arrival.record) for arrival in arrivals]
    while True:
        stored, read = _read_all(store, tournament_id, arrivals)
        played = {number: each for number, each in enumerate(read) if isinstance(each, _Played)}
        try:
            new, is_last = _store(store, stored, arrivals, packed, played)
        except _Stale:
            plans.forget(store, tournament_id)
            continue
        break
    faulted = (
        played[number].planned.seats[seat]
        for number in sorted(new)
        if (seat := played[number].outcome.fault_seat) is not None and not arrivals[number].absent
    )
    answers = (
        each if isinstance(each, RecordMismatch) else number in new for number, each in enumerate(read)
    )
    return Stored(tuple(answers), is_last, tuple(dict.fromkeys(faulted)))


def failed(store: Store, tournament_id: int, set: int, match: int, attempt: int, reason: str) -> Failure:  # noqa: A002
    """Count a failure of the platform's at a match, which has to be played again.

    The fifth annuls the match, in place of its result.  One attempt fails at most once, and a match that has a result, or is
    no longer to be played, is left as it is.  Raises NotFound.
    """
    while True:
        stored, (planned,) = _plan(store, tournament_id, [(set, match, attempt)])
        if not _is_to_be_played(stored, planned):
            return Failure(annulled=False, is_last=False)
        try:
            return _fail(store, stored, planned, reason)
        except _Stale:
            plans.forget(store, tournament_id)


def _plan(
    store: Store, tournament_id: int, places: Sequence[tuple[int, int, int]]
) -> tuple[StoredPlan, list[PlannedMatch]]:
    """Return the plan, and of each set, match and attempt what is planned for it.  Raises NotFound."""
    stored = plans.find(store, tournament_id)
    try:
        return stored, [plans.match(stored, *each) for each in places]
    except NotFound:  # a later decision may have planned it
        plans.forget(store, tournament_id)
    stored = plans.find(store, tournament_id)
    return stored, [plans.match(stored, *each) for each in places]


def _is_to_be_played(stored: StoredPlan, planned: PlannedMatch) -> bool:
    return stored.course.over is None and stored.plan.is_active(planned.set)


def _read_all(
    store: Store, tournament_id: int, arrivals: Sequence[Arrival]
) -> tuple[StoredPlan, list[_Played | RecordMismatch | None]]:
    """Return the plan, and what each arrival comes to; None if its match is not to be played."""
    stored, planned = _plan(store, tournament_id, [(each.set, each.match, each.attempt) for each in arrivals])
    read: list[_Played | RecordMismatch | None] = []
    for arrival, match in zip(arrivals, planned, strict=True):
        try:
            read.append(_read(stored, match, arrival) if _is_to_be_played(stored, match) else None)
        except RecordMismatch as mismatch:
            read.append(mismatch)
    return stored, read


def _read(stored: StoredPlan, planned: PlannedMatch, arrival: Arrival) -> _Played:
    """Return how a match ended: by its record, or by the absence of bots.  Raises RecordMismatch.

    One of a ladder that never began counts for no bot, unless the operator has entered the missing one.
    """
    outcome = read_outcome(arrival.record, stored, planned)
    if arrival.absent and stored.rules.is_standing and outcome.fault_seat is not None:
        missing = stored.entries[planned.seats[outcome.fault_seat]]
        if not missing.hosted:
            message = json.loads(arrival.record)["result"]["fault"]["message"]
            return _Played(planned, Outcome((), None, ABSENT), f"{missing.bot}@{missing.version} {message}")
    if not arrival.absent or stored.rules.is_standing or not stored.terms.counts_absences:
        return _Played(planned, outcome)
    if len(arrival.absent) > 1:
        return _Played(planned, Outcome.without(arrival.absent, stored.plan.seats))
    return _Played(planned, replace(outcome, absent=arrival.absent))


def _store(
    store: Store,
    stored: StoredPlan,
    arrivals: Sequence[Arrival],
    packed: Sequence[bytes],
    played: Mapping[int, _Played],
) -> tuple[set[int], bool]:
    """Return which results were stored, and whether one was the last of those planned.  Raises _Stale."""
    if not played:
        return set(), False
    dialect, tournament_id, new = store.dialect, stored.tournament_id, dict[int, int]()
    in_order = sorted(played.items(), key=lambda item: (item[1].planned.set, item[1].planned.match))
    with store.write_fast() as connection:
        for number, (planned, outcome, reason) in in_order:
            failures = 0
            if not planned.shared or reason:
                current, failures = _attempt(connection, planned, tournament_id)
                if current > planned.attempt:
                    continue
            incident = arrivals[number].incident
            result_id = _insert_result(connection, tournament_id, planned, outcome, incident)
            if result_id is None:
                continue
            new[number] = result_id
            if reason:
                put(dialect, Attempt, ("tournament_id", *_UNIQUE[1:])).run(
                    connection, _attempt_row(planned, tournament_id, planned.attempt, failures, reason)
                )
        if not new:
            return set(), False
        insert(dialect, Record).run_all(
            connection,
            [
                {"result_id": row, "data": packed[number]}
                for number, row in new.items()
                if played[number].outcome.end != ABSENT
            ],
        )
        insert(dialect, MatchOutput).run_all(
            connection,
            [
                {"result_id": row, "seat": seat, "stderr": output.stderr, "dropped": output.dropped}
                for number, row in new.items()
                for seat, output in sorted(arrivals[number].outputs.items())
            ],
        )
        insert(dialect, MatchNotes).run_all(
            connection,
            [
                {"result_id": row, "seat": seat, "data": stored_notes.pack(text)}
                for number, row in new.items()
                for seat, text in sorted(arrivals[number].notes.items())
            ],
        )
        counted = (played[number] for number in new if not played[number].reason)
        running_totals.add(connection, stored, ((each.planned, each.outcome) for each in counted))
        is_last = _count_done(connection, stored, len(new))
    return set(new), is_last


def _fail(store: Store, stored: StoredPlan, planned: PlannedMatch, reason: str) -> Failure:
    """Count a failure at a match.  Raises _Stale."""
    with store.write() as session:
        connection, tournament_id = session.connection(), stored.tournament_id
        current, failures = _attempt(connection, planned, tournament_id)
        if planned.attempt != current or _has_result(session, planned, tournament_id):
            return Failure(annulled=False, is_last=False)
        session.merge(
            Attempt(**_attempt_row(planned, tournament_id, planned.attempt + 1, failures + 1, reason))
        )
        if failures + 1 < MAX_ATTEMPTS:
            return Failure(annulled=False, is_last=False)
        _insert_result(connection, tournament_id, planned, Outcome((), None, ANNULLED))
        return Failure(annulled=True, is_last=_count_done(connection, stored))


def _attempt_row(
    planned: PlannedMatch, tournament_id: int, attempt: int, failures: int, reason: str
) -> dict[str, object]:
    return {
        "tournament_id": tournament_id,
        "set_number": planned.set,
        "match_number": planned.match,
        "attempt": attempt,
        "failures": failures,
        "reason": reason,
    }


def _attempt(connection: Connection, planned: PlannedMatch, tournament_id: int) -> tuple[int, int]:
    """Return the number of the attempt that counts now, and the failures so far."""
    row = connection.execute(
        _LOCK_ATTEMPT, {"tournament_id": tournament_id, "set": planned.set, "match": planned.match}
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
    connection: Connection, tournament_id: int, planned: PlannedMatch, outcome: Outcome, incident: str = ""
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
        "incident": incident or None,
        "absent": " ".join(map(str, outcome.absent)) or None,
        "counted": True,
        "stored_at": time.time(),
    }
    result_id: int | None = (
        insert_new(connection.dialect.name, MatchResult, _UNIQUE).run(connection, row).scalar()
    )
    return result_id


def _count_done(connection: Connection, stored: StoredPlan, matches: int = 1) -> bool:
    """Count matches as done; True if they were the last of those planned.  Raises _Stale if the plan is not that of now."""
    row = {"row_id": stored.tournament_id, "count": matches}
    counted = _counter(connection.dialect.name).run(connection, row).one()
    if counted.revision != stored.revision or counted.state in OVER:
        raise _Stale
    return bool(counted.matches_done >= counted.matches_total)


def _counter(dialect: str) -> Statement:
    return count_up(dialect, Tournament, "matches_done", ("matches_total", "revision", "state"))


class _Stale(Exception):  # noqa: N818 - never seen outside
    """Something was decided about the tournament since its plan was read."""
