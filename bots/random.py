"""Chooses at random, from its bot seed: the least that a bot can be, in any game."""

from __future__ import annotations

from typing import Any

from arena.sdk import Bot, Decision, run


class Random(Bot[Any]):
    """Every legal action is equally likely."""

    name = "random"
    matches_at_once = 64

    def choose(self, decision: Decision[Any]) -> str:
        return decision.random.choice(decision.legal)


if __name__ == "__main__":
    run(Random())
