"""What a seat sees of Teotlatolli."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.teotlatolli.cards import name_cards
from arena.games.teotlatolli.state import EXTRA, MOVED, SWITCHED, TeotlatolliState

Pile = tuple[str, ...]


class TeotlatolliView(NamedTuple):
    """The position as one seat may know it; a named tuple, since one is made per decision.  Signs are names, gods numbers; sets of signs stand in the order of the deck."""

    turn: int
    quiet_turns: int
    hand: Pile
    opponent_hand: int
    opponent_known: Pile
    """What must be in the other hand: what it held when the discards were last shuffled, and has not put down since."""

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


def build(state: TeotlatolliState, seat: int) -> TeotlatolliView:
    """Show the position to a seat."""
    supply, hands, depots, sides, gods = state.supply, state.hands, state.depots, state.sides, state.gods
    first, second = state.completed
    # One after the other as the fields stand: by name costs a third more.
    return TeotlatolliView(
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
    )
