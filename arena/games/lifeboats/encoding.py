"""Lifeboats in numbers (arena/games/encoding.py).

Actions name boats and colours, so seats and boats are in the order of their letters, with room for six seats, and the row
begins with which one the seat is.
"""

from __future__ import annotations

from array import array
from typing import Final

from arena.games.encoding import flags, join, numbers, zeros
from arena.games.kept import Kept
from arena.games.lifeboats.notation import HAT, LAUNCHED, STICK
from arena.games.lifeboats.state import BLACK, COLOURS, COLUMNS, HATS, LANDED, PAWNS
from arena.games.lifeboats.view import LifeboatsBoat, LifeboatsLeaver, LifeboatsSeat, LifeboatsView, Numbers

_LETTERS: Final = COLOURS + BLACK
ACTIONS: Final = (
    *map(str, LAUNCHED),
    *[f"board {pawn} {letter}" for letter in _LETTERS for pawn in PAWNS],
    *[f"vote {letter}" for letter in _LETTERS],
    HAT,
    *[f"choose {letter}" for letter in _LETTERS],
    *[f"leave {pawn} {letter}" for letter in _LETTERS for pawn in PAWNS],
    *[f"enter {letter}" for letter in _LETTERS],
    *STICK,
)
_SEATS: Final = len(COLOURS)
_BOATS: Final = len(_LETTERS)
_STAGES: Final = ("launch", "board", "talk", "stick", "vote", "choose", "leave", "enter", "over")
_VOTES: Final = ("leak", "move", "overboard")
_BALLOTS: Final = {**{letter: at for at, letter in enumerate(_LETTERS)}, HAT: _BOATS}
_BOAT: Final = 4 + 2 * _SEATS
_SEAT: Final = 11
_LEAVER: Final = 3 + _SEATS
PARTS: Final = {
    "own seat": _SEATS,
    "start player": _SEATS,
    "stage: launch, board, talk, stick, vote, choose, leave, enter, over": len(_STAGES),
    "vote: leak, move, overboard": len(_VOTES),
    "boat of an overboard vote": _BOATS,
    "options": _BOATS,
    "by seat: ballot, a letter or the hat": _SEATS * len(_BALLOTS),
    "by boat: column, row, at sea, leaks, sailors by seat, officers by seat": _BOATS * _BOAT,
    "by seat: takes part, hats, waiting sailors, waiting officers, saved sailors by island, saved officers by island, score": _SEATS
    * _SEAT,
    "by boat: when it landed": _BOATS,
    "by boat: whether a pawn left it, when, whether an officer, whose": _BOATS * _LEAVER,
    "round": 1,
}
_SAILORS: Final = 5
_OFFICERS: Final = 2
_PLACES: Final = 6
_POINTS: Final = 60
_ROUNDS: Final = 30
_NO_BOAT: Final = zeros(_BOAT)
_NO_SEAT: Final = zeros(_SEAT)
_NO_BALLOT: Final = zeros(len(_BALLOTS))
_NO_LEAVER: Final = zeros(_LEAVER)

_AT_SEAT: Final = tuple(flags([seat], _SEATS) for seat in range(_SEATS))
_STAGE: Final = {name: flags([at], len(_STAGES)) for at, name in enumerate(_STAGES)}
_VOTE: Final = {"": zeros(len(_VOTES))} | {name: flags([at], len(_VOTES)) for at, name in enumerate(_VOTES)}
_BALLOT: Final = {"": _NO_BALLOT} | {ballot: flags([at], len(_BALLOTS)) for ballot, at in _BALLOTS.items()}
_LETTERED: Final[Kept[tuple[str, ...], bytes]] = Kept(
    lambda letters: flags([_BALLOTS[letter] for letter in letters], _BOATS)
)
_AFLOAT: Final[Kept[LifeboatsBoat, bytes]] = Kept(
    lambda boat: numbers(
        (
            boat.column / COLUMNS,
            boat.row / LANDED,
            float(boat.at_sea),
            boat.leaks / _PLACES,
            *_shares(boat.sailors, _SAILORS),
            *_shares(boat.officers, _OFFICERS),
        )
    )
)
_STANDING: Final[Kept[LifeboatsSeat, bytes]] = Kept(
    lambda seat: numbers(
        (
            1.0,
            seat.hats / HATS,
            seat.waiting_sailors / _SAILORS,
            seat.waiting_officers / _OFFICERS,
            *[count / _SAILORS for count in seat.saved_sailors],
            *[count / _OFFICERS for count in seat.saved_officers],
            seat.score / _POINTS,
        )
    )
)
_LANDED: Final[Kept[tuple[str, ...], bytes]] = Kept(
    lambda berths: numbers(
        [(berths.index(letter) + 1) / _BOATS if letter in berths else 0.0 for letter in _LETTERS]
    )
)
_LEFT: Final[Kept[tuple[LifeboatsLeaver, ...], bytes]] = Kept(lambda left: b"".join(_by_boat(left)))


def encode(view: LifeboatsView, seat: int, seats: int) -> array[float]:
    """Put a view into numbers."""
    boats, ballots = view.boats, view.ballots
    empty = _SEATS - seats
    parts = [
        _AT_SEAT[seat],
        _AT_SEAT[view.start],
        _STAGE[view.stage],
        _VOTE[view.vote],
        _LETTERED[(view.boat,) if view.boat else ()],
        _LETTERED[view.options],
    ]
    parts += [_BALLOT[ballot] for ballot in ballots]
    parts += [_NO_BALLOT] * (_SEATS - len(ballots))
    parts += [_AFLOAT[boat] for boat in boats[:-1]]
    parts += [_NO_BOAT] * empty
    parts.append(_AFLOAT[boats[-1]])
    parts += [_STANDING[each] for each in view.seats]
    parts += [_NO_SEAT] * empty
    parts += [_LANDED[view.berths], _LEFT[view.left], numbers((view.round / _ROUNDS,))]
    return join(parts)


def _shares(by_seat: Numbers, most: int) -> list[float]:
    """Return what each seat has of something, as a share, with room for all seats."""
    return [count / most for count in by_seat] + [0.0] * (_SEATS - len(by_seat))


def _by_boat(left: tuple[LifeboatsLeaver, ...]) -> list[bytes]:
    by_boat = [_NO_LEAVER] * _BOATS
    for number, (seat, pawn, boat) in enumerate(left):
        told = numbers((1.0, (number + 1) / _BOATS, float(pawn == "o")))
        by_boat[_BALLOTS[boat]] = told + _AT_SEAT[seat]
    return by_boat
