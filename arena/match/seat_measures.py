"""Measures of each seat from a record: its score and place, the tallies of its game's traits, and when it used its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.games import registry
from arena.games.traits import PastPoint, Tally
from arena.match.record import Record
from arena.match.replay import ReplayedPoint, replay

PHASES = 3
"""The parts of a match by which time is counted: thirds of a seat's decisions."""


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """The decisions of a part of a match, and how long they took together."""

    decisions: int
    ms: float


@dataclass(frozen=True, slots=True)
class SeatMeasures:
    """Measures of a seat from a record.  A match that ended by a fault has no score and no tallies."""

    score: int | None
    tallies: Mapping[str, Tally]
    phases: tuple[PhaseTime, ...]
    """By part; forced decisions are left out."""


def measure_seats(record: Record) -> tuple[SeatMeasures, ...]:
    """Return the measures of each seat.  Raises ArenaError where the record cannot be replayed."""
    seats = len(record.seats)
    points = list(replay(record))
    scores = record.result.scores
    tallies: Sequence[Mapping[str, Tally]] = ({},) * seats
    if scores is not None:
        tallies = registry.package(record.game).traits.count(seats, _past(points))
    times = _thinking(points, seats)
    return tuple(
        SeatMeasures(None if scores is None else scores[seat], tallies[seat], split_time(times[seat]))
        for seat in range(seats)
    )


def split_time(spent_ms: Sequence[float]) -> tuple[PhaseTime, ...]:
    """Split the thinking times of a seat into parts with as many decisions each, the first parts one more."""
    found, begin = [], 0
    for phase in range(PHASES):
        size = (len(spent_ms) + PHASES - 1 - phase) // PHASES
        found.append(PhaseTime(size, sum(spent_ms[begin : begin + size])))
        begin += size
    return tuple(found)


def _past(points: Sequence[ReplayedPoint]) -> list[PastPoint]:
    """Return the points after the deal; silent rounds of talk are among them."""
    return [
        PastPoint(before.state, tuple(each.step for each in point.steps), point.state)
        for before, point in pairwise(points)
    ]


def _thinking(points: Sequence[ReplayedPoint], seats: int) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in range(seats)]
    for point in points:
        for answer in point.answers:
            if answer.thinking_ms is not None:
                times[answer.to.seat].append(answer.thinking_ms)
    return times
