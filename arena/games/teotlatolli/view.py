"""A seat's view of Teotlatolli."""

from __future__ import annotations

from typing import NamedTuple

Pile = tuple[str, ...]


class TeotlatolliView(NamedTuple):
    """The position as one seat may know it; a named tuple, since one is made per decision.  Signs are names, gods numbers; sets of signs are in the order of the deck."""

    turn: int
    quiet_turns: int
    hand: Pile
    opponent_hand: int
    opponent_known: Pile
    """Signs that must be in the other hand: those held when the discards were last shuffled, and not put down since."""

    gods: tuple[int, ...]
    sides: tuple[tuple[Pile, ...], ...]
    """By seat, then in the order of `gods`."""

    depots: tuple[Pile, ...]
    completed: tuple[tuple[int, ...], ...]
    """By seat, in order of completion."""

    discards: Pile
    reserve: int
    god_deck: int
    switched: bool
    """Whether the seat whose turn it is has spent the one switch of its turn."""

    moved: bool
    extra: bool
    """Whether the next action must be the switch or move that a cardinal sign demands."""
