"""Cards and state of Land Unter.  Weather cards are 1 to 60, water cards their levels 1 to 12."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.chance import Stream

Cards = tuple[int, ...]

HAND = 12
TRICKS = 12
WEATHER: Cards = tuple(range(1, 61))
WATER: Cards = tuple(level for level in range(1, 13) for _ in range(2))

HALVES = (0, *[halves for halves in (0, 1, 2, 1, 0) for _ in range(12)])
"""By weather card, the halves of a lifebelt printed on it."""


def count_lifebelts(hand: Cards) -> int:
    """Count the whole lifebelts printed on a hand: each card shows 0, 1 or 2 halves."""
    return sum([HALVES[card] for card in hand]) // 2


class Trick(NamedTuple):
    """A trick that is over."""

    water: Cards
    """The two water cards, the lower first."""

    cards: Cards
    """The weather card of each seat, 0 for a seat that was out."""

    took: Cards
    """The water card each seat took, 0 for none."""

    paid: Cards
    """The seats that paid a lifebelt, in seat order."""

    went_out: Cards
    """The seats that went out, in seat order."""


class LandUnterState(NamedTuple):
    """A whole position.  A named tuple: made twice as fast as a frozen dataclass.  Tuples by seat are in seat order."""

    stream: Stream
    rounds: int
    """How many rounds the match has."""

    dealt: tuple[Cards, ...]
    """The hands as they were first dealt, ascending."""

    rest: Cards
    """The weather cards that nobody was dealt."""

    scores: tuple[tuple[int, ...], ...]
    """Per round that is over, each seat's score."""

    last_round: tuple[Trick, ...]
    """The tricks of the round before this one."""

    water: Cards
    """The water cards of this round, first to be turned first."""

    tricks: tuple[Trick, ...]
    """The tricks of this round that are over."""

    hands: tuple[Cards, ...]
    """The cards still to be played, ascending; empty for a seat that is out."""

    still_in: tuple[bool, ...]
    lifebelts: tuple[int, ...]
    levels: tuple[int, ...]
    """Each seat's water level, 0 without a water card or out."""
