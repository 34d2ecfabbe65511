"""A seat's view of Land Unter."""

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


class LandUnterSeat(NamedTuple):
    """A seat in this round."""

    still_in: bool
    lifebelts: int
    level: int
    """Its water level: the card on top, 0 without a card."""

    total: int
    """Its total over the rounds that are over."""


class LandUnterView(NamedTuple):
    """The position as one seat may know it; a named tuple, since one is made per decision.  Tuples by seat are in seat order."""

    round: int
    rounds: int
    trick: int
    hand: tuple[int, ...]
    """Ascending."""

    water: tuple[int, ...]
    """The two water cards turned up, the lower first; empty when the match is over."""

    seats: tuple[LandUnterSeat, ...]
    tricks: tuple[Trick, ...]
    """The tricks of this round that are over, first one first."""

    scores: tuple[tuple[int, ...], ...]
    """Per round that is over, each seat's score."""

    last_round: tuple[Trick, ...]
    """The tricks of the round before this one: a seat that went out in it was not asked again before its end."""
