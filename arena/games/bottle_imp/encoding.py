"""The Bottle Imp in numbers (arena/games/encoding.py): sides from the own one on, clockwise, Lopaka last of four."""

from __future__ import annotations

from array import array
from typing import Final

from arena.games.bottle_imp.state import DECK, HIGHEST, MAX_HANDS
from arena.games.bottle_imp.view import BottleImpView, Cards
from arena.games.encoding import Row

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
_LENGTH: Final = sum(PARTS.values())
_POINTS: Final = 60
_TOTAL: Final = 400
_TARGET: Final = 1000


def encode(view: BottleImpView, seat: int, seats: int) -> array[float]:
    """Put a view into numbers."""
    row = Row(_LENGTH)
    places = [(side - seat) % seats for side in range(seats)]
    if len(view.points) > seats:
        places.append(_SIDES - 1)
    row.flag([_CHOICES.index(view.choosing)] if view.choosing else (), len(_CHOICES))
    row.flag(view.cards[0], _CARDS)
    row.flag(view.cards[1] if len(view.cards) > 1 else (), _CARDS)
    row.flag(_open_hand(view, seat), _CARDS)
    for cards in (view.discarded, view.passed, view.received, view.trick, view.trick[:1]):
        row.flag(cards, _CARDS)
    row.flag(
        [_CARDS * places[winner] + card for _, cards, winner in view.tricks for card in cards],
        _SIDES * _CARDS,
    )
    row.flag([places[view.owner]] if view.owner >= 0 else (), _SIDES)
    row.flag([places[view.leader]] if view.choosing == "play" else (), _SIDES)
    row.flag([places[view.dealer]], _SIDES)
    for values, most in ((view.points, _POINTS), (view.totals, _TOTAL)):
        by_place = [0.0] * _SIDES
        for side, value in enumerate(values):
            by_place[places[side]] = value / most
        row.put(by_place)
    row.put(
        (view.price / HIGHEST, view.hand_number / MAX_HANDS, view.hands / MAX_HANDS, view.target / _TARGET)
    )
    return row.numbers


def _open_hand(view: BottleImpView, seat: int) -> Cards:
    """Return the open hand that is not its own: Lopaka's, or in the bright house that of the other seat."""
    if not view.laid_open:
        return ()
    return view.laid_open[0] if len(view.laid_open) == 1 else view.laid_open[1 - seat]
