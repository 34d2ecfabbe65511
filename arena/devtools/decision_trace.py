"""A match traced again along its record: what a seat was asked, as the referee asked it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arena.games import registry
from arena.games.kernel import (
    SILENCE,
    Answer,
    Choice,
    Decision,
    Line,
    Played,
    Said,
    Step,
    Talk,
    advance,
)
from arena.match.clock import STANDARD, TimeControl
from arena.match.record import Record, RecordedStep
from arena.match.session_events import DecisionRequested


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision that a seat was asked for."""

    ask: DecisionRequested
    """As the session had it; `ask.decision` is the number that faults and tracebacks name."""
    view: Any
    answer: Answer | None
    """What the record says: an action, a line, or None where the match ended by a fault before the point was resolved."""
    step: int
    """The number of the record's step that the answer is, or would have been; from 0."""


def retrace(record: Record, seat: int, time: TimeControl = STANDARD) -> Iterator[Moment]:
    """Return each decision that a seat was asked for, in order.

    The record must be a right one (`arena.match.verification`).  It has no time control, so banks are right if `time` is
    that of the match; a clock that would have run out stands at 0.
    """
    yield from _Trace(record, seat, time).moments()


class _Trace:
    """One seat's way through a match.  Mutable, for one pass."""

    def __init__(self, record: Record, seat: int, time: TimeControl) -> None:
        self._record = record
        self._game = registry.find(record.game)
        self._setup = self._game.setup(
            len(record.seats),
            variant=record.variant,
            options=record.options,
            talks=[participant.talks for participant in record.seats],
        )
        self._seat = seat
        self._time = time
        self._state, dealt = self._game.new(self._setup, record.seed)
        self._bank_ms = float(time.base_ms)
        self._number = 0
        self._told = 0
        self._together = 0
        self._at = len(dealt)
        """How many steps have happened."""

    def moments(self) -> Iterator[Moment]:
        game, steps = self._game, self._record.steps
        while decisions := game.to_act(self._state):
            over = self._at == len(steps)
            recorded = self._recorded(decisions)
            for decision in decisions:
                self._number += 1
                if decision.seat == self._seat:
                    found = recorded[decision.seat]
                    if (moment := self._moment(decision, found)) is not None:
                        yield moment
                    self._take_time(moment, found)
            if over and any(isinstance(each, Choice) for each in decisions):
                return  # a fault ended the match here
            answers = [_answer(decision, recorded[decision.seat]) for decision in decisions]
            self._state, played, self._together = advance(game, self._state, answers, self._together)
            self._at += len(played)

    def _recorded(self, decisions: tuple[Decision, ...]) -> dict[int, tuple[int, RecordedStep | None]]:
        """Find what each seat answered at this point: the number of the step, and the step if there is one."""
        found: dict[int, tuple[int, RecordedStep | None]] = {}
        at = self._at
        for decision in decisions:
            step = self._record.steps[at] if at < len(self._record.steps) else None
            if step is not None and _answers(decision, step.step):
                found[decision.seat] = (at, step)
                at += 1
            else:
                found[decision.seat] = (at, None)
        return found

    def _moment(self, decision: Decision, found: tuple[int, RecordedStep | None]) -> Moment | None:
        seat, at = self._seat, found[0]
        actions: tuple[str, ...]
        if isinstance(decision, Talk):
            if not self._setup.talks[seat]:
                return None
            limits, actions, limit_ms = decision.limits, (), float(self._time.talk_ms)
        else:
            limits, actions = None, self._game.legal(self._state, seat)
            if len(actions) == 1:
                return None
            limit_ms = min(self._bank_ms, self._time.cap_ms)
        over = self._at == len(self._record.steps)
        return Moment(
            ask=DecisionRequested(seat, self._number, actions, limits, self._seen(), self._bank_ms, limit_ms),
            view=self._game.view(self._state, seat),
            answer=None if over else _answer(decision, found),
            step=at,
        )

    def _take_time(self, moment: Moment | None, found: tuple[int, RecordedStep | None]) -> None:
        step = found[1]
        if moment is not None and step is not None and step.ms is not None:
            self._bank_ms = max(0.0, self._bank_ms - step.ms) + self._time.increment_ms

    def _seen(self) -> tuple[Step, ...]:
        start, self._told = self._told, self._at
        steps = self._record.steps[start : self._told]
        return tuple(seen for each in steps if (seen := self._game.seen(each.step, self._seat)) is not None)


def _answers(decision: Decision, step: Step) -> bool:
    if isinstance(decision, Talk):
        return isinstance(step, Said) and (step.seat, step.round) == (decision.seat, decision.round)
    return isinstance(step, Played) and step.seat == decision.seat


def _answer(decision: Decision, found: tuple[int, RecordedStep | None]) -> Answer:
    """Read the answer off a step; where a talk has none, it was silence."""
    step = found[1].step if found[1] is not None else None
    if isinstance(step, Played):
        return step.action
    line: Line = step.line if isinstance(step, Said) and isinstance(decision, Talk) else SILENCE
    return line
