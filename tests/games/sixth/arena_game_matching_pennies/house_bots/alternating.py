"""Shows heads and tails in turn."""

from __future__ import annotations

from arena.sdk import Bot, Decision, run
from arena_game_matching_pennies import MatchingPenniesView


class Alternating(Bot[MatchingPenniesView]):
    """Shows heads and tails in turn."""

    name = "alternating"
    games = ("matching_pennies",)
    matches_at_once = 64

    def choose(self, decision: Decision[MatchingPenniesView]) -> str:
        return decision.legal[decision.view.round % 2]


if __name__ == "__main__":
    run(Alternating())
