"""Keeps its lowest cards, to buy the bottle late or never, and passes on what cannot win."""

from __future__ import annotations

from arena.games.bottle_imp import BottleImpView
from arena.sdk import Decision, run
from bots.bottle_imp._table import START_PRICE, number
from bots.bottle_imp.greedy import Greedy


class Keeper(Greedy):
    """Gives away the card that lies nearest to the starting price from above: too high to buy, too low to win."""

    name = "keeper"
    fear = 1.5

    def give(self, decision: Decision[BottleImpView]) -> str:
        if decision.view.choosing == "open":
            return super().give(decision)
        return min(decision.legal, key=lambda action: (number(action) - START_PRICE) % (2 * START_PRICE))


if __name__ == "__main__":
    run(Keeper())
