"""Plays The Bottle Imp by a few simple rules: the model to start a bot of your own from.

It passes its lowest cards on, since with them one may have to keep the bottle, and in each trick rates what its cards
would win, give away, or cost with the bottle.  Try it: `arena match bottle_imp greedy random random`.
"""

from __future__ import annotations

from arena.games.bottle_imp import BottleImpView
from arena.games.bottle_imp.house_bots._table import POINTS, number, rate
from arena.sdk import Bot, Decision, run


class Greedy(Bot[BottleImpView]):
    """Takes the bottle where the trick is worth it and somebody may still buy it."""

    name = "greedy"
    games = ("bottle_imp",)
    matches_at_once = 64

    fear = 1.0
    """How much more than its likely cost the bottle is feared."""

    def choose(self, decision: Decision[BottleImpView]) -> str:
        view = decision.view
        if view.choosing == "play":
            return max(
                decision.legal, key=lambda action: rate(number(action), view, decision.seat, self.fear)
            )
        return self.give(decision)

    def give(self, decision: Decision[BottleImpView]) -> str:
        """Discard a card of few points, pass the lowest on, open the hand of the fewer points."""
        view = decision.view
        if view.choosing == "open":
            return min(
                decision.legal,
                key=lambda action: sum(POINTS[card] for card in view.cards[number(action) - 1]),
            )
        return decision.legal[0]


if __name__ == "__main__":
    run(Greedy())
