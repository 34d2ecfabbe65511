"""Breaks up what the opponent builds: what lies open and is nearly complete is taken, at the price of cardinals."""

from __future__ import annotations

from arena.games.teotlatolli.house_bots._table import Position
from arena.games.teotlatolli.house_bots.greedy import Greedy, best_switch
from arena.sdk import run

NEARLY = 3
"""With so many of the four signs of a god the opponent is feared to complete it in its next turn."""


class Raider(Greedy):
    """Uses cardinal signs for one switch after the other, as long as the opponent has three signs at a god."""

    name = "raider"

    def rate_use(self, position: Position) -> float:
        nearly = [place for place in position.places if place.theirs.bit_count() >= NEARLY]
        return -1.0 if position.switches else max(map(best_switch, nearly), default=-1.0)


if __name__ == "__main__":
    run(Raider())
