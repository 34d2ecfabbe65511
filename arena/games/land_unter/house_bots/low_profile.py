"""Ducks under every water card it can, and strikes only when it is about to drown."""

from __future__ import annotations

from arena.games.land_unter import LandUnterView
from arena.sdk import Bot, Decision, run


class LowProfile(Bot[LandUnterView]):
    """Plays its lowest card as long as somebody else is deeper in the water."""

    name = "low_profile"
    games = ("land_unter",)
    matches_at_once = 64

    def choose(self, decision: Decision[LandUnterView]) -> str:
        view = decision.view
        level = view.seats[decision.seat].level
        deepest = max(
            seat.level for number, seat in enumerate(view.seats) if seat.still_in and number != decision.seat
        )
        low, high = view.water
        if level >= max(deepest, high) and low < level:
            # Nobody can become deeper than I am: the lower water card must be mine.
            card = view.hand[-1]
        elif low <= 2 and view.seats[decision.seat].lifebelts == 0:
            # Without a lifebelt a harmless card on top is worth the best card.
            card = view.hand[-1]
        elif high <= deepest - 4:
            # Both water cards are harmless: a good time to be rid of the dangerous second-highest cards.
            card = view.hand[len(view.hand) // 2]
        else:
            card = view.hand[0]
        return f"play {card}"


if __name__ == "__main__":
    run(LowProfile())
