"""A match traced again along its record: what a seat was asked, as the referee asked it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arena.games.kernel import Answer, Choice, Step
from arena.match.clock import STANDARD, TimeControl
from arena.match.decision_rules import request_decision
from arena.match.record import Record
from arena.match.replay import MatchReplay
from arena.match.session_events import DecisionRequested


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision that a seat was asked for."""

    ask: DecisionRequested
    """As the session had it; `ask.decision` is the number that faults and tracebacks name."""
    view: Any
    answer: Answer | None
    """Recorded answer: an action, a line, or None if the match ended by a fault before the point was resolved."""
    step: int
    """The number of the record's step that the answer is, or would have been; from 0."""


def retrace(record: Record, seat: int, time: TimeControl = STANDARD) -> Iterator[Moment]:
    """Yield each decision that a seat was asked for, in order, that which a fault left open included.

    The record must be a right one (`arena.match.verification`).  It has no time control, so banks are right if `time` is
    that of the match; a clock that would have run out shows 0.
    """
    match, steps, told = MatchReplay.of(record, time), record.steps, 0
    while decisions := match.open_decisions():
        at = match.step_count
        over = at >= len(steps)
        if over and any(isinstance(each.decision, Choice) for each in decisions):
            answers = {}  # a fault ended the match here
        else:
            answers = {each.to.seat: each for each in match.read_answers(steps, at)}
        for each in decisions:
            if each.seat != seat or not each.asked:
                continue
            seen, told = _seen(match, record, seat, told), at
            answered = answers.get(seat)
            yield Moment(
                ask=request_decision(each.decision, each.number, each.actions, seen, match.clock),
                view=match.game.view(match.state, seat),
                answer=None if over or answered is None else answered.answer,
                step=at if answered is None else answered.index,
            )
        if not answers:
            return
        match.resolve(steps, at)


def _seen(match: MatchReplay, record: Record, seat: int, start: int) -> tuple[Step, ...]:
    """Return what a seat has seen of the steps that have happened, from number `start` on."""
    steps = record.steps[start : match.step_count]
    return tuple(seen for each in steps if (seen := match.game.seen(each.step, seat)) is not None)
