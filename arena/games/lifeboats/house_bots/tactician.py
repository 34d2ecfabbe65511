"""Expects the others to vote for what is best for them, and casts the vote that makes the best of it."""

from __future__ import annotations

from collections.abc import Mapping

from arena.games.lifeboats import LifeboatsView
from arena.games.lifeboats.house_bots._outcomes import expected, gain, winner
from arena.games.lifeboats.house_bots.greedy import Greedy
from arena.sdk import Decision, run

REGRET = 5.0
"""A captain's hat is worth playing for so many points more than a vote can bring."""


class Tactician(Greedy):
    """A vote that cannot win is wasted: it votes for the best of what can, and plays a hat where that is bad."""

    name = "tactician"

    def choose(self, decision: Decision[LifeboatsView]) -> str:
        view = decision.view
        if view.stage == "choose":
            return max(decision.legal, key=lambda action: gain(view, decision.seat, action[-1]))
        if view.stage != "vote":
            return super().choose(decision)
        letter, short = best_vote(view, decision.seat, {})
        return "hat" if short >= REGRET and "hat" in decision.legal else f"vote {letter}"


def best_vote(view: LifeboatsView, me: int, known: Mapping[int, str]) -> tuple[str, float]:
    """Return the vote that brings most, and by how much that falls short of deciding alone."""
    votes = expected(view, me, known)
    gains = {letter: gain(view, me, letter) for letter in view.options}

    def brings(letter: str) -> tuple[float, float]:
        return gains[winner(view, me, {**votes, me: letter})], gains[letter]

    best = max(view.options, key=brings)
    return best, max(gains.values()) - brings(best)[0]


if __name__ == "__main__":
    run(Tactician())
