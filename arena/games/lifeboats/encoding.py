"""Lifeboats in numbers (arena/games/encoding.py).

Actions name boats and colours, so that seats and boats stand in the order of their letters, with room for six seats, and the row
begins with which one the seat is.
"""

from __future__ import annotations

from array import array
from typing import Final

from arena.games.encoding import Row
from arena.games.lifeboats.notation import HAT, LAUNCHED, STICK
from arena.games.lifeboats.state import BLACK, COLOURS, COLUMNS, HATS, LANDED, PAWNS
from arena.games.lifeboats.view import LifeboatsView

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
_LENGTH: Final = sum(PARTS.values())
_SAILORS: Final = 5
_OFFICERS: Final = 2
_PLACES: Final = 6
_POINTS: Final = 60
_ROUNDS: Final = 30


def encode(view: LifeboatsView, seat: int, seats: int) -> array[float]:
    """Put a view into numbers."""
    row = Row(_LENGTH)
    places = [*range(seats), _BOATS - 1]
    row.flag([seat], _SEATS)
    row.flag([view.start], _SEATS)
    row.flag([_STAGES.index(view.stage)], len(_STAGES))
    row.flag([_VOTES.index(view.vote)] if view.vote else (), len(_VOTES))
    row.flag([_BALLOTS[view.boat]] if view.boat else (), _BOATS)
    row.flag([_BALLOTS[option] for option in view.options], _BOATS)
    row.flag(
        [len(_BALLOTS) * voter + _BALLOTS[ballot] for voter, ballot in enumerate(view.ballots) if ballot],
        _SEATS * len(_BALLOTS),
    )
    start = row.at
    for place, boat in zip(places, view.boats, strict=True):
        row.at = start + _BOAT * place
        row.put((boat.column / COLUMNS, boat.row / LANDED, float(boat.at_sea), boat.leaks / _PLACES))
        row.put([count / _SAILORS for count in boat.sailors])
        row.at = start + _BOAT * place + 4 + _SEATS
        row.put([count / _OFFICERS for count in boat.officers])
    row.at = start = start + _BOATS * _BOAT
    for each in view.seats:
        row.put((1.0, each.hats / HATS, each.waiting_sailors / _SAILORS, each.waiting_officers / _OFFICERS))
        row.put([count / _SAILORS for count in each.saved_sailors])
        row.put([count / _OFFICERS for count in each.saved_officers])
        row.put((each.score / _POINTS,))
    row.at = start = start + _SEATS * _SEAT
    landed = [0.0] * _BOATS
    for number, letter in enumerate(view.berths):
        landed[_BALLOTS[letter]] = (number + 1) / _BOATS
    row.put(landed)
    start = row.at
    for number, leaver in enumerate(view.left):
        row.at = start + _LEAVER * _BALLOTS[leaver.boat]
        row.put((1.0, (number + 1) / _BOATS, float(leaver.pawn == "o")))
        row.flag([leaver.seat], _SEATS)
    row.at = start + _BOATS * _LEAVER
    row.put((view.round / _ROUNDS,))
    return row.numbers
