"""Land Unter in numbers (arena/games/encoding.py): seats from the own one on, clockwise, with room for five."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

from arena.games.encoding import Row
from arena.games.land_unter.state import TRICKS, WEATHER
from arena.games.land_unter.view import LandUnterView, Trick

ACTIONS: Final = tuple(f"play {card}" for card in WEATHER)
_CARDS: Final = len(WEATHER)
_LEVELS: Final = 12
_SEATS: Final = 5
_SEAT: Final = 5
_LIFEBELTS: Final = 12
_POINTS: Final = 30
PARTS: Final = {
    "hand": _CARDS,
    "lower water card": _LEVELS,
    "higher water card": _LEVELS,
    "by seat: takes part, is still in, lifebelts, water level, total": _SEATS * _SEAT,
    "by seat: cards played in this round": _SEATS * _CARDS,
    "by seat: cards played in the round before": _SEATS * _CARDS,
    "water cards of this round that are over": _LEVELS,
    "round, rounds, trick": 3,
}
_LENGTH: Final = sum(PARTS.values())


def encode(view: LandUnterView, seat: int, seats: int) -> array[float]:
    """Put a view into numbers."""
    row = Row(_LENGTH)
    row.flag([card - 1 for card in view.hand], _CARDS)
    row.flag([level - 1 for level in view.water[:1]], _LEVELS)
    row.flag([level - 1 for level in view.water[1:]], _LEVELS)
    order = [*range(seat, seats), *range(seat)]
    after = row.at + _SEATS * _SEAT
    for other in order:
        still_in, lifebelts, level, total = view.seats[other]
        row.put((1.0, float(still_in), lifebelts / _LIFEBELTS, level / _LEVELS, total / _POINTS))
    row.at = after
    for tricks in (view.tricks, view.last_round):
        row.flag(_played(tricks, order), _SEATS * _CARDS)
    row.count([level - 1 for trick in view.tricks for level in trick.water], _LEVELS, 2)
    row.put((view.round / _SEATS, view.rounds / _SEATS, view.trick / TRICKS))
    return row.numbers


def _played(tricks: Sequence[Trick], order: Sequence[int]) -> list[int]:
    """List which places, by seat and card, stand for cards that were played."""
    places = []
    for trick in tricks:
        cards = trick.cards
        for number, seat in enumerate(order):
            card = cards[seat]
            if card:
                places.append(_CARDS * number + card - 1)
    return places
