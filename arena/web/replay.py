"""Replaying a record for the eye: the points of a match, and the position after each of them.

point 0 ── chance at the start      point n ── the n-th resolved decision, or several made at once
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.errors import ArenaError
from arena.games import registry
from arena.games.kernel import (
    SILENCE,
    Answer,
    Chance,
    Choice,
    Claim,
    Decision,
    DummyPlayed,
    Line,
    Played,
    Said,
    Step,
    advance,
)

if TYPE_CHECKING:
    from arena.games.registry import AnyGame
    from arena.match.record import Record, RecordedStep


class ReplayError(ArenaError):
    """Raised when a record's steps are not those that its seed and its actions give."""


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step as a list shows it: who (None for chance and the dummy), what, in the record's notation, and how long it took."""

    seat: int | None
    kind: str
    text: str
    ms: float | None

    @property
    def by(self) -> str:
        """Tell who made it: `seat`, `dummy` or `chance`."""
        return "seat" if self.seat is not None else "dummy" if self.kind == "dummy" else "chance"


@dataclass(frozen=True, slots=True)
class Point:
    """What happened at one point, and the position after it."""

    number: int
    lines: tuple[StepLine, ...]
    state: Any

    @property
    def begins(self) -> str | None:
        """Name the chance that begins a new part here (a hand, a round), if any does."""
        return next((line.kind for line in reversed(self.lines) if line.by == "chance" and line.text), None)

    @property
    def ms(self) -> float:
        """Give how long the slowest seat took, in milliseconds; 0 where nobody was asked."""
        return max((line.ms or 0.0 for line in self.lines), default=0.0)


@dataclass(frozen=True, slots=True)
class Replay:
    """A match from its first deal to its end."""

    game: AnyGame
    points: tuple[Point, ...]
    seats: int

    def views(self, number: int) -> tuple[Any, ...]:
        """Show the position after a point to each seat, in seat order: all cards open."""
        state = self.points[number].state
        return tuple(self.game.view(state, seat) for seat in range(self.seats))

    def acting(self, number: int) -> tuple[int, ...]:
        """Name the seats that decide next."""
        return tuple(decision.seat for decision in self.game.to_act(self.points[number].state))


def replay(record: Record) -> Replay:
    """Play a record again.  Raises ReplayError, or another ArenaError where its set-up is wrong."""
    game = registry.find(record.game)
    seats = len(record.seats)
    setup = game.setup(
        seats, variant=record.variant, options=record.options, talks=[seat.talks for seat in record.seats]
    )
    state, first = game.new(setup, record.seed)
    points = [Point(0, _lines(_take(record.steps, 0, first)), state)]
    at, together = len(first), 0
    while at < len(record.steps):
        decisions = game.to_act(state)
        if not decisions:
            raise ReplayError(f"step {at}: the match was over before it")
        state, steps, together = advance(game, state, read_answers(decisions, record.steps, at), together)
        taken = _take(record.steps, at, steps)
        at += len(steps)
        if taken:
            points.append(Point(len(points), _lines(taken), state))
    return Replay(game, tuple(points), seats)


def _take(recorded: Sequence[RecordedStep], at: int, steps: Sequence[Step]) -> Sequence[RecordedStep]:
    taken = recorded[at : at + len(steps)]
    if tuple(each.step for each in taken) != tuple(steps):
        raise ReplayError(f"step {at}: the record has other steps than its seed and actions give")
    return taken


def read_answers(decisions: Sequence[Decision], recorded: Sequence[RecordedStep], at: int) -> list[Answer]:
    """Read the answers to the open decisions from the steps that follow; who said nothing was silent."""
    answers: list[Answer] = []
    for decision in decisions:
        step = recorded[at].step if at < len(recorded) else None
        if isinstance(decision, Choice):
            if not isinstance(step, Played) or step.seat != decision.seat:
                raise ReplayError(f"step {at}: an action of seat {decision.seat} is missing")
            answers.append(step.action)
        elif isinstance(step, Said) and (step.seat, step.round) == (decision.seat, decision.round):
            answers.append(step.line)
        else:
            answers.append(SILENCE)
            continue
        at += 1
    return answers


def _lines(recorded: Sequence[RecordedStep]) -> tuple[StepLine, ...]:
    return tuple(_line(each.step, each.ms) for each in recorded)


def _line(step: Step, ms: float | None) -> StepLine:
    match step:
        case Played(seat, action):
            return StepLine(seat, "action", action, ms)
        case DummyPlayed(action):
            return StepLine(None, "dummy", action, None)
        case Said(seat, line):
            return StepLine(seat, "say", _speech(seat, line), None)
        case Chance(name, outcome):
            return StepLine(None, name, " | ".join(outcome), None)


def _speech(speaker: int, line: Line) -> str:
    claims = [f"({_claim(speaker, claim)})" for claim in line.claims]
    return " ".join([f"“{line.text}”", *claims] if line.text else claims)


def _claim(speaker: int, claim: Claim) -> str:
    whose = "" if claim.seat == speaker else f"seat {claim.seat}: "
    return f"{claim.kind} {whose}{claim.vote}" + ("" if claim.when == "this" else f", next {claim.when}")
