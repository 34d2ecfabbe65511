"""Random matches of a game, with everything that happened in them: what checks and tests of any game are made of."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from arena.games.kernel import SILENCE, Answer, AnyGame, Claim, Decision, Line, Setup, Step, Talk, advance


@dataclass(frozen=True)
class Configuration:
    """A game, variant and seat count to play matches of; where there is talk, all but the last seat talk."""

    game: AnyGame
    variant: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game.id}-{self.variant}-{self.seats}"

    def setup(self, **options: int) -> Setup:
        """Set a match up with some options, the others as they are usually.  Raises SetupError."""
        talks = [self.game.has_talk and seat < self.seats - 1 for seat in range(self.seats)]
        return self.game.setup(self.seats, variant=self.variant, options=options, talks=talks)

    def extremes(self) -> list[dict[str, int]]:
        """Return all options at their standard values, and each of them once at either end."""
        options = self.game.options(self.variant, self.seats)
        return [{}, *({option.name: value} for option in options for value in (option.low, option.high))]


def configurations(game: AnyGame) -> tuple[Configuration, ...]:
    """List all variants of a game with all their seat counts."""
    return tuple(
        Configuration(game, variant, seats) for variant, counts in game.variants.items() for seats in counts
    )


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

    configuration: Configuration
    setup: Setup
    seed: bytes
    opening: tuple[Step, ...]
    points: tuple[Point, ...]
    last: Any

    def steps(self) -> tuple[Step, ...]:
        """Return all steps of the match."""
        return (*self.opening, *(step for point in self.points for step in point.steps))

    def states(self) -> list[Any]:
        """Return the state at each point, and the last one."""
        return [*(point.state for point in self.points), self.last]


def play(configuration: Configuration, seed: bytes, chooser: random.Random, **options: int) -> Playout:
    """Play a match to its end with random answers."""
    game, setup = configuration.game, configuration.setup(**options)
    state, opening = game.new(setup, seed)
    points, together = [], 0
    while decisions := game.to_act(state):
        answers = tuple(choose(game, state, decision, chooser) for decision in decisions)
        after, steps, together = advance(game, state, answers, together)
        points.append(Point(state, decisions, answers, steps))
        state = after
    return Playout(configuration, setup, seed, opening, tuple(points), state)


def choose(
    game: AnyGame,
    state: Any,  # noqa: ANN401 - each game has its own state
    decision: Decision,
    chooser: random.Random,
) -> Answer:
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
