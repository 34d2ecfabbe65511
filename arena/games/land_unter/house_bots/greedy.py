"""Plays Land Unter by a few simple rules: the model to start a bot of your own from.

Each trick it asks two questions: which of the two water cards, or none, would I like to have?  And which of my
weather cards gets it, as far as one can guess?  Try it: `arena match land_unter greedy random random`.
"""

from __future__ import annotations

from arena.games.land_unter import LandUnterView
from arena.sdk import Bot, Decision, run

HIGHEST = 60


class Greedy(Bot[LandUnterView]):
    """Wants the lower water card when it would not drown by it, and else stays out of the way."""

    name = "greedy"
    games = ("land_unter",)
    matches_at_once = 64

    def choose(self, decision: Decision[LandUnterView]) -> str:
        view = decision.view
        me = decision.seat
        rivals = sum(seat.still_in for seat in view.seats) - 1
        costs = tuple(cost(view, me, water) for water in (*view.water, None))

        def rate(card: int) -> float:
            low, high, none = outcomes(card, rivals)
            # Middling cards are the most useful ones later, and so are worth a little.
            return -(low * costs[0] + high * costs[1] + none * costs[2])

        return f"play {max(view.hand, key=rate)}"


def outcomes(card: int, rivals: int) -> tuple[float, float, float]:
    """Guess the chances to get the lower water card, the higher one, or none, if the rivals play just anything."""
    below = (card - 1) / HIGHEST
    highest = below**rivals
    second = rivals * below ** (rivals - 1) * (1 - below)
    return highest, second, 1 - highest - second


def cost(view: LandUnterView, me: int, water: int | None) -> float:
    """Return what it costs to have this water card on top (None: to keep the level as it is)."""
    level = view.seats[me].level if water is None else water
    others = [seat.level for seat in view.seats[:me] + view.seats[me + 1 :] if seat.still_in]
    # The rivals' levels change as well in this trick: count those that will probably be above mine.
    above = sum(other > level for other in others) + sum(card > level for card in view.water if card != water)
    danger = {0: 1.0, 1: 0.4, 2: 0.15}.get(above, 0.05)
    # Without a lifebelt the next payment is the last: it costs the round's points.
    price = 1.0 if view.seats[me].lifebelts else 2.5
    # A high level goes on being dangerous in the tricks to come.
    return price * danger + 0.05 * level


if __name__ == "__main__":
    run(Greedy())
