"""Records as pages draw them: unpacked, read and played again once, though they are looked at point by point."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

from arena.core.errors import ArenaError
from arena.games.kernel import Played
from arena.match.clock import parse_time_control
from arena.match.record import Record, from_json
from arena.reports.match_details import MatchPage, MatchRow
from arena.storage.record_compression import unpack
from arena.web.matches import stepper
from arena.web.matches.stepper import Course


@dataclass(frozen=True, slots=True)
class OpenedRecord:
    """A record as far as it could be opened, and what kept it from being drawn."""

    text: str | None = None
    record: Record | None = None
    course: Course | None = None
    trouble: str | None = None


def open_match(match: MatchPage) -> OpenedRecord:
    """Open the record of a match; nothing of it where it may not be shown yet or is no longer stored."""
    if match.packed_record is None:
        return OpenedRecord()
    return open_record(match.packed_record, address_of(match), match.time)


def address_of(match: MatchRow) -> str:
    """Return the address of a match's page."""
    return f"/tournaments/{match.tournament_id}/sets/{match.set}/matches/{match.match}"


@lru_cache(maxsize=24)
def open_record(packed: bytes, address: str, time: str) -> OpenedRecord:
    """Unpack, read and replay a record; say why if it cannot be drawn."""
    try:
        text = unpack(packed)
    except ArenaError as error:
        return OpenedRecord(trouble=str(error))
    return open_text(text, address, time)


def open_text(text: str, address: str, time: str) -> OpenedRecord:
    """Read and replay a record; say why if it cannot be drawn.  `address` is that of its page."""
    record = None
    try:
        record = from_json(text)
        course = stepper.course(record, parse_time_control(time), address)
    except ArenaError as error:
        return OpenedRecord(text, record, trouble=str(error))
    return OpenedRecord(text, record, course)


def thinking_times(record: Record) -> dict[int, float]:
    """Add up each seat's time, in milliseconds."""
    total: dict[int, float] = defaultdict(float)
    for recorded in record.steps:
        if isinstance(recorded.step, Played):
            total[recorded.step.seat] += recorded.ms or 0.0
    return {seat: total[seat] for seat in range(len(record.seats))}
