"""Views of Teotlatolli, made from a position."""

from __future__ import annotations

from typing import Final

from arena.games.teotlatolli.cards import name_cards
from arena.games.teotlatolli.state import EXTRA, MOVED, SWITCHED, TeotlatolliState
from arena.games.teotlatolli.view import TeotlatolliView

_make: Final = tuple.__new__


def build(state: TeotlatolliState, seat: int) -> TeotlatolliView:
    """Show the position to a seat."""
    supply, hands, depots, sides, gods = state.supply, state.hands, state.depots, state.sides, state.gods
    first, second = state.completed
    return _make(
        TeotlatolliView,
        (
            state.turn,
            max(state.quiet, 0),
            name_cards(hands[seat]),
            hands[1 - seat].bit_count(),
            name_cards(state.known[1 - seat]),
            gods,
            (tuple([name_cards(side) for side in sides[0]]), tuple([name_cards(side) for side in sides[1]])),
            (name_cards(depots[0]), name_cards(depots[1])),
            state.completed,
            name_cards(state.discards),
            len(supply.reserve) - state.drawn,
            max(len(supply.gods) - len(gods) - len(first) - len(second), 0),
            bool(state.spent & SWITCHED),
            bool(state.spent & MOVED),
            state.phase == EXTRA,
        ),
    )
