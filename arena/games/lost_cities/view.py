"""What a seat sees of Lost Cities."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arena.games.lost_cities.state import NAMES, NOBODY, Cards, LostCitiesState

Pile = tuple[str, ...]

_make = tuple.__new__


class LostCitiesView(NamedTuple):
    """The position as one seat may know it; a named tuple, since one is made per decision.  Cards are names; colours stand in the order R, G, W, B, Y."""

    hand_number: int
    hands: int
    turn: int
    starter: int
    hand: Pile
    expeditions: tuple[tuple[Pile, ...], ...]
    """By seat, then by colour; first card played first."""

    discards: tuple[Pile, ...]
    """By colour, bottom card first."""

    draw_pile: int
    opponent_known: Pile
    totals: tuple[int, ...]
    just_discarded: str
    """May not be drawn back in this turn; empty if nothing was discarded in it."""


@lru_cache(maxsize=1 << 11)
def name_cards(cards: Cards) -> Pile:
    """Write cards as names.  Cached: from one view to the next nearly all piles are the same."""
    return tuple([NAMES[card] for card in cards])


@lru_cache(maxsize=1 << 9)
def _name_piles(piles: tuple[Cards, ...]) -> tuple[Pile, ...]:
    return tuple(map(name_cards, piles))


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
            name_cards(state.hands[seat]),
            (_name_piles(expeditions[0]), _name_piles(expeditions[1])),
            tuple(map(name_cards, state.discards)),
            len(deal.pile) - state.drawn,
            name_cards(state.known[1 - seat]),
            deal.totals,
            NAMES[state.discarded] if state.discarded >= 0 else "",
        ),
    )
