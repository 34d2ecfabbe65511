"""Results: stored exactly once, with their record and their part of the sums, in one transaction.

Rows are touched in the same order by everybody (result, record, totals by key, tournament, bot, version), so that two transactions
of PostgreSQL never wait for each other in a circle.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from sqlalchemy import Connection, bindparam, exists, select
from sqlalchemy.orm import Session

from arena.competition import plans, stages
from arena.competition.matches import running_totals, stored_notes
from arena.competition.matches.outcomes import ABSENT, ANNULLED, Outcome, RecordMismatch, read_outcome
from arena.competition.plans import NotFound, StoredPlan
from arena.competition.qualification import suspensions
from arena.scheduling.match_sets import PlannedMatch
from arena.storage import Store
from arena.storage.record_compression import pack
from arena.storage.schema import Attempt, MatchNotes, MatchOutput, MatchResult, Record, Tournament
from arena.storage.upserts import Statement, count_up, insert, insert_new

__all__ = ["MAX_ATTEMPTS", "Arrival", "RecordMismatch", "add", "add_all", "failed"]

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
    """What bots noted, by their seats: documents of `arena.match.seat_notes`."""


_Played = dict[int, tuple[PlannedMatch, Outcome]]
"""By the number of the arrival."""


def add(
    store: Store,
    tournament_id: int,
    set: int,  # noqa: A002
    match: int,
    attempt: int,
    record: str,
    outputs: Mapping[int, Output] = MappingProxyType({}),
    *,
    absent: tuple[int, ...] = (),
    incident: str = "",
) -> bool:
    """Store the result of one match, as `add_all` does.  Raises NotFound and RecordMismatch."""
    arrival = Arrival(set, match, attempt, record, outputs, absent, incident)
    (added,) = add_all(store, tournament_id, [arrival])
    if isinstance(added, RecordMismatch):
        raise added
    return added


def add_all(store: Store, tournament_id: int, arrivals: Sequence[Arrival]) -> list[bool | RecordMismatch]:
    """Store the results of matches in one transaction: their records, the sums, and what is decided if one was the last.

    Returns for each whether it was stored.  False, with nothing changed, if the match has a result already, if the attempt
    was given up and the match has gone on to another deal, or if it is no longer to be played: the tournament was cancelled,
    or a bot of it has left.  RecordMismatch, with the others stored, if the record's match, seed, game or seats are not those
    planned for this attempt.  Raises NotFound.
    """
    packed = [pack(arrival.record) for arrival in arrivals]
    while True:
        stored, read = _read_all(store, tournament_id, arrivals)
        played: _Played = {number: each for number, each in enumerate(read) if isinstance(each, tuple)}
        unrated = {
            number
            for number, each in played.items()
            if arrivals[number].absent and _rates_nobody(stored, *each)
        }
        rated = {number: each for number, each in played.items() if number not in unrated}
        try:
            new, last = _store(store, stored, arrivals, packed, rated)
        except _Stale:
            plans.forget(store, tournament_id)
            continue
        break
    if last:
        stages.advance(store, tournament_id)
    for number in sorted(new):
        planned, outcome = played[number]
        if outcome.fault_seat is not None and not arrivals[number].absent:
            suspensions.consider(store, tournament_id, planned.seats[outcome.fault_seat])
    new |= {number for number in sorted(unrated) if _add_unrated(store, tournament_id, arrivals[number])}
    return [each if isinstance(each, RecordMismatch) else number in new for number, each in enumerate(read)]


def _read_all(
    store: Store, tournament_id: int, arrivals: Sequence[Arrival]
) -> tuple[StoredPlan, list[tuple[PlannedMatch, Outcome] | RecordMismatch | None]]:
    """Return the plan, and of each arrival its match and outcome; None if it is not to be played."""
    stored = plans.find(store, tournament_id)
    try:
        planned = [plans.match(stored, each.set, each.match, each.attempt) for each in arrivals]
    except NotFound:
        plans.forget(store, tournament_id)
        stored = plans.find(store, tournament_id)
        planned = [plans.match(stored, each.set, each.match, each.attempt) for each in arrivals]
    read: list[tuple[PlannedMatch, Outcome] | RecordMismatch | None] = []
    for arrival, match in zip(arrivals, planned, strict=True):
        if stored.course.over is not None or not stored.plan.is_active(match.set):
            read.append(None)
            continue
        try:
            read.append((match, _outcome(stored, match, arrival)))
        except RecordMismatch as mismatch:
            read.append(mismatch)
    return stored, read


def _outcome(stored: StoredPlan, planned: PlannedMatch, arrival: Arrival) -> Outcome:
    """Return how a match ended: by its record, or by who was away.  Raises RecordMismatch."""
    outcome = read_outcome(arrival.record, stored, planned)
    if not arrival.absent or stored.rules.is_standing or not stored.terms.counts_absences:
        return outcome
    if len(arrival.absent) > 1:
        return Outcome.without(arrival.absent, stored.plan.seats)
    return replace(outcome, absent=arrival.absent)


def _add_unrated(store: Store, tournament_id: int, arrival: Arrival) -> bool:
    """Store that a match of a ladder was not played."""
    for stored, planned in _plans(store, tournament_id, arrival.set, arrival.match, arrival.attempt):
        outcome = read_outcome(arrival.record, stored, planned)
        with suppress(_Stale):
            added, last = _miss(store, stored, planned, outcome, arrival.record)
            break
    else:
        return False
    if last:
        stages.advance(store, tournament_id)
    return added


def failed(store: Store, tournament_id: int, set: int, match: int, attempt: int, reason: str) -> bool:  # noqa: A002
    """Count a failure of the platform's at a match, which has to be played again.

    True if it was the fifth: then the match is annulled, which stands in place of its result.  One attempt fails at most
    once, and a match that has a result, or is no longer to be played, is left as it is.  Raises NotFound.
    """
    for stored, planned in _plans(store, tournament_id, set, match, attempt):
        with suppress(_Stale):
            annulled, last = _fail(store, stored, planned, reason)
            break
    else:
        return False
    if last:
        stages.advance(store, tournament_id)
    return annulled


def _store(
    store: Store, stored: StoredPlan, arrivals: Sequence[Arrival], packed: Sequence[bytes], played: _Played
) -> tuple[set[int], bool]:
    """Return which results were stored, and whether one was the last of those planned.  Raises _Stale."""
    if not played:
        return set(), False
    dialect, new = store.dialect, dict[int, int]()
    with store.write_fast() as connection:
        for number, (planned, outcome) in sorted(
            played.items(), key=lambda item: (item[1][0].set, item[1][0].match)
        ):
            if (
                not planned.shared
                and _attempt(connection, planned, stored.tournament_id)[0] > planned.attempt
            ):
                continue
            incident = arrivals[number].incident
            result_id = _insert_result(connection, stored.tournament_id, planned, outcome, incident)
            if result_id is not None:
                new[number] = result_id
        if not new:
            return set(), False
        insert(dialect, Record).run_all(
            connection,
            [
                {"result_id": row, "data": packed[number]}
                for number, row in new.items()
                if played[number][1].end != ABSENT
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
        running_totals.add(connection, stored, [played[number] for number in new])
        last = _count_done(connection, stored, len(new))
    return set(new), last


def _rates_nobody(stored: StoredPlan, planned: PlannedMatch, outcome: Outcome) -> bool:
    """Return whether a match that never began is left unrated: one of a ladder, whose bots nobody has entered by hand."""
    if not stored.rules.is_standing or outcome.fault_seat is None:
        return False
    return not stored.entries[planned.seats[outcome.fault_seat]].hosted


def _miss(
    store: Store, stored: StoredPlan, planned: PlannedMatch, outcome: Outcome, record_json: str
) -> tuple[bool, bool]:
    """Store that a match was not played; return whether it was stored, and whether it was the last.  Raises _Stale."""
    missing = stored.entries[planned.seats[outcome.fault_seat or 0]]
    message = json.loads(record_json)["result"]["fault"]["message"]
    with store.write() as session:
        connection = session.connection()
        current, failures = _attempt(connection, planned, stored.tournament_id)
        nothing = Outcome((), None, ABSENT)
        if planned.attempt != current or not _insert_result(
            connection, stored.tournament_id, planned, nothing
        ):
            return False, False
        session.merge(
            Attempt(
                tournament_id=stored.tournament_id,
                set_number=planned.set,
                match_number=planned.match,
                attempt=planned.attempt,
                failures=failures,
                reason=f"{missing.bot}@{missing.version} {message}",
            )
        )
        session.flush()
        return True, _count_done(connection, stored)


def _fail(store: Store, stored: StoredPlan, planned: PlannedMatch, reason: str) -> tuple[bool, bool]:
    """Return whether the match was annulled, and whether it was the last of those planned.  Raises _Stale."""
    with store.write() as session:
        current, failures = _attempt(session.connection(), planned, stored.tournament_id)
        if planned.attempt != current or _has_result(session, planned, stored.tournament_id):
            return False, False
        session.merge(
            Attempt(
                tournament_id=stored.tournament_id,
                set_number=planned.set,
                match_number=planned.match,
                attempt=planned.attempt + 1,
                failures=failures + 1,
                reason=reason,
            )
        )
        if failures + 1 < MAX_ATTEMPTS:
            return False, False
        connection = session.connection()
        _insert_result(connection, stored.tournament_id, planned, Outcome((), None, ANNULLED))
        return True, _count_done(connection, stored)


def _plans(
    store: Store,
    tournament_id: int,
    set_number: int,
    match_number: int,
    attempt: int,
) -> Iterator[tuple[StoredPlan, PlannedMatch]]:
    """Return the plan as it is known here, then again as often as it has changed; nothing once the match is not played."""
    while True:
        stored = plans.find(store, tournament_id)
        try:
            planned = plans.match(stored, set_number, match_number, attempt)
        except NotFound:
            plans.forget(store, tournament_id)
            stored = plans.find(store, tournament_id)
            planned = plans.match(stored, set_number, match_number, attempt)
        if stored.course.over is not None or not stored.plan.is_active(set_number):
            return
        yield stored, planned
        plans.forget(store, tournament_id)


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
    if counted.revision != stored.revision or counted.state in stages.OVER:
        raise _Stale
    return bool(counted.matches_done >= counted.matches_total)


def _counter(dialect: str) -> Statement:
    return count_up(dialect, Tournament, "matches_done", ("matches_total", "revision", "state"))


class _Stale(Exception):  # noqa: N818 - never seen outside
    """Something was decided about the tournament since its plan was read."""
