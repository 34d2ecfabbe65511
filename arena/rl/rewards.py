"""Rewards of a seat in a match."""

from __future__ import annotations

from collections.abc import Sequence

ILLEGAL = -1.0
"""The reward of a seat that does what is not legal: as in the arena, it loses; the others gain nothing by it."""


def from_places(places: Sequence[int]) -> tuple[float, ...]:
    """Return each seat's pairs won less its pairs lost, as a share of its pairs: −1 to 1, in sum 0."""
    pairs = len(places) - 1
    return tuple([sum([(mine < other) - (mine > other) for other in places]) / pairs for mine in places])
