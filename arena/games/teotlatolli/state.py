"""State of Teotlatolli.

place         0    1    2    3    4          at 8 : 8 the place of the 16th god is gone
sides[1]    {..} {..} {..} {..} {..}
gods          4   17    9   20    1     ◀── gods of the supply, from its front
sides[0]    {..} {..} {..} {..} {..}

reserve ──▶ hands ──▶ sides, depots ──▶ discards ──▶ reserve

Source: docs/rules.md.
"""

from __future__ import annotations

from typing import Final, final

from arena.games.chance import Stream
from arena.games.teotlatolli.cards import Cards
from arena.games.values import Value, mypyc_attr

SEATS: Final = 2
NOBODY: Final = SEATS
PLACES: Final = 5
HAND: Final = 6
LAST_GOD: Final = 16
"""Number of completed gods at which the match is over, if one seat has more."""

TURN_LIMIT: Final = 300
QUIET_LIMIT: Final = 120
"""Turns in a row without a completion."""

# Decisions of a seat.
DRAW: Final = 0
ACT: Final = 1
EXTRA: Final = 2
DISCARD: Final = 3
GIVE: Final = 4

# Once-a-turn actions that a seat has spent, as bits.
SWITCHED: Final = 1
MOVED: Final = 2


@mypyc_attr(acyclic=True)
@final
class Supply(Value):
    """Facts that stay the same from one reshuffle to the next."""

    __slots__ = ("gods", "reserve", "stream")

    def __init__(self, stream: Stream, reserve: tuple[int, ...], gods: tuple[int, ...]) -> None:
        self.stream: Final = stream
        """After the last shuffle."""
        self.reserve: Final = reserve
        """Signs, 0 to 19, first to be drawn first."""
        self.gods: Final = gods
        """All gods of the match, first to come first."""


Pair = tuple[Cards, Cards]
"""By seat."""
Sides = tuple[tuple[Cards, ...], tuple[Cards, ...]]
"""By seat, then by place."""


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class TeotlatolliState(Value):
    """A whole position."""

    __slots__ = (
        "completed",
        "depots",
        "discards",
        "drawn",
        "gods",
        "hands",
        "known",
        "phase",
        "quiet",
        "seat",
        "sides",
        "spent",
        "supply",
        "turn",
    )

    def __init__(
        self,
        supply: Supply,
        drawn: int,
        turn: int,
        quiet: int,
        seat: int,
        phase: int,
        spent: int,
        hands: Pair,
        known: Pair,
        depots: Pair,
        discards: Cards,
        gods: tuple[int, ...],
        sides: Sides,
        completed: tuple[tuple[int, ...], tuple[int, ...]],
    ) -> None:
        self.supply = supply
        self.drawn = drawn
        """Number of cards drawn from the front of the reserve."""
        self.turn = turn
        """Completed turns, both seats together."""
        self.quiet = quiet
        """Completed turns in a row without a completion; −1 in a turn with one, so that the end of it makes it 0."""
        self.seat = seat
        """Seat whose turn it is; NOBODY when the match is over."""
        self.phase = phase
        """DRAW; ACT; EXTRA, the action that a cardinal sign demands; DISCARD and GIVE, the hand limit."""
        self.spent = spent
        """SWITCHED and MOVED."""
        self.hands = hands
        self.known = known
        """By seat: the signs that the other seat knows to be in its hand.  At a reshuffle that is every sign that is nowhere else."""
        self.depots = depots
        self.discards = discards
        self.gods = gods
        """In play, by place."""
        self.sides = sides
        self.completed = completed
        """By seat: its gods, in order of completion."""

    def copy(self) -> TeotlatolliState:
        """Return a copy, to be changed before it is handed on."""
        return TeotlatolliState(
            self.supply,
            self.drawn,
            self.turn,
            self.quiet,
            self.seat,
            self.phase,
            self.spent,
            self.hands,
            self.known,
            self.depots,
            self.discards,
            self.gods,
            self.sides,
            self.completed,
        )
