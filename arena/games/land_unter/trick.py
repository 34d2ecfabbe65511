"""A trick of Land Unter that is over, as states hold it and seats see it."""

from __future__ import annotations

from typing import NamedTuple


class Trick(NamedTuple):
    """A trick that is over."""

    water: tuple[int, ...]
    """The two water cards, the lower first."""

    cards: tuple[int, ...]
    """The weather card of each seat, 0 for a seat that was out."""

    took: tuple[int, ...]
    """The water card each seat took, 0 for none."""

    paid: tuple[int, ...]
    """The seats that paid a lifebelt, in seat order."""

    went_out: tuple[int, ...]
    """The seats that went out, in seat order."""
