"""Teotlatolli in numbers (arena/games/encoding.py): sides by god and sign, as its actions name them; the own ones first."""

from __future__ import annotations

from array import array
from typing import Final

from arena.games.encoding import counts, flags, join, numbers, zeros
from arena.games.kept import Kept
from arena.games.teotlatolli.actions import NOTATION
from arena.games.teotlatolli.cards import BEARS, COPIES, GODS, SIGNS
from arena.games.teotlatolli.state import QUIET_LIMIT, TURN_LIMIT
from arena.games.teotlatolli.view import TeotlatolliView

ACTIONS: Final = ("draw", *NOTATION)
_SIGNS: Final = len(SIGNS)
_SIGN: Final = {name: sign for sign, name in enumerate(SIGNS)}
_BORNE: Final = 4
_PLACES: Final = {
    (god, name): place
    for god in GODS
    for place, name in enumerate([name for name in SIGNS if BEARS[god] >> _SIGN[name] & 1])
}
"""Position of a sign among those of its god, by god and sign."""
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
_HAND: Final = 8
_CARDS: Final = COPIES * _SIGNS
_NO_SIGNS: Final = zeros(_BORNE)

_HELD: Final[Kept[tuple[str, ...], bytes]] = Kept(
    lambda cards: counts([_SIGN[name] for name in cards], _SIGNS, COPIES)
)
_GODS: Final[Kept[tuple[int, ...], bytes]] = Kept(lambda gods: flags([god - 1 for god in gods], len(GODS)))
_AT_GOD: Final[Kept[tuple[int, tuple[str, ...]], bytes]] = Kept(
    lambda placed: counts([_PLACES[placed[0], name] for name in placed[1]], _BORNE, COPIES)
)


def encode(view: TeotlatolliView, seat: int, seats: int) -> array[float]:  # noqa: ARG001 - two seats always
    """Put a view into numbers."""
    gods, depots, completed = view.gods, view.depots, view.completed
    parts = [
        _HELD[cards]
        for cards in (view.hand, view.opponent_known, view.discards, depots[seat], depots[1 - seat])
    ]
    parts.append(_GODS[gods])
    for side in (view.sides[seat], view.sides[1 - seat]):
        by_god = [_NO_SIGNS] * len(GODS)
        for at, cards in enumerate(side):
            if cards:
                by_god[gods[at] - 1] = _AT_GOD[gods[at], cards]
        parts += by_god
    parts.append(_GODS[completed[seat]])
    parts.append(_GODS[completed[1 - seat]])
    parts.append(
        numbers(
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
    )
    return join(parts)
