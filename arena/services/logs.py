"""Logs: what one's own bot printed in its matches, and how long its decisions took.

Nobody else's, and only when a match is open to all (arena.services.disclosure): what a bot printed may tell a deal that is
still to be played.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, or_, select, tuple_
from sqlalchemy.orm import Session

from arena.errors import Refusal
from arena.match.essence import RulesChanged
from arena.services import bots, disclosure, plans, retention
from arena.services.accounts import Actor
from arena.services.matches import numbers
from arena.store import Store
from arena.store.compression import unpack
from arena.store.schema import Entry, MatchOutput, MatchResult, Record, SetTotal, Version
from arena.wording import say

MOST_ROWS = 50
_MOST_SCANNED = 5000
"""Results that are looked through: in a large tournament a bot sits in few of them."""
_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Timing:
    """A decision of a seat: its step in the record, counted from 0, what it chose, and how long it took."""

    step: int
    action: str
    ms: float


@dataclass(frozen=True, slots=True)
class LogRow:
    """One match of one's own bot.

    `fault` is the message if the match ended by its fault, and `fault_kind` says of which kind; `decisions` are those that it was asked for, all together
    `total_ms` long and the slowest `longest_ms`; `printed` counts the bytes that it printed.  What is not kept any more
    cannot be told: times and fault are of the record, what it printed is the output.
    """

    tournament_id: int
    set: int
    match: int
    id: str
    seat: int
    version: str
    end: str
    place: int
    fault_kind: str | None
    fault: str | None
    decisions: int
    total_ms: float
    longest_ms: float
    printed: int
    stored_at: float
    record_kept: bool
    output_kept: bool


@dataclass(frozen=True, slots=True)
class MatchLog:
    """All about one match of one's own bot; of what it printed the end, and the number of bytes `dropped` before it."""

    row: LogRow
    stderr: str
    dropped: int
    timings: tuple[Timing, ...]


def recent(store: Store, actor: Actor, game: str, name: str, limit: int = 20) -> tuple[LogRow, ...]:
    """List the last matches of one's own bot, `mine` or `mine@2`, the newest first.  Raises Refusal."""
    actor.require("read")
    with store.read() as session:
        found: list[LogRow] = []
        for result, seat, version in _matches(store, session, _versions(session, actor, game, name)):
            found.append(_log(session, result, seat, version).row)
            if len(found) >= min(limit, MOST_ROWS):
                break
        return tuple(found)


def of_match(store: Store, actor: Actor, game: str, name: str, match_id: str) -> tuple[MatchLog, ...]:
    """Give what one's own bot printed in a match, and its timings; one for each seat that it had.  Raises Refusal."""
    actor.require("read")
    with store.read() as session:
        versions = _versions(session, actor, game, name)
        logs = tuple(
            _log(session, result, seat, version)
            for result, seat, version in _matches(store, session, versions, match_id)
        )
    if not logs:
        raise Refusal(
            "match_unknown",
            say(
                "match {match_id!r}: {name} has played none of that id whose set is over; `arena bot logs {name}` lists them",
                match_id=match_id[:80],
                name=name,
            ),
            field="match",
            status=404,
        )
    return logs


def _versions(session: Session, actor: Actor, game: str, name: str) -> dict[int, str]:
    """Give the versions that are asked for: their ids and numbers."""
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
    results = select(MatchResult).where(
        _sat(store, session, entries, versions),
        MatchResult.places != "",  # one that was annulled has none
    )
    if match_id is not None:
        results = results.where(MatchResult.match == match_id)
    is_open: dict[tuple[int, int], bool] = {}
    for result in _newest(session, results):
        mine = entries[result.tournament_id]
        stored = plans.load(store, session, result.tournament_id)
        planned = plans.match(stored, result.set_number, result.match_number, result.attempt)
        for seat, entry in enumerate(planned.seats):
            if entry not in mine:
                continue
            of_set = (result.tournament_id, result.set_number)
            if of_set not in is_open:
                opens_at = disclosure.set_opens_at(stored, _stored_at(session, *of_set))
                is_open[of_set] = disclosure.is_open(stored, opens_at)
            if is_open[of_set]:
                yield result, seat, mine[entry]


def _sat(
    store: Store, session: Session, entries: dict[int, dict[int, str]], versions: dict[int, str]
) -> ColumnElement[bool]:
    """Select the results of the sets that these versions sat in, by the sets' sums; all of a tournament's if it has none of them."""
    annulled = {
        number
        for number, mine in entries.items()
        if any(plans.load(store, session, number).course.gone.get(entry) for entry in mine)
    }
    mine = or_(SetTotal.low.in_(versions), SetTotal.high.in_(versions))
    sets = select(SetTotal.tournament_id, SetTotal.set_number).where(
        SetTotal.tournament_id.in_(entries.keys() - annulled), mine
    )
    return or_(
        tuple_(MatchResult.tournament_id, MatchResult.set_number).in_(sets),
        MatchResult.tournament_id.in_(annulled),
    )


def _newest(session: Session, results: Select[MatchResult]) -> Iterator[MatchResult]:
    last = 2**31 - 1
    for _ in range(_MOST_SCANNED // _AT_ONCE):
        query = results.where(MatchResult.id < last).order_by(MatchResult.id.desc()).limit(_AT_ONCE)
        found = session.scalars(query).all()
        yield from found
        if len(found) < _AT_ONCE:
            return
        last = found[-1].id


def _stored_at(session: Session, tournament_id: int, set_number: int) -> Sequence[float]:
    query = select(MatchResult.stored_at).where(
        MatchResult.tournament_id == tournament_id, MatchResult.set_number == set_number
    )
    return session.scalars(query).all()


def _log(session: Session, result: MatchResult, seat: int, version: str) -> MatchLog:
    output = session.get(MatchOutput, (result.id, seat))
    packed = session.scalar(select(Record.data).where(Record.result_id == result.id))
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
        place=numbers(result.places)[seat],
        fault_kind=result.fault_kind if result.fault_seat == seat else None,
        fault=fault,
        decisions=len(spent),
        total_ms=round(sum(spent), 1),
        longest_ms=max(spent, default=0.0),
        printed=len(stderr) + dropped,
        stored_at=result.stored_at,
        record_kept=packed is not None,
        output_kept=retention.is_kept(session, retention.OUTPUTS, result.tournament_id),
    )
    return MatchLog(row, stderr.decode(errors="replace"), dropped, timings)


def read_timings(packed: bytes | None, seat: int) -> tuple[tuple[Timing, ...], str | None]:
    """Read a seat's decisions out of a record, those that the arena made for it left out, and its fault."""
    if packed is None:
        return (), None
    try:
        record: dict[str, Any] = json.loads(unpack(packed))
    except RulesChanged:
        return (), None
    timings = tuple(
        Timing(number, step["action"], step["ms"])
        for number, step in enumerate(record["steps"])
        if step.get("seat") == seat and step.get("ms")
    )
    fault = record["result"].get("fault")
    return timings, fault["message"] if fault is not None and fault["seat"] == seat else None
