"""Plays matches for the tests: random answers, everything kept."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from arena.games import codec as game_codec
from arena.games import registry
from arena.games.chance import commitment
from arena.games.kernel import SILENCE, Answer, Claim, Decision, Line, Played, Setup, Step, Talk, advance
from arena.games.registry import AnyGame
from arena.match.record import Ending, Participant, Record, RecordedStep
from tests.games import tiny

GAMES: dict[str, AnyGame] = {**registry.GAMES, tiny.TINY.id: tiny.TINY}


@dataclass(frozen=True)
class Table:
    """A game, variant and seat count that tests run over; where there is talk, all but the last seat talk."""

    game: AnyGame
    variant: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game.id}-{self.variant}-{self.seats}"

    def setup(self, **options: int) -> Setup:
        talks = [self.game.has_talk and seat < self.seats - 1 for seat in range(self.seats)]
        return self.game.setup(self.seats, variant=self.variant, options=options, talks=talks)

    def extremes(self) -> list[dict[str, int]]:
        """All options at their standard values, and each of them once at either end."""
        options = self.game.options(self.variant, self.seats)
        return [{}, *({option.name: value} for option in options for value in (option.low, option.high))]


TABLES = [
    Table(game, variant, seats)
    for game in GAMES.values()
    for variant, counts in game.variants.items()
    for seats in counts
]


@dataclass(frozen=True)
class Point:
    """A point of a match: the state, what was open in it, the answers, and the steps that followed."""

    state: Any
    decisions: tuple[Decision, ...]
    answers: tuple[Answer, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Playout:
    """A match that was played: the steps at the start, the points, and the last state."""

    table: Table
    setup: Setup
    seed: bytes
    opening: tuple[Step, ...]
    points: tuple[Point, ...]
    last: Any

    def steps(self) -> tuple[Step, ...]:
        return (*self.opening, *(step for point in self.points for step in point.steps))

    def states(self) -> list[Any]:
        return [*(point.state for point in self.points), self.last]


def codec(game: str) -> Any:
    module: ModuleType | Any = tiny if game == tiny.TINY.id else game_codec.codec(game)
    return module


def play(table: Table, seed: bytes, chooser: random.Random, **options: int) -> Playout:
    """Play a match to its end with random answers."""
    game, setup = table.game, table.setup(**options)
    state, opening = game.new(setup, seed)
    points, together = [], 0
    while decisions := game.to_act(state):
        answers = tuple(choose(game, state, decision, chooser) for decision in decisions)
        after, steps, together = advance(game, state, answers, together)
        points.append(Point(state, decisions, answers, steps))
        state = after
    return Playout(table, setup, seed, opening, tuple(points), state)


def choose(game: AnyGame, state: Any, decision: Decision, chooser: random.Random) -> Answer:
    """Return a random answer: a legal action, or a line that keeps to its limits."""
    if not isinstance(decision, Talk):
        return chooser.choice(game.legal(state, decision.seat))
    limits = decision.limits
    claims = [
        Claim(
            chooser.choice(limits.kinds),
            decision.seat,
            chooser.choice(limits.votes),
            chooser.choice(limits.whens),
        )
        for _ in range(chooser.randint(0, limits.max_claims))
    ]
    return chooser.choice(
        (SILENCE, Line("¡hola!", ()), Line("", tuple(claims[:1])), Line("I say", tuple(claims)))
    )


def record(playout: Playout, match: str = "m-1") -> Record:
    """Write down a whole match, as if each seat had taken 1.5 ms for what it was asked."""
    game = playout.table.game
    result = game.result(playout.last)
    assert result is not None
    return Record(
        match=match,
        game=game.id,
        variant=playout.setup.variant,
        options=playout.setup.options,
        seed=playout.seed,
        commitment=commitment(match, playout.seed),
        seats=tuple(Participant(f"bot {seat}", "1", talks) for seat, talks in enumerate(playout.setup.talks)),
        steps=(*map(RecordedStep, playout.opening), *_time(game, playout.points)),
        result=Ending(result.places, result.end, result.scores, result.detail),
    )


def _time(game: AnyGame, points: Sequence[Point]) -> list[RecordedStep]:
    return [
        RecordedStep(
            step, 1.5 * (len(game.legal(point.state, step.seat)) > 1) if isinstance(step, Played) else None
        )
        for point in points
        for step in point.steps
    ]
