"""Shows heads, whatever happens."""

from __future__ import annotations

from arena.sdk import Bot, Decision, run
from arena_game_matching_pennies import MatchingPenniesView


class Stubborn(Bot[MatchingPenniesView]):
    """Shows heads, whatever happens."""

    name = "stubborn"
    games = ("matching_pennies",)
    matches_at_once = 64

    def choose(self, decision: Decision[MatchingPenniesView]) -> str:
        return decision.legal[0]


if __name__ == "__main__":
    run(Stubborn())
