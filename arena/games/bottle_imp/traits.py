"""Traits of a bot's play of The Bottle Imp: when it buys the bottle, how often it is damned, what it gives away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.core.translatable import mark
from arena.games.bottle_imp.state import BottleImpState
from arena.games.traits import PastPoint, Tallies, Tally, Trait, Traits

_PASSED = {"left", "right", "pass"}


def count(seats: int, points: Sequence[PastPoint]) -> Sequence[Mapping[str, Tally]]:
    """Count the traits of each seat in a match; a seat of no bot, such as Lopaka's, is left out."""
    tallies = Tallies(seats)
    for point in points:
        before: BottleImpState = point.before
        for step in point.played:
            verb, card = step.action.split()[0], int(step.action.split()[1])
            if verb == "devil":
                tallies.add(step.seat, "devil", card)
            elif verb in _PASSED:
                tallies.add(step.seat, "passed", card)
            elif verb == "play":
                tallies.add(step.seat, "trumps", card < before.price)
        price, owner = _bottle(point)
        if price < before.price and owner < seats:
            tallies.add(owner, "bought", 1, 0)
            tallies.add(owner, "price", price)
        if len(point.after.deal.past) > len(before.deal.past):
            for seat in range(seats):
                tallies.add(seat, "bought", 0)
                tallies.add(seat, "damned", seat == owner)
    return tallies.by_seat()


def _bottle(point: PastPoint) -> tuple[int, int]:
    """Return the price and the owner of the bottle after a point; at the end of a hand, those that it ended with."""
    after: BottleImpState = point.after
    if len(after.deal.past) > len(point.before.deal.past):
        hand = after.deal.past[-1]
        return hand.price, hand.owner
    return after.price, after.owner


TRAITS = Traits(
    (
        Trait(
            id="bought",
            label=mark("Bottles bought per hand"),
            more=mark("Buys the bottle often"),
            less=mark("Seldom buys the bottle"),
        ),
        Trait(
            id="price",
            label=mark("Average price at which it buys"),
            more=mark("Buys the bottle while it is dear and easy to sell"),
            less=mark("Dares to buy the bottle cheaply"),
        ),
        Trait(
            id="damned",
            label=mark("Hands in which it keeps the bottle and is damned"),
            more=mark("Is often damned"),
            less=mark("Is seldom damned"),
            is_share=True,
        ),
        Trait(
            id="trumps",
            label=mark("Cards played below the price"),
            more=mark("Plays many cards below the price"),
            less=mark("Plays few cards below the price"),
            is_share=True,
        ),
        Trait(
            id="passed",
            label=mark("Average card passed on"),
            more=mark("Passes on high cards"),
            less=mark("Passes on low cards"),
        ),
        Trait(
            id="devil",
            label=mark("Average card put into the devil's trick"),
            more=mark("Puts high cards into the devil's trick"),
            less=mark("Puts low cards into the devil's trick"),
        ),
    ),
    count,
)
