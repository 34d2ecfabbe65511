"""Saves its high cards for the end of the round, when payments have made lifebelts rare, and then takes every trick."""

from __future__ import annotations

from arena.games.land_unter import LandUnterView
from arena.sdk import Bot, Decision, run

TRICKS = 12
TREASURE = 42  # from this card on it is worth saving


class Hoarder(Bot[LandUnterView]):
    """Spends low cards first; a treasure only to come out of deep water, or when the end is near."""

    name = "hoarder"
    games = ("land_unter",)
    matches_at_once = 64

    def choose(self, decision: Decision[LandUnterView]) -> str:
        view = decision.view
        me = view.seats[decision.seat]
        treasures = [card for card in view.hand if card >= TREASURE]
        others = [card for card in view.hand if card < TREASURE]
        low, high = view.water
        deep = me.level >= max(seat.level for seat in view.seats if seat.still_in) and me.level > 0
        ending = TRICKS - view.trick <= len(treasures) + 1
        if treasures and low < 6 and (ending or (deep and me.lifebelts < 2)):
            return f"play {treasures[-1]}"
        if not others:
            return f"play {treasures[0]}"
        if deep and low < me.level:
            # A middling card may still get one of the water cards, and both are better than the level.
            return f"play {others[-1]}"
        # The higher the water, the lower the card.
        return f"play {others[0] if high >= 5 else others[len(others) // 2]}"


if __name__ == "__main__":
    run(Hoarder())
