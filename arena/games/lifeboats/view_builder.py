"""Views of Lifeboats, made from a position."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena.games.lifeboats.notation import WORDS
from arena.games.lifeboats.score import score
from arena.games.lifeboats.state import OFFICER, LifeboatsState, officers, sailors
from arena.games.lifeboats.view import LifeboatsBoat, LifeboatsLeaver, LifeboatsSeat, LifeboatsView, Numbers

_BOATS: Final = 7
_BITS: Final = tuple(tuple(bool(members >> at & 1) for at in range(_BOATS)) for members in range(1 << _BOATS))
"""By a set of boats: whether each is in it."""

_make: Final = tuple.__new__


def build(state: LifeboatsState) -> LifeboatsView:
    """Show the position."""
    letters = WORDS[state.match.seats].letters
    return _make(
        LifeboatsView,
        (
            state.round,
            state.start,
            state.stage,
            state.vote,
            letters[state.boat] if state.vote == "overboard" else "",
            _name_members(letters, state.options),
            state.ballots,
            state.talked,
            state.match.talk,
            tuple(
                map(_boat, letters, state.columns, state.rows, state.leaks, _BITS[state.at_sea], state.crews)
            ),
            _seats(state.hats, state.waiting, state.ashore),
            tuple([letters[boat] for boat in state.berths]),
            tuple(
                [
                    LifeboatsLeaver(each.seat, "o" if each.pawn == OFFICER else "s", letters[each.boat])
                    for each in state.left
                ]
            ),
        ),
    )


@lru_cache(maxsize=1 << 10)
def _name_members(letters: str, members: int) -> tuple[str, ...]:
    return tuple([letter for at, letter in enumerate(letters) if members >> at & 1])


# Cached: from one view to the next nearly all boats and seats are the same.


@lru_cache(maxsize=1 << 11)
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


@lru_cache(maxsize=1 << 10)
def _seats(hats: Numbers, waiting: Numbers, ashore: tuple[Numbers, ...]) -> tuple[LifeboatsSeat, ...]:
    return tuple(map(_seat, hats, waiting, ashore))


@lru_cache(maxsize=1 << 11)
def _seat(hats: int, waiting: int, safe: Numbers) -> LifeboatsSeat:
    return LifeboatsSeat(
        hats,
        sailors(waiting),
        officers(waiting),
        tuple(map(sailors, safe)),
        tuple(map(officers, safe)),
        score(safe),
    )
