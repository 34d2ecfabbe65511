"""The Bottle Imp in numbers (arena/games/encoding.py): sides from the own one on, clockwise, Lopaka last of four."""

from __future__ import annotations

from array import array
from typing import Final

from arena.games.bottle_imp.state import DECK, HIGHEST, MAX_HANDS
from arena.games.bottle_imp.view import BottleImpView, Cards, Trick
from arena.games.encoding import flags, join, numbers, zeros
from arena.games.kept import Kept

_PASSES: Final = ("devil", "left", "right", "pass")
ACTIONS: Final = (
    *[f"play {card}" for card in DECK],
    *[f"{verb} {card}" for verb in _PASSES for card in DECK],
    "open 1",
    "open 2",
)
_CARDS: Final = HIGHEST + 1
_CHOICES: Final = (*_PASSES, "open", "play")
_SIDES: Final = 4
PARTS: Final = {
    "what is chosen: devil, left, right, pass, open, play": len(_CHOICES),
    "hand": _CARDS,
    "second hand": _CARDS,
    "another side's open hand": _CARDS,
    "put into the devil's trick": _CARDS,
    "passed": _CARDS,
    "received": _CARDS,
    "the trick": _CARDS,
    "card that was led": _CARDS,
    "by side: cards won in this hand": _SIDES * _CARDS,
    "by side: has the bottle": _SIDES,
    "by side: leads the trick": _SIDES,
    "by side: deals": _SIDES,
    "by side: points of this hand": _SIDES,
    "by side: total": _SIDES,
    "price, hand, hands, target": 4,
}
_POINTS: Final = 60
_TOTAL: Final = 400
_TARGET: Final = 1000
_NO_CARDS: Final = zeros(_CARDS)

_CHOICE: Final = {"": zeros(len(_CHOICES))} | {
    name: flags([at], len(_CHOICES)) for at, name in enumerate(_CHOICES)
}
_SIDE: Final = tuple(flags([place] if place >= 0 else [], _SIDES) for place in (*range(_SIDES), -1))
"""By place; the last one for none."""
_HELD: Final[Kept[Cards, bytes]] = Kept(lambda cards: flags(cards, _CARDS))
_WON: Final[Kept[tuple[Trick, ...], tuple[bytes, ...]]] = Kept(
    lambda tricks: tuple([_flag_won(tricks, side) for side in range(_SIDES)])
)
"""By side, the cards that it won."""


def encode(view: BottleImpView, seat: int, seats: int) -> array[float]:
    """Put a view into numbers."""
    cards, trick, points, totals = view.cards, view.trick, view.points, view.totals
    places = [(side - seat) % seats for side in range(seats)]
    if len(points) > seats:
        places.append(_SIDES - 1)
    won = _WON[view.tricks]
    won_by_place, points_by_place, totals_by_place = [_NO_CARDS] * _SIDES, [0.0] * _SIDES, [0.0] * _SIDES
    for side, place in enumerate(places):
        won_by_place[place] = won[side]
        points_by_place[place] = points[side] / _POINTS
        totals_by_place[place] = totals[side] / _TOTAL
    parts = [
        _CHOICE[view.choosing],
        _HELD[cards[0]],
        _HELD[cards[1]] if len(cards) > 1 else _NO_CARDS,
        _HELD[_open_hand(view, seat)],
        _HELD[view.discarded],
        _HELD[view.passed],
        _HELD[view.received],
        _HELD[trick],
        _HELD[trick[:1]],
        *won_by_place,
        _SIDE[places[view.owner] if view.owner >= 0 else -1],
        _SIDE[places[view.leader] if view.choosing == "play" else -1],
        _SIDE[places[view.dealer]],
        numbers(
            (
                *points_by_place,
                *totals_by_place,
                view.price / HIGHEST,
                view.hand_number / MAX_HANDS,
                view.hands / MAX_HANDS,
                view.target / _TARGET,
            )
        ),
    ]
    return join(parts)


def _flag_won(tricks: tuple[Trick, ...], side: int) -> bytes:
    return flags([card for _, cards, winner in tricks if winner == side for card in cards], _CARDS)


def _open_hand(view: BottleImpView, seat: int) -> Cards:
    """Return the open hand that is not its own: Lopaka's, or in the bright house that of the other seat."""
    if not view.laid_open:
        return ()
    return view.laid_open[0] if len(view.laid_open) == 1 else view.laid_open[1 - seat]
