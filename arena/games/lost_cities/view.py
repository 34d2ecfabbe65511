"""What a seat sees of Lost Cities."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arena.games.lost_cities.state import NAMES, NOBODY, Cards, LostCitiesState

Pile = tuple[str, ...]


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


@lru_cache(maxsize=1 << 14)
def name_cards(cards: Cards) -> Pile:
    """Write cards as names.  Cached: from one view to the next nearly all piles are the same."""
    return tuple([NAMES[card] for card in cards])


def build(state: LostCitiesState, seat: int) -> LostCitiesView:
    """Show the position to a seat; after the end it is that of the last hand."""
    deal = state.deal
    piles = tuple([name_cards(cards) for cards in state.expeditions])
    return LostCitiesView(
        hand_number=len(deal.past) - (state.seat == NOBODY),
        hands=deal.hand_limit,
        turn=state.turn,
        starter=deal.starter,
        hand=name_cards(state.hands[seat]),
        expeditions=(piles[:5], piles[5:]),
        discards=tuple([name_cards(cards) for cards in state.discards]),
        draw_pile=len(deal.pile) - state.drawn,
        opponent_known=name_cards(state.known[1 - seat]),
        totals=deal.totals,
        just_discarded=NAMES[state.discarded] if state.discarded >= 0 else "",
    )
