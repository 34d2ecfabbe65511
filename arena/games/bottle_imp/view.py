"""A seat's view of The Bottle Imp."""

from __future__ import annotations

from typing import NamedTuple

Cards = tuple[int, ...]


class Trick(NamedTuple):
    """A trick that is over."""

    leader: int
    """The side that led it."""

    cards: Cards
    """In the order of play."""

    winner: int
    """The side that won it."""


class Hand(NamedTuple):
    """A hand that is over."""

    scores: Cards
    """By side."""

    owner: int
    """The side that kept the bottle."""

    price: int
    devil: Cards
    """The devil's trick, in the order in which the cards got there."""


class BottleImpView(NamedTuple):
    """The position as one seat may know it; a named tuple, since one is made per decision.

    A side is a seat, or 2 for Lopaka; tuples by side are in that order.
    """

    hand_number: int
    hands: int
    target: int
    dealer: int
    choosing: str
    """Kind of the current choice: devil, left, right, pass, open or play; empty when the match is over."""

    cards: tuple[Cards, ...]
    """Its hand, ascending; bright_house: the first and the second, once opened the open and the hidden one."""

    laid_open: tuple[Cards, ...]
    """lopaka: Lopaka's hand; bright_house: the open hands of seat 0 and seat 1; empty before they are open."""

    discarded: Cards
    """Cards that the seat put into the devil's trick."""

    passed: Cards
    """Cards that the seat passed: to the left, to the right; bright_house: from the first hand, from the second."""

    received: Cards
    """Cards that the seat received: from the left, from the right; bright_house: into the first hand, into the second."""

    price: int
    owner: int
    """Side that has the bottle, −1 for none."""

    leader: int
    trick: Cards
    """In the order of play."""

    tricks: tuple[Trick, ...]
    """The tricks of this hand that are over, first one first."""

    points: Cards
    """By side, won in this hand so far."""

    totals: Cards
    """By side, over the hands that are over."""

    last_hand: Hand | None
    """Result of the last finished hand."""
