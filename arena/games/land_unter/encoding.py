"""Land Unter in numbers (arena/games/encoding.py): seats from the own one on, clockwise, with room for five."""

from __future__ import annotations

from array import array
from typing import Final

from arena.games.encoding import counts, flags, join, numbers, zeros
from arena.games.kept import Kept
from arena.games.land_unter.state import TRICKS, WEATHER
from arena.games.land_unter.view import LandUnterSeat, LandUnterView, Trick

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
_NO_SEAT: Final = zeros(_SEAT)

_LEVEL: Final[Kept[tuple[int, ...], bytes]] = Kept(
    lambda levels: flags([level - 1 for level in levels], _LEVELS)
)
_STANDING: Final[Kept[LandUnterSeat, bytes]] = Kept(
    lambda seat: numbers(
        (
            1.0,
            float(seat.still_in),
            seat.lifebelts / _LIFEBELTS,
            seat.level / _LEVELS,
            seat.total / _POINTS,
        )
    )
)
_PLAYED: Final[Kept[tuple[tuple[Trick, ...], int, int], bytes]] = Kept(lambda key: _flag_played(*key))
_WATER: Final[Kept[tuple[Trick, ...], bytes]] = Kept(
    lambda tricks: counts([level - 1 for trick in tricks for level in trick.water], _LEVELS, 2)
)


def encode(view: LandUnterView, seat: int, seats: int) -> array[float]:
    """Put a view into numbers."""
    order = [*range(seat, seats), *range(seat)]
    parts = [flags([card - 1 for card in view.hand], _CARDS), _LEVEL[view.water[:1]], _LEVEL[view.water[1:]]]
    parts += [_STANDING[view.seats[other]] for other in order]
    parts += [_NO_SEAT] * (_SEATS - seats)
    parts += [
        _flag_played(view.tricks, seat, seats),
        _PLAYED[view.last_round, seat, seats],
        _WATER[view.tricks],
        numbers((view.round / _SEATS, view.rounds / _SEATS, view.trick / TRICKS)),
    ]
    return join(parts)


def _flag_played(tricks: tuple[Trick, ...], seat: int, seats: int) -> bytes:
    """Flag the cards that were played, by seat, from one seat on."""
    return flags(
        [
            (at - seat) % seats * _CARDS + card - 1
            for trick in tricks
            for at, card in enumerate(trick.cards)
            if card
        ],
        _SEATS * _CARDS,
    )
