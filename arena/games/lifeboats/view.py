"""What a seat sees of Lifeboats: everything, so it is the same for all seats."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arena.games.lifeboats.notation import WORDS
from arena.games.lifeboats.score import score
from arena.games.lifeboats.state import (
    LANDED,
    OFFICER,
    LifeboatsState,
    officers,
    sailors,
)

Numbers = tuple[int, ...]

_BOATS = 7
_BITS = tuple(tuple(bool(members >> at & 1) for at in range(_BOATS)) for members in range(1 << _BOATS))
"""By a set of boats: whether each is in it."""


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
    """What is chosen: launch, board, talk, stick, vote, choose, leave, enter, over."""

    vote: str
    """The vote at hand: leak, move, overboard, or empty."""

    boat: str
    """The boat of an overboard vote, else empty."""

    options: tuple[str, ...]
    """What may be voted for or chosen in the vote at hand."""

    ballots: tuple[str, ...]
    """By seat, while somebody chooses after a vote: the letter voted for, `hat`, or empty for no voter."""

    talk_round: int
    """While there is talk or somebody decides whether it goes on: the rounds of it that are over."""

    talk_rounds: int
    """Rounds of talk before a vote, at most."""

    boats: tuple[LifeboatsBoat, ...]
    """In the order of the seats, the black one last."""

    seats: tuple[LifeboatsSeat, ...]
    berths: tuple[str, ...]
    """The boats that landed, the first one first."""

    left: tuple[LifeboatsLeaver, ...]
    """The pawns out of their boats, the first that left first; they go back in the reverse order."""


def build(state: LifeboatsState) -> LifeboatsView:
    """Show the position."""
    letters = WORDS[state.match.seats].letters
    return LifeboatsView(
        round=state.round,
        start=state.start,
        stage=state.stage,
        vote=state.vote,
        boat=letters[state.boat] if state.vote == "overboard" else "",
        options=_name_members(letters, state.options),
        ballots=state.ballots,
        talk_round=state.talked,
        talk_rounds=state.match.talk,
        boats=tuple(
            map(_boat, letters, state.columns, state.rows, state.leaks, _BITS[state.at_sea], state.crews)
        ),
        seats=_seats(state.hats, state.waiting, state.ashore),
        berths=tuple([letters[boat] for boat in state.berths]),
        left=tuple(
            [
                LifeboatsLeaver(each.seat, "o" if each.pawn == OFFICER else "s", letters[each.boat])
                for each in state.left
            ]
        ),
    )


@lru_cache(maxsize=1 << 10)
def _name_members(letters: str, members: int) -> tuple[str, ...]:
    return tuple([letter for at, letter in enumerate(letters) if members >> at & 1])


# Cached: from one view to the next nearly all boats and seats are the same.


@lru_cache(maxsize=1 << 14)
def _boat(
    letter: str,
    column: int,
    row: int,
    leaks: int,
    at_sea: bool,  # noqa: FBT001 - one of them
    crew: Numbers,
) -> LifeboatsBoat:
    return LifeboatsBoat(
        letter, column, row, at_sea, leaks, tuple(map(sailors, crew)), tuple(map(officers, crew))
    )


@lru_cache(maxsize=1 << 12)
def _seats(hats: Numbers, waiting: Numbers, ashore: tuple[Numbers, ...]) -> tuple[LifeboatsSeat, ...]:
    return tuple(map(_seat, hats, waiting, ashore))


@lru_cache(maxsize=1 << 12)
def _seat(hats: int, waiting: int, safe: Numbers) -> LifeboatsSeat:
    return LifeboatsSeat(
        hats,
        sailors(waiting),
        officers(waiting),
        tuple(map(sailors, safe)),
        tuple(map(officers, safe)),
        score(safe),
    )
