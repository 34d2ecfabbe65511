"""The environments of arena.rl compared with the bare rules, both with random actions, on one core.

A step is one choice.  Rules and environment take turns in the same process, so that the load of the machine falls on both alike.
The cost of observations is measured on its own: `last(observe=False)` is PettingZoo's way to do without.
"""

from __future__ import annotations

import random
import time

import arena.rl
from arena.games import registry
from arena.rl.turn_env import TurnEnv
from bench.figures import Figure
from bench.rules import play_randomly

LEAST_SHARE = 0.5
RUNS = 3
RUN_SECONDS = 0.2


def measure() -> list[Figure]:
    """Measure every game with its fewest and most seats in the standard variant."""
    figures = []
    for package in registry.PACKAGES.values():
        game = package.game
        variant, counts = next(iter(game.variants.items()))
        for seats in sorted({counts[0], counts[-1]}):
            env = arena.rl.aec(game.id, seats, variant=variant)
            setup = game.setup(seats, variant=variant)
            rules = played = shown = 0.0
            for run in range(RUNS):
                rules = max(rules, play_randomly(game, setup, run))
                played = max(played, step_randomly(env, run, observe=False))
                shown = max(shown, step_randomly(env, run, observe=True))
            name = f"{game.id}, {seats} seats"
            note = f"of {rules:,.0f} actions/s of the rules; best of {RUNS} runs"
            share = round(played / rules, 3)
            figures.append(Figure(f"{name}: steps", share, "× rules", LEAST_SHARE, note=note))
            figures.append(Figure(f"{name}: steps, each with its view", round(shown), "steps/s"))
    return figures


def step_randomly(env: TurnEnv, run: int, *, observe: bool) -> float:
    """Play matches one after the other; give steps per second of CPU."""
    draw = random.Random(run).random
    table, numbers, agents = env.table, env.numbers.numbers, env.possible_agents
    steps = 0
    env.reset(seed=run)
    started = time.process_time()
    while (spent := time.process_time() - started) < RUN_SECONDS:
        while table.seat >= 0:
            if observe:
                env.observe(agents[table.seat])
            legal = table.legal
            env.step(numbers[legal[int(draw() * len(legal))]])
            steps += 1
        env.reset()
    return steps / spent
