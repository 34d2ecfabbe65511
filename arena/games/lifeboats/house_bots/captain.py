"""Spends its captain's hats early, on any vote that matters: a hat left at the end is worth nothing."""

from __future__ import annotations

from arena.games.lifeboats import LifeboatsView
from arena.games.lifeboats.house_bots._outcomes import gain
from arena.games.lifeboats.house_bots.greedy import Greedy
from arena.sdk import Decision, run

STAKE = 2.5


class Captain(Greedy):
    """Plays a hat where the best option and the middle one are far apart for it."""

    name = "captain"

    def choose(self, decision: Decision[LifeboatsView]) -> str:
        view, me = decision.view, decision.seat
        if view.stage == "choose":
            return max(decision.legal, key=lambda action: gain(view, me, action[-1]))
        if "hat" in decision.legal:
            gains = sorted(gain(view, me, letter) for letter in view.options)
            if gains[-1] - gains[len(gains) // 2 - 1] >= STAKE:
                return "hat"
        legal = tuple(action for action in decision.legal if action != "hat")
        if view.stage == "vote":
            return max(legal, key=lambda action: gain(view, me, action[-1]))
        return super().choose(decision)


if __name__ == "__main__":
    run(Captain())
