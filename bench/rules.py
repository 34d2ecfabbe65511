"""The rules alone on one core: random play, and views.

Random play is what a playout does: the open decisions, the legal actions of each, a random one, apply.  Times are
CPU seconds of this process, the best of a few runs, since other programs share the machine's caches and clock.
"""

from __future__ import annotations

import random
import time
from typing import Any

from arena.games import registry
from arena.games.kernel import Setup
from arena.games.registry import AnyGame
from bench.figures import Figure

VIEWS_PER_SECOND = 30_000
RUNS = 5
RUN_SECONDS = 0.6


def measure() -> list[Figure]:
    """Measure every game in every variant with every seat count."""
    figures = []
    for package in registry.PACKAGES.values():
        game = package.game
        for variant, seats in [(name, seats) for name, counts in game.variants.items() for seats in counts]:
            setup = game.setup(seats, variant=variant)
            name = f"{game.id}, {variant}, {seats} seats"
            note = f"best of {RUNS} runs of {RUN_SECONDS:g} s"
            actions = max(play_randomly(game, setup, run) for run in range(RUNS))
            limit = package.checks.min_actions_per_second if package.checks else None
            figures.append(Figure(f"{name}: random play", round(actions), "actions/s", limit, note=note))
            views = max(build_views(game, setup) for _ in range(RUNS))
            figures.append(Figure(f"{name}: views", round(views), "views/s", VIEWS_PER_SECOND, note=note))
    return figures


def play_randomly(game: AnyGame, setup: Setup, run: int) -> float:
    """Play matches one after the other; give actions per second."""
    draw = random.Random(run).random
    to_act, legal, apply = game.to_act, game.legal, game.apply
    played = number = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < RUN_SECONDS:
        state, _ = game.new(setup, (number << 8 | run).to_bytes(32, "big"))
        number += 1
        while decisions := to_act(state):
            answers = []
            for decision in decisions:
                actions = legal(state, decision.seat)
                answers.append(actions[int(draw() * len(actions))])
            state, _ = apply(state, answers)
            played += len(answers)
    return played / spent


def build_views(game: AnyGame, setup: Setup) -> float:
    """Build the view of each seat that is asked, over and over in the positions of one match; give views per second."""
    positions: list[tuple[Any, int]] = []
    draw = random.Random(1)
    state, _ = game.new(setup, bytes(32))
    while decisions := game.to_act(state):
        positions += [(state, decision.seat) for decision in decisions]
        state, _ = game.apply(
            state, [draw.choice(game.legal(state, decision.seat)) for decision in decisions]
        )
    built = 0
    view = game.view
    started = time.process_time()
    while (spent := time.process_time() - started) < RUN_SECONDS:
        for position, seat in positions:
            view(position, seat)
        built += len(positions)
    return built / spent
