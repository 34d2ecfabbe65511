"""Lays every card that fits at once: always near to completing something, and always open to thieves."""

from __future__ import annotations

from arena.games.teotlatolli.house_bots.greedy import Greedy
from arena.sdk import run


class Builder(Greedy):
    """Does not mind what lies open; keeps in hand only what fits nowhere."""

    name = "builder"
    exposure = -1.0


if __name__ == "__main__":
    run(Builder())
