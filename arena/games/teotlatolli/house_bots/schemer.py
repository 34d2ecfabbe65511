"""Makes the most of a turn before it completes a god, since that ends the turn."""

from __future__ import annotations

from arena.games.teotlatolli import TeotlatolliView
from arena.games.teotlatolli.house_bots._table import finish, read
from arena.games.teotlatolli.house_bots.greedy import Greedy
from arena.sdk import Decision, run


class Schemer(Greedy):
    """Looks what is still free once the way to the god is clear: a switch, a move from the depot, a safe card laid."""

    name = "schemer"

    def choose(self, decision: Decision[TeotlatolliView]) -> str:
        chosen = super().choose(decision)
        view = decision.view
        position = read(view, decision.seat)
        if view.extra or finish(position) != chosen:
            return chosen
        gifts: list[str] = []
        # What the way to the god would be just the same without is free to be spent elsewhere.
        if not view.switched and finish(position._replace(switches=0)) == chosen:
            gifts += [action for action in decision.legal if action.startswith("switch")]
        if not view.moved and finish(position._replace(moves=0)) == chosen:
            gifts += [action for action in decision.legal if action.startswith("move") and "depot" in action]
        # At the god itself it could be in the way.
        rated = {
            gift: self.rate(gift, position, view) for gift in gifts if gift.split()[-1] != chosen.split()[-1]
        }
        best = max(rated, key=lambda gift: rated[gift], default=chosen)
        return best if rated.get(best, 0.0) > 0.0 else chosen


if __name__ == "__main__":
    run(Schemer())
