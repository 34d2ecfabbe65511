"""Boats, pawns and state of Lifeboats.

A boat is a number, the seat whose boat it is; the black one comes last.  The pawns of a seat in one place are one
number, its officers times 8 plus its sailors:

    code      0   1   2 …  5    8      9        16       21
    pawns     –   s   ss …      o      o s      o o      o o sssss

Sets of boats, seats or columns are numbers with bit b for member b.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from arena.games.kernel import Decision

Numbers = tuple[int, ...]

COLOURS = "WOYRGP"
BLACK = "K"
PLACES = 6
COLUMNS = 7
LANDED = 3
"""The row in which a boat lands."""

HATS = 3
SAILOR = 1
OFFICER = 8
PAWNS = "so"
ISLANDS = 3
NOBODY = -1

ISLAND = (0, 0, 0, 1, 1, 2, 2, 2)
"""By column, of which there is no 0: the island it leads to, left, middle, right."""

_OFFICERS = 2
_SAILORS = {3: 5, 4: 5, 5: 4, 6: 4}


def crew_of(seats: int) -> int:
    """Return the pawns that each seat has, with that many seats."""
    return _OFFICERS * OFFICER + _SAILORS[seats] * SAILOR


def sailors(pawns: int) -> int:
    """Count the sailors in a code."""
    return pawns % OFFICER


def officers(pawns: int) -> int:
    """Count the officers in a code."""
    return pawns // OFFICER


class Stage(Enum):
    """What is being chosen."""

    LAUNCH = "launch"
    BOARD = "board"
    TALK = "talk"
    STICK = "stick"
    VOTE = "vote"
    CHOOSE = "choose"
    LEAVE = "leave"
    ENTER = "enter"
    OVER = "over"


LEAK = "leak"
MOVE = "move"
OVERBOARD = "overboard"


class Match(NamedTuple):
    """What stays the same for a whole match."""

    seats: int
    talk: int
    """Rounds of talk before a vote, at most."""

    stick: bool
    """Whether the start player may end the talk."""

    talkers: Numbers
    """The seats that talk, ascending."""


class Leaver(NamedTuple):
    """A pawn that is out of its boat."""

    seat: int
    pawn: int
    """SAILOR or OFFICER."""

    boat: int
    """The boat it left."""


class LifeboatsState(NamedTuple):
    """A whole position.  A named tuple: made twice as fast as a frozen dataclass."""

    match: Match
    stage: Stage
    to_act: tuple[Decision, ...]
    round: int
    """From 0."""

    start: int
    """The start player."""

    columns: Numbers
    """By boat: 1 to 7, 0 before it is launched."""

    rows: Numbers
    """By boat: 0 to 2 at sea, 3 landed; a boat that sank keeps its row."""

    leaks: Numbers
    room: Numbers
    """By boat: its free places."""

    crews: tuple[Numbers, ...]
    """By boat, then by seat: the pawns aboard."""

    at_sea: int
    """The boats at sea, a set."""

    hats: Numbers
    """By seat: the captain's hats left."""

    ashore: tuple[Numbers, ...]
    """By seat, then by island: the pawns that are safe."""

    berths: Numbers
    """The boats that landed, the first one first."""

    waiting: Numbers
    """By seat: the pawns that are not seated yet."""

    vote: str
    """The vote at hand: LEAK, MOVE, OVERBOARD, or empty for none."""

    boat: int
    """The boat that somebody must leave by an overboard vote, else NOBODY."""

    options: int
    """What may be voted for or chosen, a set of boats or colours."""

    talked: int
    """In the stages TALK and STICK: the rounds of talk before this vote that are over."""

    ballots: tuple[str, ...]
    """By seat, while somebody chooses after a vote: the letter voted for, `hat`, or empty for no voter."""

    left: tuple[Leaver, ...]
    """The pawns out of their boats, the first that left first."""


def put(numbers: Numbers, at: int, number: int) -> Numbers:
    """Replace one of some numbers."""
    return (*numbers[:at], number, *numbers[at + 1 :])
