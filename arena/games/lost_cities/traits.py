"""Traits of a bot's play of Lost Cities: what it starts, risks, discards and picks up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.core.translatable import mark
from arena.games.lost_cities.rules import score_expedition
from arena.games.lost_cities.state import KINDS, LostCitiesState
from arena.games.traits import PastPoint, Tallies, Tally, Trait, Traits

_MANY = 8
"""Cards of an expedition that bring the bonus."""


def count(seats: int, points: Sequence[PastPoint]) -> Sequence[Mapping[str, Tally]]:
    """Count the traits of each seat in a match."""
    tallies = Tallies(seats)
    for point in points:
        before: LostCitiesState = point.before
        after: LostCitiesState = point.after
        for step in point.played:
            verb, what = step.action.split()
            if verb == "draw":
                tallies.add(step.seat, "pick_ups", what != "deck")
            else:
                tallies.add(step.seat, "discards", verb == "discard")
        if len(after.deal.past) > len(before.deal.past):
            for seat, piles in enumerate(before.expeditions):
                _count_hand(tallies, seat, piles)
    return tallies.by_seat()


def _count_hand(tallies: Tallies, seat: int, piles: Sequence[tuple[int, ...]]) -> None:
    started = [pile for pile in piles if pile]
    investments = sum(card % KINDS == 0 for pile in started for card in pile)
    tallies.add(seat, "expeditions", len(started))
    tallies.add(seat, "investments", investments)
    tallies.add(seat, "worth", sum(map(score_expedition, started)), len(started))
    tallies.add(seat, "losses", sum(score_expedition(pile) < 0 for pile in started), len(started))
    tallies.add(seat, "bonuses", sum(len(pile) >= _MANY for pile in started), len(started))


TRAITS = Traits(
    (
        Trait(
            id="expeditions",
            label=mark("Expeditions started per hand"),
            more=mark("Starts many expeditions"),
            less=mark("Starts few expeditions"),
        ),
        Trait(
            id="investments",
            label=mark("Investments played per hand"),
            more=mark("Invests a lot"),
            less=mark("Invests little"),
        ),
        Trait(
            id="worth",
            label=mark("Points per expedition"),
            more=mark("Gets a lot out of each expedition"),
            less=mark("Gets little out of each expedition"),
        ),
        Trait(
            id="losses",
            label=mark("Expeditions that lose points"),
            more=mark("Loses points with many expeditions"),
            less=mark("Seldom loses points with an expedition"),
            is_share=True,
        ),
        Trait(
            id="bonuses",
            label=mark("Expeditions of eight cards or more"),
            more=mark("Often earns the bonus for eight cards"),
            less=mark("Seldom earns the bonus for eight cards"),
            is_share=True,
        ),
        Trait(
            id="discards",
            label=mark("Turns with a discard"),
            more=mark("Discards often"),
            less=mark("Discards seldom"),
            is_share=True,
        ),
        Trait(
            id="pick_ups",
            label=mark("Cards drawn from the discard piles"),
            more=mark("Often picks up discarded cards"),
            less=mark("Leaves the discard piles alone"),
            is_share=True,
        ),
    ),
    count,
)
