"""Lost Cities in numbers (arena/games/encoding.py): own cards and expeditions first, then the other seat's."""

from __future__ import annotations

from array import array
from typing import Final

from arena.games.encoding import counts, flags, join, numbers, zeros
from arena.games.kept import Kept
from arena.games.lost_cities.state import CARDS, COLOURS, INVESTMENTS, KINDS, NAMES, TURN_LIMIT
from arena.games.lost_cities.view import LostCitiesView, Pile

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
_PILE: Final = 44
_POINTS: Final = 300
_MOST_HANDS: Final = 9
_HAND_WHILE_PLACING: Final = 8

_HELD: Final[Kept[Pile, bytes]] = Kept(
    lambda pile: counts([CARDS[name] for name in pile], _CARDS, INVESTMENTS)
)
_OF_ONE_COLOUR: Final[Kept[Pile, bytes]] = Kept(
    lambda pile: counts([CARDS[name] % KINDS for name in pile], KINDS, INVESTMENTS)
)
_TOP: Final = {name: flags([card % KINDS], KINDS) for name, card in CARDS.items()}
_NO_TOP: Final = zeros(KINDS)
_COLOUR: Final[Kept[str, bytes]] = Kept(
    lambda name: flags([COLOURS.index(colour) for colour in name[:1]], len(COLOURS))
)


def encode(view: LostCitiesView, seat: int, seats: int) -> array[float]:  # noqa: ARG001 - two seats always
    """Put a view into numbers."""
    hand, totals, discards = view.hand, view.totals, view.discards
    parts = [_HELD[hand], _HELD[view.opponent_known]]
    for piles in (view.expeditions[seat], view.expeditions[1 - seat], discards):
        parts += [_OF_ONE_COLOUR[pile] for pile in piles]
    parts += [_TOP[pile[-1]] if pile else _NO_TOP for pile in discards]
    parts.append(_COLOUR[view.just_discarded])
    parts.append(
        numbers(
            (
                totals[seat] / _POINTS,
                totals[1 - seat] / _POINTS,
                view.draw_pile / _PILE,
                view.turn / TURN_LIMIT,
                view.hand_number / _MOST_HANDS,
                view.hands / _MOST_HANDS,
                float(view.starter == seat),
                float(len(hand) == _HAND_WHILE_PLACING),
            )
        )
    )
    return join(parts)
