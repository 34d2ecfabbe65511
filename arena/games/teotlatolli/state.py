"""State of Teotlatolli.

place         0    1    2    3    4          at 8 : 8 the place of the 16th god is gone
sides[1]    {..} {..} {..} {..} {..}
gods          4   17    9   20    1     ◀── gods of the supply, from its front
sides[0]    {..} {..} {..} {..} {..}

reserve ──▶ hands ──▶ sides, depots ──▶ discards ──▶ reserve

Source: docs/rules.md.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.chance import Stream
from arena.games.teotlatolli.cards import Cards

SEATS = 2
NOBODY = SEATS
PLACES = 5
HAND = 6
LAST_GOD = 16
"""With so many gods completed the match is over, if one seat has more."""

TURN_LIMIT = 300
QUIET_LIMIT = 120
"""Turns in a row without a completion."""

# What the seat must decide.
DRAW, ACT, EXTRA, DISCARD, GIVE = range(5)

# What of its once-a-turn actions a seat has spent, as bits.
SWITCHED, MOVED = 1, 2


class Supply(NamedTuple):
    """What stays the same from one reshuffle to the next."""

    stream: Stream
    """After the last shuffle."""

    reserve: tuple[int, ...]
    """Signs, 0 to 19, first to be drawn first."""

    gods: tuple[int, ...]
    """All gods of the match, first to come first."""


Pair = tuple[Cards, Cards]
"""By seat."""
Sides = tuple[tuple[Cards, ...], tuple[Cards, ...]]
"""By seat, then by place."""

KEPT = 8
"""So many fields, the first, stay as they are when a card is put elsewhere."""


class TeotlatolliState(NamedTuple):
    """A whole position.  A named tuple: one is made per action, twice as fast as a frozen dataclass."""

    supply: Supply
    drawn: int
    """How many cards of the reserve are gone, from its front."""

    turn: int
    """Completed turns, both seats together."""

    quiet: int
    """Completed turns in a row without a completion; −1 in a turn with one, so that the end of it makes it 0."""

    seat: int
    """Whose turn it is; NOBODY when the match is over."""

    discards: Cards
    gods: tuple[int, ...]
    """In play, by place."""

    completed: tuple[tuple[int, ...], tuple[int, ...]]
    """By seat: its gods, in order of completion."""

    phase: int
    """DRAW; ACT; EXTRA, the action that a cardinal sign demands; DISCARD and GIVE, the hand limit."""

    spent: int
    """SWITCHED and MOVED."""

    hands: Pair
    known: Pair
    """By seat: what the other seat knows to be in its hand.  At a reshuffle that is every sign that lies nowhere else."""

    depots: Pair
    sides: Sides
