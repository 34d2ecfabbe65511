"""Boats, pawns and state of Lifeboats.

A boat is a number, the seat whose boat it is; the black one comes last.  The pawns of a seat in one place are one
number, its officers times 8 plus its sailors:

    code      0   1   2 …  5    8      9        16       21
    pawns     –   s   ss …      o      o s      o o      o o sssss

Sets of boats, seats or columns are numbers with bit b for member b.
"""

from __future__ import annotations

from typing import Final, final

from arena.games.kernel import Decision
from arena.games.tuples import put
from arena.games.values import Value, mypyc_attr

Numbers = tuple[int, ...]

COLOURS: Final = "WOYRGP"
BLACK: Final = "K"
PLACES: Final = 6
COLUMNS: Final = 7
LANDED: Final = 3
"""The row in which a boat lands."""

HATS: Final = 3
SAILOR: Final = 1
OFFICER: Final = 8
PAWNS: Final = "so"
ISLANDS: Final = 3
NOBODY: Final = -1

ISLAND: Final = (0, 0, 0, 1, 1, 2, 2, 2)
"""By column, of which there is no 0: the island it leads to, left, middle, right."""

_OFFICERS: Final = 2
_SAILORS: Final = {3: 5, 4: 5, 5: 4, 6: 4}


def crew_of(seats: int) -> int:
    """Return the pawns that each seat has, with that many seats."""
    return _OFFICERS * OFFICER + _SAILORS[seats] * SAILOR


def sailors(pawns: int) -> int:
    """Count the sailors in a code."""
    return pawns % OFFICER


def officers(pawns: int) -> int:
    """Count the officers in a code."""
    return pawns // OFFICER


def has(pawns: int, pawn: int) -> bool:
    """Return whether a code contains the given pawn, a SAILOR or an OFFICER."""
    return pawns >= OFFICER if pawn == OFFICER else pawns % OFFICER > 0


@final
class Stage:
    """Kind of the current choice, as views say it."""

    LAUNCH: Final = "launch"
    BOARD: Final = "board"
    TALK: Final = "talk"
    STICK: Final = "stick"
    VOTE: Final = "vote"
    CHOOSE: Final = "choose"
    LEAVE: Final = "leave"
    ENTER: Final = "enter"
    OVER: Final = "over"


LEAK: Final = "leak"
MOVE: Final = "move"
OVERBOARD: Final = "overboard"


@mypyc_attr(acyclic=True)
@final
class Match(Value):
    """Facts that stay the same for a whole match."""

    __slots__ = ("seats", "stick", "talk", "talkers")

    def __init__(
        self,
        seats: int,
        talk: int,
        stick: bool,  # noqa: FBT001 - one of them
        talkers: Numbers,
    ) -> None:
        self.seats: Final = seats
        self.talk: Final = talk
        """Rounds of talk before a vote, at most."""
        self.stick: Final = stick
        """Whether the start player may end the talk."""
        self.talkers: Final = talkers
        """The seats that talk, ascending."""


@mypyc_attr(acyclic=True)
@final
class Leaver(Value):
    """A pawn that is out of its boat."""

    __slots__ = ("boat", "pawn", "seat")

    def __init__(self, seat: int, pawn: int, boat: int) -> None:
        self.seat: Final = seat
        self.pawn: Final = pawn
        """SAILOR or OFFICER."""
        self.boat: Final = boat
        """The boat it left."""


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class LifeboatsState(Value):
    """A whole position."""

    __slots__ = (
        "ashore",
        "at_sea",
        "ballots",
        "berths",
        "boat",
        "columns",
        "crews",
        "hats",
        "leaks",
        "left",
        "match",
        "options",
        "room",
        "round",
        "rows",
        "stage",
        "start",
        "talked",
        "to_act",
        "vote",
        "waiting",
    )

    def __init__(
        self,
        match: Match,
        stage: str,
        to_act: tuple[Decision, ...],
        round: int,  # noqa: A002 - its name in views
        start: int,
        columns: Numbers,
        rows: Numbers,
        leaks: Numbers,
        room: Numbers,
        crews: tuple[Numbers, ...],
        at_sea: int,
        hats: Numbers,
        ashore: tuple[Numbers, ...],
        berths: Numbers,
        waiting: Numbers,
        vote: str,
        boat: int,
        options: int,
        talked: int,
        ballots: tuple[str, ...],
        left: tuple[Leaver, ...],
    ) -> None:
        self.match = match
        self.stage = stage
        """Of `Stage`."""
        self.to_act = to_act
        self.round = round
        """From 0."""
        self.start = start
        """The start player."""
        self.columns = columns
        """By boat: 1 to 7, 0 before it is launched."""
        self.rows = rows
        """By boat: 0 to 2 at sea, 3 landed; a boat that sank keeps its row."""
        self.leaks = leaks
        """By boat."""
        self.room = room
        """By boat: its free places."""
        self.crews = crews
        """By boat, then by seat: the pawns aboard."""
        self.at_sea = at_sea
        """The boats at sea, a set."""
        self.hats = hats
        """By seat: the captain's hats left."""
        self.ashore = ashore
        """By seat, then by island: the pawns that are safe."""
        self.berths = berths
        """The boats that landed, the first one first."""
        self.waiting = waiting
        """By seat: the pawns that are not seated yet."""
        self.vote = vote
        """Kind of the current vote: LEAK, MOVE, OVERBOARD, or empty for none."""
        self.boat = boat
        """Boat that a passenger must leave by an overboard vote, else NOBODY."""
        self.options = options
        """Options of the vote or choice, a set of boats or colours."""
        self.talked = talked
        """In the stages TALK and STICK: the rounds of talk before this vote that are over."""
        self.ballots = ballots
        """Ballots by seat, during the choice after a vote: the letter voted for, `hat`, or empty for no voter."""
        self.left = left
        """The pawns out of their boats, the first that left first."""

    def copy(self) -> LifeboatsState:
        """Return a copy, to be changed before it is handed on."""
        return LifeboatsState(
            self.match,
            self.stage,
            self.to_act,
            self.round,
            self.start,
            self.columns,
            self.rows,
            self.leaks,
            self.room,
            self.crews,
            self.at_sea,
            self.hats,
            self.ashore,
            self.berths,
            self.waiting,
            self.vote,
            self.boat,
            self.options,
            self.talked,
            self.ballots,
            self.left,
        )


def add_pawn(crews: tuple[Numbers, ...], boat: int, seat: int, pawn: int) -> tuple[Numbers, ...]:
    """Return the crews with one more pawn of a seat in a boat, or, negative, one less."""
    crew = crews[boat]
    return put(crews, boat, put(crew, seat, crew[seat] + pawn))
