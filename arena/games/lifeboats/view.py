"""A seat's view of Lifeboats: everything, so it is the same for all seats."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.lifeboats.state import LANDED

Numbers = tuple[int, ...]


class LifeboatsBoat(NamedTuple):
    """A boat; one that landed or sank is empty and has no leaks."""

    letter: str
    column: int
    """0 before it is launched."""

    row: int
    at_sea: bool
    leaks: int
    sailors: Numbers
    """By seat."""

    officers: Numbers
    """By seat."""

    @property
    def landed(self) -> bool:
        """Whether it has reached its island."""
        return self.row == LANDED


class LifeboatsSeat(NamedTuple):
    """A seat."""

    hats: int
    waiting_sailors: int
    """Still to be seated."""

    waiting_officers: int
    saved_sailors: Numbers
    """By island: left, middle, right."""

    saved_officers: Numbers
    score: int
    """For those saved so far."""


class LifeboatsLeaver(NamedTuple):
    """A pawn out of its boat."""

    seat: int
    pawn: str
    """`s` or `o`."""

    boat: str
    """The boat it left."""


class LifeboatsView(NamedTuple):
    """The position; a named tuple, since one is made per decision.  Boats are letters."""

    round: int
    start: int
    stage: str
    """Kind of the current choice: launch, board, talk, stick, vote, choose, leave, enter, over."""

    vote: str
    """Kind of the current vote: leak, move, overboard, or empty."""

    boat: str
    """The boat of an overboard vote, else empty."""

    options: tuple[str, ...]
    """Options of the current vote or choice."""

    ballots: tuple[str, ...]
    """Ballots by seat, during the choice after a vote: the letter voted for, `hat`, or empty for no voter."""

    talk_round: int
    """Finished rounds of talk, during the talk and while a seat decides whether it continues."""

    talk_rounds: int
    """Rounds of talk before a vote, at most."""

    boats: tuple[LifeboatsBoat, ...]
    """In the order of the seats, the black one last."""

    seats: tuple[LifeboatsSeat, ...]
    berths: tuple[str, ...]
    """The boats that landed, the first one first."""

    left: tuple[LifeboatsLeaver, ...]
    """The pawns out of their boats, the first that left first; they go back in the reverse order."""
