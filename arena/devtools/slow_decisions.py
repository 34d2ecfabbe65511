"""The slowest decisions of bots: what the clocks say of all, and what was sampled of those in Python.

Records are as `arena match` plays them, profiles as `arena.sdk.profiler` writes them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import inf
from pathlib import Path
from typing import Any

from arena.devtools.decision_trace import retrace
from arena.games.kernel import Line, Played
from arena.match.clock import TimeControl
from arena.match.faults import FaultKind
from arena.match.record import Record
from arena.match.step_reference import StepReference

MOST = 20
"""Number of decisions shown."""


@dataclass(frozen=True, slots=True)
class SlowDecision:
    """A decision by the clock of its seat; `step` is that of the record, from 0.  `ms` is infinite for a timeout."""

    match: str
    seat: int
    step: int
    bot: str
    action: str
    ms: float

    @property
    def reference(self) -> str:
        """Return its MATCH:STEP."""
        return str(StepReference(self.match, self.step))


@dataclass(frozen=True, slots=True)
class ProfiledDecision:
    """A decision that was sampled.  `calls` are stacks, outermost call first, with the milliseconds that were spent in each.

    `seen` are the milliseconds until the last sample; the rest was counted to the calls of that one.
    """

    program: str
    match: str
    seat: int
    call: int
    ms: float
    seen: float
    calls: Mapping[tuple[str, ...], float]


def by_clock(records: Iterable[Record], labels: Mapping[str, Sequence[str | None]]) -> list[SlowDecision]:
    """List the slowest decisions, the slowest first.

    `labels` say by match and seat which bot it is; those of None do not count.
    """
    found: list[SlowDecision] = []
    for record in records:
        mine = {seat: label for seat, label in enumerate(labels[record.match]) if label is not None}
        for number, recorded in enumerate(record.steps):
            step = recorded.step
            if isinstance(step, Played) and step.seat in mine and recorded.ms:
                found.append(
                    SlowDecision(record.match, step.seat, number, mine[step.seat], step.action, recorded.ms)
                )
        fault = record.result.fault
        if fault is not None and fault.kind is FaultKind.TIMEOUT and fault.seat in mine:
            bot = mine[fault.seat]
            found.append(SlowDecision(record.match, fault.seat, len(record.steps), bot, "timeout", inf))
        found = nlargest(MOST, found, key=lambda each: each.ms)
    return found


def read_profiles(folder: Path, programs: Sequence[str]) -> list[ProfiledDecision]:
    """Read the profiles of these programs, by their paths; the slowest decisions of all, the slowest first."""
    found = []
    for file in folder.glob("*.json"):
        document: Any = json.loads(file.read_text(encoding="utf-8"))
        if document["program"] in programs:
            found += [
                ProfiledDecision(
                    document["program"],
                    each["match"],
                    each["seat"],
                    each["call"],
                    each["ms"],
                    each["seen"],
                    {tuple(stack): ms for stack, ms in each["calls"]},
                )
                for each in document["decisions"]
            ]
    return nlargest(MOST, found, key=lambda each: each.ms)


def locate(sampled: ProfiledDecision, record: Record, time: TimeControl) -> tuple[int, str]:
    """Return the step of the record that a sampled decision is, and what was decided."""
    moments = list(retrace(record, sampled.seat, time))
    if sampled.call > len(moments):
        return len(record.steps), ""
    moment = moments[sampled.call - 1]
    answer = moment.answer
    return moment.step, "talk" if isinstance(answer, Line) else answer or "no answer"


def add_up(sampled: Iterable[ProfiledDecision]) -> Mapping[tuple[str, ...], float]:
    """Add up the stacks of decisions, in milliseconds."""
    total: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for each in sampled:
        for stack, ms in each.calls.items():
            total[stack] += ms
    return total
