"""What is over in The Bottle Imp, tricks and hands, as states hold it and seats see it."""

from __future__ import annotations

from typing import NamedTuple


class Trick(NamedTuple):
    """A trick that is over."""

    leader: int
    """The side that led it."""

    cards: tuple[int, ...]
    """In the order of play."""

    winner: int
    """The side that won it."""


class Hand(NamedTuple):
    """A hand that is over."""

    scores: tuple[int, ...]
    """By side."""

    owner: int
    """The side that kept the bottle."""

    price: int
    devil: tuple[int, ...]
    """The devil's trick, in the order in which the cards got there."""
