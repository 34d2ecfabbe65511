"""Replaying a record for the eye: the points of a match, and the position after each of them.

point 0 ── chance at the start      point n ── the n-th resolved decision, or several made at once
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from arena.games import registry
from arena.games.kernel import Action, Chance, Claim, DummyPlayed, Line, Played, Said, Step
from arena.match.clock import STANDARD
from arena.match.replay import ReplayedPoint
from arena.match.replay import replay as play_again
from arena.web.boards import action_words
from arena.web.boards.story import Story

if TYPE_CHECKING:
    from arena.games.narrating import ScoreSheet
    from arena.games.registry import AnyGame
    from arena.match.clock import TimeControl
    from arena.match.record import Record


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step as lists show it.

    `seat` is None for chance and the dummy; `notation` is the record's, `words` say the same in the reader's language
    once they are translated; `ms` is the thinking time.  With `done` the words follow the name of who did it: "greedy" "played 7".
    """

    seat: int | None
    kind: str
    notation: str
    words: str
    ms: float | None
    done: bool = False
    yours: bool = False
    """Whether the words are a sentence to the reader, who did it: "You played 7"."""
    step: int | None = None
    """The record's step, from 0, of what a seat chose or said; None where it is not known."""

    @property
    def by(self) -> str:
        """Return who made it: `seat`, `dummy` or `chance`."""
        return "seat" if self.seat is not None else "dummy" if self.kind == "dummy" else "chance"


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a match, and the position after it.  Times are milliseconds."""

    number: int
    first: int
    """The number of its first step in the record."""
    steps: tuple[Step, ...]
    thought: tuple[float | None, ...]
    """The time of each step; None for one that is no seat's action."""
    clocks_ms: tuple[float, ...]
    """The time left in the bank of each seat after it."""
    state: Any

    @property
    def ms(self) -> float:
        """Return the slowest seat's time in milliseconds; 0 where no seat was asked."""
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
    you: int | None = None
    """The seat of the person who reads it."""

    @property
    def final(self) -> int:
        """Number the last point."""
        return len(self.points) - 1

    def lines(self, number: int, seat: int | None = None, *, all_open: bool = True) -> tuple[StepLine, ...]:
        """Write the steps of a point: all open, or as a seat, or for None the public, learnt them."""
        point = self.points[number]
        shown = []
        for at, (step, ms) in enumerate(zip(point.steps, point.thought, strict=True), point.first):
            seen = step if all_open else self.game.seen(step, seat)
            if seen is not None:
                line = write_line(self.game.id, seen, ms, self.names, self.you)
                shown.append(line if line.seat is None else replace(line, step=at))
        return tuple(shown)

    def point_of(self, step: int) -> int:
        """Return the point at which a step of the record happened; the last for one after the record's end."""
        return max(0, bisect_right(self.points, step, key=lambda point: point.first) - 1)

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

    def told(
        self, names: Sequence[str], you: int | None = None
    ) -> tuple[tuple[tuple[str, ...], ScoreSheet | None], ...]:
        """Return the public account of each point: sentences, and a score sheet where a part of the match ended.

        `names` are those of the seats, in their order; `you` is that of the person who reads it.
        """
        story = Story(self.game.id, names, you)
        return tuple([(story.tell(point.state, point.steps), story.sheet) for point in self.points])


def replay(record: Record, time: TimeControl = STANDARD, you: int | None = None) -> Replay:
    """Play a record again; `time` is what each seat had, `you` the seat of the person who reads it.

    Raises ReplayError, or another ArenaError where its set-up is wrong.  A silent round of talk is no point.
    """
    shown = [point for number, point in enumerate(play_again(record, time)) if point.steps or not number]
    firsts = accumulate((len(point.steps) for point in shown), initial=0)
    points = tuple(
        [
            _point(number, first, point)
            for number, (first, point) in enumerate(zip(firsts, shown, strict=False))
        ]
    )
    return Replay(registry.find(record.game), points, tuple(seat.bot for seat in record.seats), you)


def _point(number: int, first: int, played: ReplayedPoint) -> Point:
    return Point(
        number=number,
        first=first,
        steps=tuple([each.step for each in played.steps]),
        thought=tuple([each.ms for each in played.steps]),
        clocks_ms=played.clocks_ms,
        state=played.state,
    )


def write_line(
    game: str, step: Step, ms: float | None, names: Sequence[str], you: int | None = None
) -> StepLine:
    """Write a step as lists show it; `names` are those of the bots, in seat order, `you` is the reader's own seat."""
    match step:
        case Played(seat, action):
            if seat == you:
                words = action_words.done(game, action, yours=True, with_cards=True)
                if words is not None:
                    return StepLine(seat, "action", action, words, ms, yours=True)
            return StepLine(seat, "action", action, *_words_of(game, action, ms))
        case DummyPlayed(action):
            return StepLine(None, "dummy", action, *_words_of(game, action, None))
        case Said(seat, line):
            return StepLine(seat, "say", _speech(seat, line), action_words.speech(game, line, names), None)
        case Chance(name, outcome):
            return StepLine(None, name, " | ".join(outcome), action_words.step(game, step, names)[1], None)


def _words_of(game: str, action: Action, ms: float | None) -> tuple[str, float | None, bool]:
    """Return an action in words, its time, and whether the words follow the name of its seat."""
    done = action_words.done(game, action, with_cards=True)
    return (action_words.action_with_cards(game, action), ms, False) if done is None else (done, ms, True)


def _speech(speaker: int, line: Line) -> str:
    claims = [f"({_claim(speaker, claim)})" for claim in line.claims]
    return " ".join([f"“{line.text}”", *claims] if line.text else claims)


def _claim(speaker: int, claim: Claim) -> str:
    whose = "" if claim.seat == speaker else f"seat {claim.seat}: "
    return f"{claim.kind} {whose}{claim.vote}" + ("" if claim.when == "this" else f", next {claim.when}")
