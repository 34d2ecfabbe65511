"""Replaying a record for the eye: the points of a match, and the position after each of them.

point 0 ── chance at the start      point n ── the n-th resolved decision, or several made at once
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.core.errors import ArenaError
from arena.games import registry
from arena.games.kernel import (
    SILENCE,
    Action,
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
from arena.web.boards import action_words

if TYPE_CHECKING:
    from arena.games.registry import AnyGame
    from arena.match.clock import TimeControl
    from arena.match.record import Record, RecordedStep


class ReplayError(ArenaError):
    """Raised when a record's steps are not those that its seed and its actions give."""


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step as lists show it.

    `seat` is None for chance and the dummy; `notation` is the record's, `words` say the same in the reader's language
    once they are translated; `ms` is the thinking time.
    """

    seat: int | None
    kind: str
    notation: str
    words: str
    ms: float | None

    @property
    def by(self) -> str:
        """Return who made it: `seat`, `dummy` or `chance`."""
        return "seat" if self.seat is not None else "dummy" if self.kind == "dummy" else "chance"


@dataclass(frozen=True, slots=True)
class Point:
    """What happened at one point, and the position after it; `thought` is the milliseconds of each step, None for most."""

    number: int
    steps: tuple[Step, ...]
    thought: tuple[float | None, ...]
    state: Any

    @property
    def ms(self) -> float:
        """Return how long the slowest seat took, in milliseconds; 0 where nobody was asked."""
        return max((ms or 0.0 for ms in self.thought), default=0.0)

    @property
    def said(self) -> tuple[Said, ...]:
        """Return what was said at it."""
        return tuple([step for step in self.steps if isinstance(step, Said)])

    @property
    def actions(self) -> dict[int, Action]:
        """Return the seats' actions, by seat."""
        return {step.seat: step.action for step in self.steps if isinstance(step, Played)}


@dataclass(frozen=True, slots=True)
class Replay:
    """A match from its first deal to its end."""

    game: AnyGame
    points: tuple[Point, ...]
    names: tuple[str, ...]

    @property
    def final(self) -> int:
        """Number the last point."""
        return len(self.points) - 1

    def lines(self, number: int, seat: int | None = None, *, all_open: bool = True) -> tuple[StepLine, ...]:
        """Write the steps of a point: all open, or as a seat, or for None the public, learnt them."""
        point = self.points[number]
        shown = []
        for step, ms in zip(point.steps, point.thought, strict=True):
            seen = step if all_open else self.game.seen(step, seat)
            if seen is not None:
                shown.append(write_line(self.game.id, seen, ms, self.names))
        return tuple(shown)

    def chosen(self, number: int) -> dict[int, Action]:
        """Return what the seats that decide at a point will choose, by seat; nothing at the end or before talk."""
        return self.points[number + 1].actions if number < self.final else {}

    def talk(self, number: int) -> tuple[Said, ...]:
        """Return the talk at hand: what was said since the last decision, or before the one just made."""
        at = number
        if at and not self.points[at].said:
            at -= 1
        said: tuple[Said, ...] = ()
        while at and (lines := self.points[at].said):
            said = (*lines, *said)
            at -= 1
        return said

    def left_ms(self, number: int, time: TimeControl) -> tuple[float, ...]:
        """Return what each seat has left in its bank after a point, in milliseconds."""
        banks = [float(time.base_ms)] * len(self.names)
        for point in self.points[: number + 1]:
            for step, ms in zip(point.steps, point.thought, strict=True):
                # The platform plays a single legal action itself, in no time, and adds none for it.
                if isinstance(step, Played) and ms:
                    banks[step.seat] += time.increment_ms - ms
        return tuple(banks)


def replay(record: Record) -> Replay:
    """Play a record again.  Raises ReplayError, or another ArenaError where its set-up is wrong."""
    game = registry.find(record.game)
    seats = len(record.seats)
    setup = game.setup(
        seats, variant=record.variant, options=record.options, talks=[seat.talks for seat in record.seats]
    )
    state, first = game.new(setup, record.seed)
    points = [_point(0, _take(record.steps, 0, first), state)]
    at, together = len(first), 0
    while at < len(record.steps):
        decisions = game.to_act(state)
        if not decisions:
            raise ReplayError(f"step {at}: the match was over before it")
        state, steps, together = advance(game, state, read_answers(decisions, record.steps, at), together)
        taken = _take(record.steps, at, steps)
        at += len(steps)
        if taken:
            points.append(_point(len(points), taken, state))
    return Replay(game, tuple(points), tuple(seat.bot for seat in record.seats))


def _point(number: int, taken: Sequence[RecordedStep], state: Any) -> Point:  # noqa: ANN401 - each game's own
    return Point(number, tuple([each.step for each in taken]), tuple([each.ms for each in taken]), state)


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


def write_line(game: str, step: Step, ms: float | None, names: Sequence[str]) -> StepLine:
    """Write a step as lists show it; `names` are those of the bots, in seat order."""
    match step:
        case Played(seat, action):
            return StepLine(seat, "action", action, action_words.action_with_cards(game, action), ms)
        case DummyPlayed(action):
            return StepLine(None, "dummy", action, action_words.action_with_cards(game, action), None)
        case Said(seat, line):
            return StepLine(seat, "say", _speech(seat, line), action_words.speech(game, line, names), None)
        case Chance(name, outcome):
            return StepLine(None, name, " | ".join(outcome), action_words.step(game, step, names)[1], None)


def _speech(speaker: int, line: Line) -> str:
    claims = [f"({_claim(speaker, claim)})" for claim in line.claims]
    return " ".join([f"“{line.text}”", *claims] if line.text else claims)


def _claim(speaker: int, claim: Claim) -> str:
    whose = "" if claim.seat == speaker else f"seat {claim.seat}: "
    return f"{claim.kind} {whose}{claim.vote}" + ("" if claim.when == "this" else f", next {claim.when}")
