"""Lost Cities in numbers (arena/games/encoding.py): own cards and expeditions first, then the other seat's."""

from __future__ import annotations

from array import array
from itertools import chain
from typing import Final

from arena.games.encoding import Row
from arena.games.lost_cities.state import CARDS, COLOURS, INVESTMENTS, NAMES, TURN_LIMIT
from arena.games.lost_cities.view import LostCitiesView

ACTIONS: Final = (
    *[f"play {name}" for name in NAMES],
    *[f"discard {name}" for name in NAMES],
    "draw deck",
    *[f"draw {colour}" for colour in COLOURS],
)
_CARDS: Final = len(NAMES)
PARTS: Final = {
    "hand": _CARDS,
    "known to be in the other hand": _CARDS,
    "own expeditions": _CARDS,
    "the other seat's expeditions": _CARDS,
    "discards": _CARDS,
    "tops of the discard piles": _CARDS,
    "colour just discarded": len(COLOURS),
    "totals, own first": 2,
    "draw pile, turn, hand, hands, whether it started, whether it places a card": 6,
}
_LENGTH: Final = sum(PARTS.values())
_PILE: Final = 44
_POINTS: Final = 300
_MOST_HANDS: Final = 9
_HAND_WHILE_PLACING: Final = 8


def encode(view: LostCitiesView, seat: int, seats: int) -> array[float]:  # noqa: ARG001 - two seats always
    """Put a view into numbers."""
    row = Row(_LENGTH)
    card = CARDS.__getitem__
    row.count(map(card, view.hand), _CARDS, INVESTMENTS)
    row.count(map(card, view.opponent_known), _CARDS, INVESTMENTS)
    for side in (seat, 1 - seat):
        row.count(map(card, chain.from_iterable(view.expeditions[side])), _CARDS, INVESTMENTS)
    row.count(map(card, chain.from_iterable(view.discards)), _CARDS, INVESTMENTS)
    row.flag([card(pile[-1]) for pile in view.discards if pile], _CARDS)
    row.flag([COLOURS.index(view.just_discarded[0])] if view.just_discarded else (), len(COLOURS))
    row.put(
        (
            view.totals[seat] / _POINTS,
            view.totals[1 - seat] / _POINTS,
            view.draw_pile / _PILE,
            view.turn / TURN_LIMIT,
            view.hand_number / _MOST_HANDS,
            view.hands / _MOST_HANDS,
            float(view.starter == seat),
            float(len(view.hand) == _HAND_WHILE_PLACING),
        )
    )
    return row.numbers
