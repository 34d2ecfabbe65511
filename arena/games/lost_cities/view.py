"""A seat's view of Lost Cities."""

from __future__ import annotations

from typing import NamedTuple

Pile = tuple[str, ...]


class LostCitiesView(NamedTuple):
    """The position as one seat may know it; a named tuple, since one is made per decision.  Cards are names; colours are in the order R, G, W, B, Y."""

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
