"""How a bot plays Matching Pennies: which side it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.core.translatable import mark
from arena.games.traits import PastPoint, Tallies, Tally, Trait, Traits


def count(seats: int, points: Sequence[PastPoint]) -> Sequence[Mapping[str, Tally]]:
    """Count the heads of each seat in a match."""
    tallies = Tallies(seats)
    for point in points:
        for step in point.played:
            tallies.add(step.seat, "heads", step.action == "show heads")
    return tallies.by_seat()


TRAITS = Traits(
    (
        Trait(
            id="heads",
            label=mark("Rounds in which it shows heads"),
            more=mark("Loves heads"),
            less=mark("Loves tails"),
            is_share=True,
        ),
    ),
    count,
)
