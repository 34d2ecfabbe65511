"""Teotlatolli in numbers (arena/games/encoding.py): sides by god and sign, as its actions name them; the own ones first."""

from __future__ import annotations

from array import array
from typing import Final

from arena.games.encoding import Row
from arena.games.teotlatolli.actions import NOTATION
from arena.games.teotlatolli.cards import BEARS, COPIES, GODS, SIGNS
from arena.games.teotlatolli.state import QUIET_LIMIT, TURN_LIMIT
from arena.games.teotlatolli.view import TeotlatolliView

ACTIONS: Final = ("draw", *NOTATION)
_SIGNS: Final = len(SIGNS)
_SIGN: Final = {name: sign for sign, name in enumerate(SIGNS)}
_BORNE: Final = 4
_PLACES: Final = {
    (god, name): _BORNE * (god - 1) + place
    for god in GODS
    for place, name in enumerate([name for name in SIGNS if BEARS[god] >> _SIGN[name] & 1])
}
"""By god and sign that it bears: where that stands in a side."""
_SIDE: Final = _BORNE * len(GODS)
PARTS: Final = {
    "hand": _SIGNS,
    "known to be in the other hand": _SIGNS,
    "discards": _SIGNS,
    "own depot": _SIGNS,
    "the other depot": _SIGNS,
    "gods in play": len(GODS),
    "own side, by god, then by sign": _SIDE,
    "the other side, by god, then by sign": _SIDE,
    "gods that it completed": len(GODS),
    "gods that the other seat completed": len(GODS),
    "turn, quiet turns, cards of the other hand, reserve, gods to come, switched, moved, extra": 8,
}
_LENGTH: Final = sum(PARTS.values())
_HAND: Final = 8
_CARDS: Final = COPIES * _SIGNS


def encode(view: TeotlatolliView, seat: int, seats: int) -> array[float]:  # noqa: ARG001 - two seats always
    """Put a view into numbers."""
    row = Row(_LENGTH)
    sign = _SIGN.__getitem__
    for cards in (view.hand, view.opponent_known, view.discards, view.depots[seat], view.depots[1 - seat]):
        row.count(map(sign, cards), _SIGNS, COPIES)
    gods = view.gods
    row.flag([god - 1 for god in gods], len(GODS))
    for side in (seat, 1 - seat):
        row.count(
            [_PLACES[god, name] for god, cards in zip(gods, view.sides[side], strict=True) for name in cards],
            _SIDE,
            COPIES,
        )
    for side in (seat, 1 - seat):
        row.flag([god - 1 for god in view.completed[side]], len(GODS))
    row.put(
        (
            view.turn / TURN_LIMIT,
            view.quiet_turns / QUIET_LIMIT,
            view.opponent_hand / _HAND,
            view.reserve / _CARDS,
            view.god_deck / len(GODS),
            float(view.switched),
            float(view.moved),
            float(view.extra),
        )
    )
    return row.numbers
