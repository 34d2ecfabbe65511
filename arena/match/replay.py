"""A match played again along its recorded steps, point by point: what was decided, by whom, and the clocks.

    replay(record) ──▶ the deal, point, point, …          a whole record, checked against its seed
    MatchReplay ──open_decisions──▶ resolve ──▶ …         step by step, as far as the steps are known

A point is the deal, or one decision, or several made at the same time.  Rules and record do not say how long a seat had: the
clocks are right if the time control is that of the match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.errors import ArenaError
from arena.games import registry
from arena.games.kernel import (
    SILENCE,
    Action,
    Answer,
    Choice,
    Decision,
    Played,
    Said,
    Setup,
    Step,
    Talk,
    advance,
)
from arena.games.registry import AnyGame
from arena.match.clock import STANDARD, Clock, TimeControl
from arena.match.decision_rules import offer
from arena.match.record import Record, RecordedStep


class ReplayError(ArenaError):
    """Raised when a record's steps are not those that its seed and its actions give."""


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A decision that is open; `number` is the one that faults and tracebacks name, counted from 1 as sessions do."""

    number: int
    decision: Decision
    actions: tuple[Action, ...]
    """The legal actions of a choice; none for talk."""
    asked: bool
    """Whether the seat was asked: the platform plays a single legal action itself, and who does not talk is silent."""

    @property
    def seat(self) -> int:
        """Return whose decision it is."""
        return self.decision.seat


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """Answer to a decision; `index` is the number of its step in the record, or the one it would have had."""

    to: OpenDecision
    answer: Answer
    index: int
    recorded: RecordedStep | None
    """The step; None for silence, which is not recorded."""

    @property
    def thinking_ms(self) -> float | None:
        """Return how long the seat thought, in milliseconds; None where its clock did not run."""
        if self.recorded is None or not self.to.asked or isinstance(self.to.decision, Talk):
            return None
        return self.recorded.ms or 0.0


@dataclass(frozen=True, slots=True)
class ReplayedPoint:
    """A point that was resolved, and the match after it.  A round of talk without steps was silent."""

    first_step: int
    """The number of its first step, counted from 0."""
    answers: tuple[RecordedAnswer, ...]
    steps: tuple[RecordedStep, ...]
    state: Any
    clocks_ms: tuple[float, ...]
    """Time that each seat has left in its bank, in milliseconds."""


class MatchReplay:
    """A match that is played again.  Mutable, for one pass; `step_count` steps have happened, the deal's included."""

    def __init__(self, game: AnyGame, setup: Setup, seed: bytes, time: TimeControl = STANDARD) -> None:
        self.game = game
        self.setup = setup
        self.clock = Clock(time, setup.seats)
        self.state, dealt = game.new(setup, seed)
        self.deal = ReplayedPoint(0, (), _without_times(dealt), self.state, self.clock.banks_ms)
        self.step_count = len(dealt)
        self._number = 0
        self._together = 0
        self._open: tuple[OpenDecision, ...] | None = None

    @classmethod
    def of(cls, record: Record, time: TimeControl = STANDARD, game: AnyGame | None = None) -> MatchReplay:
        """Begin to play a record again.  Raises UsageError where its set-up is wrong."""
        rules = game or registry.find(record.game)
        setup = rules.setup(
            len(record.seats),
            variant=record.variant,
            options=record.options,
            talks=[seat.talks for seat in record.seats],
        )
        return cls(rules, setup, record.seed, time)

    def open_decisions(self) -> tuple[OpenDecision, ...]:
        """Return the decisions that are open, in seat order; none when the match is over."""
        if self._open is None:
            self._open = tuple(
                [
                    self._open_decision(number, decision)
                    for number, decision in enumerate(self.game.to_act(self.state), self._number + 1)
                ]
            )
        return self._open

    def read_answers(self, steps: Sequence[RecordedStep], at: int = 0) -> tuple[RecordedAnswer, ...]:
        """Read the answers to the open decisions from the steps that follow `at`.  Raises ReplayError.

        A seat that said nothing was silent.
        """
        answers: list[RecordedAnswer] = []
        index = self.step_count
        for each in self.open_decisions():
            recorded = steps[at] if at < len(steps) else None
            answer = _read_answer(each.decision, recorded, index)
            found = None if answer is SILENCE else recorded
            answers.append(RecordedAnswer(each, answer, index, found))
            if found is not None:
                at += 1
                index += 1
        return tuple(answers)

    def resolve(self, steps: Sequence[RecordedStep], at: int = 0) -> ReplayedPoint:
        """Resolve the open point with the answers in `steps` from `at` on, and charge the clocks.

        Steps that follow without a choice need not be in `steps`.  Raises ReplayError where an answer is missing, and
        IllegalAction.
        """
        answers = self.read_answers(steps, at)
        given = [each.answer for each in answers]
        self.state, resolved, self._together = advance(self.game, self.state, given, self._together)
        for each in answers:
            thinking_ms = each.thinking_ms
            if thinking_ms is not None:
                self.clock.charge(each.to.seat, thinking_ms)
        times = iter([each.recorded.ms for each in answers if each.recorded is not None])
        timed = tuple([RecordedStep(step, next(times, None)) for step in resolved])
        point = ReplayedPoint(self.step_count, answers, timed, self.state, self.clock.banks_ms)
        self.step_count += len(resolved)
        self._number += len(answers)
        self._open = None
        return point

    def _open_decision(self, number: int, decision: Decision) -> OpenDecision:
        actions, forced = offer(self.game, self.state, decision, self.setup.talks)
        return OpenDecision(number, decision, actions, asked=forced is None)


def replay(
    record: Record, time: TimeControl = STANDARD, game: AnyGame | None = None
) -> Iterator[ReplayedPoint]:
    """Play a record again and yield its points, the deal first.

    Silent rounds of talk are among them; the point that a fault left open is not.  The game is found by its id if it
    is not given.  Raises ReplayError, or another ArenaError where the set-up is wrong or an action is not legal.
    """
    match, steps = MatchReplay.of(record, time, game), record.steps
    yield _checked(match.deal, steps)
    while match.step_count < len(steps):
        if not match.open_decisions():
            raise ReplayError(f"step {match.step_count}: the match was over before it")
        yield _checked(match.resolve(steps, match.step_count), steps)


def _read_answer(decision: Decision, recorded: RecordedStep | None, index: int) -> Answer:
    step = None if recorded is None else recorded.step
    if isinstance(decision, Choice):
        if not isinstance(step, Played) or step.seat != decision.seat:
            raise ReplayError(f"step {index}: an action of seat {decision.seat} is missing")
        return step.action
    if isinstance(step, Said) and (step.seat, step.round) == (decision.seat, decision.round):
        return step.line
    return SILENCE


def _checked(point: ReplayedPoint, steps: Sequence[RecordedStep]) -> ReplayedPoint:
    """Return the point if the record has its steps.  Raises ReplayError."""
    recorded = steps[point.first_step : point.first_step + len(point.steps)]
    if [each.step for each in recorded] != [each.step for each in point.steps]:
        raise ReplayError(
            f"step {point.first_step}: the record has other steps than its seed and actions give"
        )
    return point


def _without_times(steps: Sequence[Step]) -> tuple[RecordedStep, ...]:
    return tuple([RecordedStep(step) for step in steps])
