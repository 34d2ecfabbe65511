"""Logs: output of the author's own bot in its matches, and its decision times.

Only of the author's own bots, and only when a match is public (arena.competition.disclosure): output may reveal a deal that is
still to be played.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Annotated

from pydantic import Field
from sqlalchemy import ColumnElement, Select, and_, false, or_, select
from sqlalchemy.orm import Session

from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.competition import plans, retention
from arena.competition.matches import incidents, stored_notes
from arena.competition.matches.outcomes import seat_values
from arena.core.answer_fields import UtcTime
from arena.core.errors import ArenaError, Refusal, RefusalKind
from arena.core.translatable import say
from arena.match import seat_notes
from arena.match.record import from_json
from arena.match.record_columns import RecordUnreadable
from arena.match.replay import replay
from arena.match.seat_notes import SeatNotes
from arena.reports import match_views, participation
from arena.scheduling.match_sets import rotated
from arena.storage import Store
from arena.storage.record_compression import unpack
from arena.storage.schema import Entry, MatchOutput, MatchResult, Record, SetTotal, Version

MAX_ROWS = 50
_MAX_SCANNED = 5000
"""Results that are looked through: in a large tournament a bot sits in few of them."""
_AT_ONCE = 50
_TIMINGS_KEPT = 256
"""A record has to be played again to read it, and pages show the same ones for a while."""


@dataclass(frozen=True, slots=True)
class Timing:
    """A decision."""

    step: Annotated[int, Field(description="Its step in the record, from 0.")]
    action: Annotated[str, Field(description="Chosen action.")]
    ms: Annotated[float, Field(description="Time for the decision, in milliseconds.")]


@dataclass(frozen=True, slots=True)
class LogRow:
    """One match of the author's bot."""

    tournament_id: Annotated[int, Field(description="The tournament.")]
    set: Annotated[int, Field(description="The set, from 0.")]
    match: Annotated[int, Field(description="The match of the set, from 0.")]
    id: Annotated[str, Field(description="The match's id.")]
    seat: Annotated[int, Field(description="The bot's seat, from 0.")]
    version: Annotated[str, Field(description="The version that played.")]
    end: Annotated[str, Field(description="completed, turn limit or fault.")]
    place: Annotated[int, Field(description="Its place, 1 is the best.")]
    fault_kind: Annotated[
        str | None, Field(description="illegal action, timeout, crash or protocol, if it was at fault.")
    ]
    fault: Annotated[str | None, Field(description="The message, if it was at fault and the record is kept.")]
    fault_incident: Annotated[
        str | None,
        Field(
            description="Names what its fault came of, if that may have ended other matches, too: one death of its process, one lost connection."
        ),
    ]
    incident_matches: Annotated[
        int, Field(description="Number of matches that the incident ended, this one included; 0 without one.")
    ]
    decisions: Annotated[int, Field(description="Number of decisions.")]
    total_ms: Annotated[float, Field(description="Time for all decisions, in milliseconds.")]
    longest_ms: Annotated[float, Field(description="Time for the slowest decision, in milliseconds.")]
    printed: Annotated[int, Field(description="Bytes of output.")]
    stored_at: UtcTime
    record_kept: Annotated[
        bool, Field(description="False if its record, and so the times, are not kept any more.")
    ]
    output_kept: Annotated[bool, Field(description="False if it is not kept any more what it printed.")]


@dataclass(frozen=True, slots=True)
class MatchLog:
    """Everything about one match of the author's bot."""

    row: Annotated[LogRow, Field(description="The match.")]
    stderr: Annotated[str, Field(description="The end of what it printed.")]
    dropped: Annotated[int, Field(description="Bytes of output before that, which are dropped.")]
    timings: Annotated[tuple[Timing, ...], Field(description="Its decisions, in order.")]
    notes_kept: Annotated[int, Field(description="On how many decisions its notes are stored.")] = 0
    notes_dropped: Annotated[
        int, Field(description="Number of notes that broke a limit and were dropped.")
    ] = 0
    notes_reason: Annotated[str | None, Field(description="Limit that the first of those broke, if any.")] = (
        None
    )


def recent(store: Store, actor: Actor, game: str, name: str, limit: int = 20) -> tuple[LogRow, ...]:
    """List the last matches of the author's bot, `mine` or `mine@2`, the newest first.  Raises Refusal."""
    actor.require("read")
    with store.read() as session:
        versions = _versions(session, actor, game, name)
        return store.cache.get(
            ("logs", *versions, limit),
            participation.cache_version(session, participation.of(session, versions)),
            lambda: _recent(store, session, versions, limit),
        )


def _recent(store: Store, session: Session, versions: dict[int, str], limit: int) -> tuple[LogRow, ...]:
    found = [*islice(_matches(store, session, versions), min(limit, MAX_ROWS))]
    return tuple(log.row for log in _logs(session, found))


def of_match(store: Store, actor: Actor, game: str, name: str, match_id: str) -> tuple[MatchLog, ...]:
    """Return the output of the author's bot in a match, and its timings, for each of its seats.  Raises Refusal."""
    actor.require("read")
    with store.read() as session:
        versions = _versions(session, actor, game, name)
        found = [*_matches(store, session, versions, match_id)]
        logs = tuple(
            _with_notes(log, stored_notes.load(session, result.id, [seat]).get(seat))
            for log, (result, seat, _) in zip(_logs(session, found), found, strict=True)
        )
    if not logs:
        raise Refusal(
            "match_unknown",
            say(
                "match {match_id!r}: {name} has played none of that id that may be shown yet; `arena bot log list {name}` lists them",
                match_id=match_id[:80],
                name=name,
            ),
            field="match",
            kind=RefusalKind.NOT_FOUND,
        )
    return logs


def _versions(session: Session, actor: Actor, game: str, name: str) -> dict[int, str]:
    """Return the versions that are asked for: their ids and numbers."""
    bot = bots.own(session, actor, game, name)
    number = name.partition("@")[2]
    query = select(Version.id, Version.version).where(Version.bot_id == bot.id)
    if number:
        query = query.where(Version.version == number)
    return {row.id: row.version for row in session.execute(query)}


def _matches(
    store: Store, session: Session, versions: dict[int, str], match_id: str | None = None
) -> Iterator[tuple[MatchResult, int, str]]:
    """Yield the results of these versions that are open, the newest first, each with a seat and its version."""
    entries: dict[int, dict[int, str]] = {}
    query = select(Entry.tournament_id, Entry.number, Entry.version_id).where(Entry.version_id.in_(versions))
    for row in session.execute(query):
        entries.setdefault(row.tournament_id, {})[row.number] = versions[row.version_id]
    which = _sat(store, session, entries, versions) if match_id is None else MatchResult.match == match_id
    results = select(MatchResult).where(which, MatchResult.places != "")  # one that was annulled has none
    for batch in _newest(session, results):
        opened = match_views.open_matches(store, session, {match_views.key_of(each) for each in batch})
        for result in batch:
            if match_views.key_of(result) not in opened:
                continue
            mine = entries.get(result.tournament_id, {})
            plan = plans.load(store, session, result.tournament_id).plan
            for seat, entry in enumerate(rotated(plan.order(result.set_number), result.match_number)):
                if entry in mine:
                    yield result, seat, mine[entry]


def _sat(
    store: Store, session: Session, entries: dict[int, dict[int, str]], versions: dict[int, str]
) -> ColumnElement[bool]:
    """Select the results of the sets that these versions sat in, by the sets' sums; all of a tournament's if it has none of them."""
    annulled = {
        number
        for number, mine in entries.items()
        if any(plans.load(store, session, number).course.withdrawn.get(entry) for entry in mine)
    }
    mine = or_(SetTotal.low.in_(versions), SetTotal.high.in_(versions))
    # Each tournament by itself: so the database goes by its index of tournament and set.
    in_sets = (
        and_(
            MatchResult.tournament_id == number,
            MatchResult.set_number.in_(
                select(SetTotal.set_number).where(SetTotal.tournament_id == number, mine)
            ),
        )
        for number in entries.keys() - annulled
    )
    return or_(false(), *in_sets, MatchResult.tournament_id.in_(annulled))


def _newest(session: Session, results: Select[MatchResult]) -> Iterator[Sequence[MatchResult]]:
    last = 2**31 - 1
    for _ in range(_MAX_SCANNED // _AT_ONCE):
        query = results.where(MatchResult.id < last).order_by(MatchResult.id.desc()).limit(_AT_ONCE)
        found = session.scalars(query).all()
        yield found
        if len(found) < _AT_ONCE:
            return
        last = found[-1].id


def _logs(session: Session, found: Sequence[tuple[MatchResult, int, str]]) -> tuple[MatchLog, ...]:
    """Return the logs of matches, each with a seat and its version."""
    ids = [result.id for result, _, _ in found]
    outputs = {
        (output.result_id, output.seat): output
        for output in session.scalars(select(MatchOutput).where(MatchOutput.result_id.in_(ids)))
    }
    packed = select(Record.result_id, Record.data).where(Record.result_id.in_(ids))
    records = {row.result_id: row.data for row in session.execute(packed)}
    kept = {
        number: retention.is_kept(session, retention.OUTPUTS, number)
        for number in {result.tournament_id for result, _, _ in found}
    }
    together = incidents.sizes(session, [result.incident for result, _, _ in found])
    return tuple(
        _log(
            result,
            seat,
            version,
            outputs.get((result.id, seat)),
            records.get(result.id),
            kept[result.tournament_id],
            together.get(result.incident, 0),
        )
        for result, seat, version in found
    )


def _log(
    result: MatchResult,
    seat: int,
    version: str,
    output: MatchOutput | None,
    packed: bytes | None,
    output_kept: bool,  # noqa: FBT001
    together: int,
) -> MatchLog:
    timings, fault = read_timings(packed, seat)
    spent = [timing.ms for timing in timings]
    stderr, dropped = (b"", 0) if output is None else (output.stderr, output.dropped)
    row = LogRow(
        tournament_id=result.tournament_id,
        set=result.set_number,
        match=result.match_number,
        id=result.match,
        seat=seat,
        version=version,
        end=result.end,
        place=seat_values(result.places)[seat],
        fault_kind=result.fault_kind if result.fault_seat == seat else None,
        fault=incidents.in_words(fault),
        fault_incident=result.incident if result.fault_seat == seat else None,
        incident_matches=together if result.fault_seat == seat else 0,
        decisions=len(spent),
        total_ms=round(sum(spent), 1),
        longest_ms=max(spent, default=0.0),
        printed=len(stderr) + dropped,
        stored_at=result.stored_at,
        record_kept=packed is not None,
        output_kept=output_kept,
    )
    return MatchLog(row, stderr.decode(errors="replace"), dropped, timings)


def _with_notes(log: MatchLog, notes: SeatNotes | None) -> MatchLog:
    if notes is None:
        return log
    reason = seat_notes.in_words(notes.reason) if notes.dropped else None
    return replace(log, notes_kept=len(notes.steps), notes_dropped=notes.dropped, notes_reason=reason)


@lru_cache(maxsize=_TIMINGS_KEPT)
def read_timings(packed: bytes | None, seat: int) -> tuple[tuple[Timing, ...], str | None]:
    """Read a seat's decisions out of a record, those that the arena made for it left out, and its fault."""
    if packed is None:
        return (), None
    try:
        text = unpack(packed)
    except RecordUnreadable:
        return (), None
    fault = json.loads(text)["result"].get("fault")
    return _timings(text, seat), fault["message"] if fault is not None and fault["seat"] == seat else None


def _timings(text: str, seat: int) -> tuple[Timing, ...]:
    """Return a seat's decisions: by playing the match again, since 0 ms may be a quick answer as well as the platform's."""
    try:
        answers = [
            each for point in replay(from_json(text)) for each in point.answers if each.to.seat == seat
        ]
    except ArenaError:
        # The record is of other rules, or is damaged: decisions without time cannot be distinguished from forced ones.
        return tuple(
            Timing(number, step["action"], step["ms"])
            for number, step in enumerate(json.loads(text)["steps"])
            if step.get("seat") == seat and step.get("ms")
        )
    return tuple(
        Timing(each.index, str(each.answer), thinking_ms)
        for each in answers
        if (thinking_ms := each.thinking_ms) is not None
    )
