"""Learns Land Unter by playing against `greedy`: a policy of thirty weights, by policy gradients.  It needs NumPy only.

    python learner.py 200 weights.json     learn: 200 rounds of updates, on all cores
    arena match land_unter learner.py greedy greedy     play: the weights lie beside this file

A row of numbers from the game's encoding is all it sees, in training and in play.
"""

from __future__ import annotations

import json
import os
import sys
import time
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np

from arena.games import registry
from arena.games.land_unter import LandUnterView
from arena.sdk import Bot, Decision, run

ENCODING: Any = registry.package("land_unter").encoding
WEIGHTS = Path(__file__).with_name("weights.json")
CARDS, LEVELS, SEATS = 60, 12, 5
DEALS, TIMES, RATE = 24, 4, 0.05
STARTS = dict(zip(ENCODING.PARTS, np.cumsum([0, *ENCODING.PARTS.values()]).tolist(), strict=False))
BY_SEAT, PLAYED, BEFORE, TRICK = (
    next(at for name, at in STARTS.items() if name.startswith(part))
    for part in (
        "by seat: takes part",
        "by seat: cards played in this",
        "by seat: cards played in the round",
        "round",
    )
)
WIDTH = 3 * 8 + 6


def lead(row: np.ndarray) -> float:
    """Return how many lifebelts more than the others on average the seat has; who is out counts −1."""
    seats = row[BY_SEAT:PLAYED].reshape(SEATS, 5)
    taking_part = seats[:, 0] > 0
    points = np.where(seats[:, 1] > 0, seats[:, 2] * 12, -1.0)[taking_part]
    return float(points[0] - points[1:].mean())


def features(row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the cards in hand, and what speaks for or against each: a row of WIDTH features."""
    hand = np.flatnonzero(row[:CARDS])
    played = row[PLAYED:BEFORE].reshape(SEATS, CARDS).sum(0)
    unseen = np.flatnonzero((row[:CARDS] == 0) & (played == 0))
    seats = row[BY_SEAT:PLAYED].reshape(SEATS, 5)
    rivals = seats[1:][seats[1:, 1] > 0]
    below = np.searchsorted(unseen, hand) / max(len(unseen), 1)
    count = len(rivals)
    highest = below**count
    second = count * below ** (count - 1) * (1 - below) if count else np.zeros(len(hand))
    water = [int(np.argmax(row[at : at + LEVELS])) + 1 for at in (CARDS, CARDS + LEVELS)]
    outcomes = [(water[0], highest), (water[1], second), (round(seats[0, 3] * LEVELS), 1 - highest - second)]
    found = []
    for level, chance in outcomes:
        others = [round(rival[3] * LEVELS) for rival in rivals]
        above = sum(other > level for other in others) + sum(
            other > level for other, _ in outcomes[:2] if other != level
        )
        bare = float(seats[0, 2] == 0)
        danger = [float(above == 0), float(above == 1), float(above == 2), level / LEVELS]
        found += [chance * each for each in danger] + [chance * bare * each for each in danger]
    card, late = hand / CARDS, row[TRICK + 2]
    middle = np.abs(card - 0.5)
    found += [card, card * card, middle, card * late, card * card * late, middle * late]
    return hand, np.stack(found, axis=1)


def play(weights: np.ndarray, seed: int) -> tuple[np.ndarray, float, int]:
    """Play one deal some times; return the gradient, the mean lead at the end, and the number of matches."""
    import arena.rl  # noqa: PLC0415 - bots need no environment

    env = arena.rl.single("land_unter", ["greedy", "greedy"], rounds=1)
    chance = np.random.default_rng(seed)
    gains, slopes, ends = [], [], []
    for _ in range(TIMES):
        shown, _ = env.reset(seed=seed)
        leads, over = [], False
        while not over:
            row = shown["observation"]
            hand, facts = features(row)
            chances = softmax(facts @ weights)
            choice = int(chance.choice(len(hand), p=chances))
            leads.append(lead(row))
            slopes.append(facts[choice] - chances @ facts)
            shown, _, over, _, info = env.step(int(hand[choice]))
        scores = np.array(info["scores"], float)
        end = scores[env.seat] - np.delete(scores, env.seat).mean()
        gains += [end - before for before in leads]
        ends.append(end)
    advantage = np.array(gains) - np.mean(gains)
    return advantage @ np.array(slopes) / TIMES, float(np.mean(ends)), TIMES


def softmax(values: np.ndarray) -> np.ndarray:
    """Return chances in proportion to the exponentials."""
    powers = np.exp(values - values.max())
    return powers / powers.sum()


def learn(updates: int, file: Path) -> None:
    """Improve the weights by Adam's rule, and write them after every update."""
    weights, mean, square = np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH)
    started, lead_now = time.monotonic(), 0.0
    with Pool(os.cpu_count()) as pool:
        for update in range(1, updates + 1):
            seeds = range(update * DEALS, (update + 1) * DEALS)
            results = pool.map(partial(play, weights), seeds)
            gradient = np.mean([slope for slope, _, _ in results], axis=0)
            mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
            step = mean / (1 - 0.9**update) / (np.sqrt(square / (1 - 0.99**update)) + 1e-8)
            weights = weights + RATE * step
            lead_now += (np.mean([end for _, end, _ in results]) - lead_now) / min(update, 10)
            file.write_text(json.dumps([round(weight, 4) for weight in weights.tolist()]))
            if update % 10 == 0:
                print(f"{update}: lead {lead_now:+.2f} after {time.monotonic() - started:.0f} s", flush=True)


class Learner(Bot[LandUnterView]):
    """Plays the card that the weights like most."""

    name = "learner"
    games = ("land_unter",)

    def __init__(self) -> None:
        """Read the weights that lie beside this file."""
        self.weights = np.array(json.loads(WEIGHTS.read_text()))

    def choose(self, decision: Decision[LandUnterView]) -> str:
        """Choose a card."""
        row = np.array(ENCODING.encode(decision.view, decision.seat, decision.seats))
        hand, facts = features(row)
        return str(ENCODING.ACTIONS[hand[np.argmax(facts @ self.weights)]])


if __name__ == "__main__":
    if len(sys.argv) == 3:
        learn(int(sys.argv[1]), Path(sys.argv[2]))
    else:
        run(Learner())
