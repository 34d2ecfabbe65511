"""Views of Lost Cities, made from a position."""

from __future__ import annotations

from typing import Final

from arena.games.kept import Kept
from arena.games.lost_cities.state import NAMES, NOBODY, Cards, LostCitiesState
from arena.games.lost_cities.view import LostCitiesView, Pile

# Kept: from one view to the next nearly all piles are the same.
_NAMED: Final[Kept[Cards, Pile]] = Kept(lambda cards: tuple([NAMES[card] for card in cards]))
_PILES: Final[Kept[tuple[Cards, ...], tuple[Pile, ...]]] = Kept(
    lambda piles: tuple([_NAMED[cards] for cards in piles])
)
_make: Final = tuple.__new__


def build(state: LostCitiesState, seat: int) -> LostCitiesView:
    """Show the position to a seat; after the end it is that of the last hand."""
    deal, expeditions = state.deal, state.expeditions
    return _make(
        LostCitiesView,
        (
            len(deal.past) - (state.seat == NOBODY),
            deal.hand_limit,
            state.turn,
            deal.starter,
            _NAMED[state.hands[seat]],
            (_PILES[expeditions[0]], _PILES[expeditions[1]]),
            tuple([_NAMED[cards] for cards in state.discards]),
            len(deal.pile) - state.drawn,
            _NAMED[state.known[1 - seat]],
            deal.totals,
            NAMES[state.discarded] if state.discarded >= 0 else "",
        ),
    )
