"""Keeps the middling cards, to buy the bottle while it can still be sold, and passes on what it could be stuck with."""

from __future__ import annotations

from arena.games.bottle_imp import BottleImpView
from arena.games.bottle_imp.house_bots._table import START_PRICE, number
from arena.games.bottle_imp.house_bots.greedy import Greedy
from arena.sdk import Decision, run

LOW = 8
"""Up to this card, who buys with it will hardly sell again."""


class Keeper(Greedy):
    """Gives away its lowest card, and without a low one the lowest above the starting price: too high to buy, too low to win."""

    name = "keeper"
    fear = 1.5

    def give(self, decision: Decision[BottleImpView]) -> str:
        if decision.view.choosing == "open":
            return super().give(decision)
        lowest = decision.legal[0]
        if number(lowest) <= LOW:
            return lowest
        return min(decision.legal, key=lambda action: (number(action) - START_PRICE) % (2 * START_PRICE))


if __name__ == "__main__":
    run(Keeper())
