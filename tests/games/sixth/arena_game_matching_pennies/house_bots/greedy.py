"""Shows what would have won against what the other seat showed last."""

from __future__ import annotations

from arena.games.kernel import Played
from arena.sdk import Bot, Decision, run
from arena_game_matching_pennies import MatchingPenniesView


class Greedy(Bot[MatchingPenniesView]):
    """Shows what would have won against what the other seat showed last."""

    name = "greedy"
    games = ("matching_pennies",)
    matches_at_once = 64

    def choose(self, decision: Decision[MatchingPenniesView]) -> str:
        shown = [step for step in decision.history if isinstance(step, Played) and step.seat != decision.seat]
        if not shown:
            return decision.random.choice(decision.legal)
        last = shown[-1].action
        return last if decision.seat == 0 else next(action for action in decision.legal if action != last)


if __name__ == "__main__":
    run(Greedy())
