"""The Bottle Imp in numbers (arena/games/encoding.py): sides from the own one on, clockwise, Lopaka last of four."""

from __future__ import annotations

from array import array
from typing import Final

from arena.games.bottle_imp.state import DECK, HIGHEST, MAX_HANDS
from arena.games.bottle_imp.view import BottleImpView, Cards
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


def encode(view: BottleImpView, seat: int, seats: int) -> array[float]:
    """Put a view into numbers."""
    cards, trick, points, totals = view.cards, view.trick, view.points, view.totals
    places = [(side - seat) % seats for side in range(seats)]
    if len(points) > seats:
        places.append(_SIDES - 1)
    points_by_place, totals_by_place = [0.0] * _SIDES, [0.0] * _SIDES
    for side, place in enumerate(places):
        points_by_place[place] = points[side] / _POINTS
        totals_by_place[place] = totals[side] / _TOTAL
    parts = [
        _CHOICE[view.choosing],
        flags(cards[0], _CARDS),  # new in nearly every view, as the trick is
        flags(cards[1], _CARDS) if len(cards) > 1 else _NO_CARDS,
        _HELD[_open_hand(view, seat)],
        _HELD[view.discarded],
        _HELD[view.passed],
        _HELD[view.received],
        flags(trick, _CARDS),
        _HELD[trick[:1]],
        flags(
            [_CARDS * places[winner] + card for _, won, winner in view.tricks for card in won],
            _SIDES * _CARDS,
        ),
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


def _open_hand(view: BottleImpView, seat: int) -> Cards:
    """Return the open hand that is not its own: Lopaka's, or in the bright house that of the other seat."""
    if not view.laid_open:
        return ()
    return view.laid_open[0] if len(view.laid_open) == 1 else view.laid_open[1 - seat]
