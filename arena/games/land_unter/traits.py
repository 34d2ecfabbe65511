"""Traits of a bot's play of Land Unter: when it plays its high cards, and how it fares with the water."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.core.translatable import mark
from arena.games.land_unter.state import HAND, LandUnterState, count_lifebelts
from arena.games.traits import PastPoint, Tallies, Tally, Trait, Traits

_EARLY = 4
"""Tricks that count as the beginning of a round."""


def count(seats: int, points: Sequence[PastPoint]) -> Sequence[Mapping[str, Tally]]:
    """Count the traits of each seat in a match."""
    tallies = Tallies(seats)
    for point in points:
        before: LandUnterState = point.before
        after: LandUnterState = point.after
        trick = (after.tricks or after.last_round)[-1]
        highest = max(trick.cards)
        for step in point.played:
            seat, card, hand = step.seat, trick.cards[step.seat], before.hands[step.seat]
            if len(before.tricks) < _EARLY:
                tallies.add(seat, "early", hand.index(card) / (len(hand) - 1))
            tallies.add(seat, "highest", card == highest)
            tallies.add(seat, "water", trick.took[seat] > 0)
            if trick.took[seat]:
                tallies.add(seat, "level", trick.took[seat])
            tallies.add(seat, "paid", seat in trick.paid, 0)
            if len(hand) == HAND:
                tallies.add(seat, "paid", 0, count_lifebelts(hand))
        if len(after.scores) > len(before.scores):
            for seat, score in enumerate(after.scores[-1]):
                tallies.add(seat, "out", score < 0)
    return tallies.by_seat()


TRAITS = Traits(
    (
        Trait(
            id="early",
            label=mark(
                "How high its first four cards of a round are: 0 % the lowest in hand, 100 % the highest"
            ),
            more=mark("Plays its high cards early"),
            less=mark("Saves its high cards for the end"),
            is_share=True,
        ),
        Trait(
            id="highest",
            label=mark("Tricks in which it plays the highest card"),
            more=mark("Often plays the highest card"),
            less=mark("Seldom plays the highest card"),
            is_share=True,
        ),
        Trait(
            id="water",
            label=mark("Tricks in which it takes water"),
            more=mark("Takes a lot of water"),
            less=mark("Keeps away from the water"),
            is_share=True,
        ),
        Trait(
            id="level",
            label=mark("Average level of the water it takes"),
            more=mark("Takes deep water"),
            less=mark("Takes shallow water"),
        ),
        Trait(
            id="paid",
            label=mark("Lifebelts lost, of those it was dealt"),
            more=mark("Loses many lifebelts"),
            less=mark("Keeps its lifebelts"),
            is_share=True,
        ),
        Trait(
            id="out",
            label=mark("Rounds in which it goes out"),
            more=mark("Often goes out"),
            less=mark("Seldom goes out"),
            is_share=True,
        ),
    ),
    count,
)
