"""How a search plays Lifeboats on to its end, and what it thinks of a position: pure functions of the state."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from arena.games.kernel import Action
from arena.games.lifeboats.notation import END_TALK, HAT, WORDS
from arena.games.lifeboats.score import rank, score
from arena.games.lifeboats.state import LEAK, MOVE, OFFICER, OVERBOARD, PLACES, LifeboatsState, Stage

WHIM = 0.15
"""How often anything legal is played."""

_CODES = 3 * OFFICER
_SAILOR_POINTS = (0, 6, 6, 4, 4, 5, 5, 5)
_WORTH = tuple(
    [
        tuple([code % OFFICER * points + code // OFFICER * (points + 2) for code in range(_CODES)])
        for points in _SAILOR_POINTS
    ]
)
"""By column, then by the pawns of a seat: the points they bring if they land."""

_ARRIVES = (0.25, 0.45, 0.75, 1.0)
_PUT = {Stage.BOARD, Stage.ENTER}


def playout(state: LifeboatsState, seat: int, legal: Sequence[Action], random: Random) -> Action:
    """Choose as a simple player would: for its own boats, against those of the others, mostly without hats."""
    if len(legal) == 1 or random.random() < WHIM or state.stage == Stage.LAUNCH:
        return legal[int(random.random() * len(legal))]
    if state.stage == Stage.STICK:
        return END_TALK
    at = WORDS[state.match.seats].letters.index
    if state.stage == Stage.LEAVE:
        return min(legal, key=lambda action: _prospect(state, at(action[-1])))
    if state.stage in _PUT:
        return max(legal, key=lambda action: _prospect(state, at(action[-1])))
    options = legal[:-1] if legal[-1] == HAT else legal
    rating = _RATING[state.vote]
    return max(options, key=lambda action: rating(state, at(action[-1]), seat))


def evaluate(state: LifeboatsState) -> tuple[float, ...]:
    """Guess the share of the other seats that each seat will be ahead of, 0 to 1."""
    seats = range(state.match.seats)
    if not state.to_act:
        places = rank([score(safe) for safe in state.ashore], state.berths)
        return tuple(
            [_share([(place < other) + 0.5 * (place == other) for other in places]) for place in places]
        )
    points = [float(score(safe)) for safe in state.ashore]
    open_points = 0.0
    for boat, crew in enumerate(state.crews):
        chance, worth = _chance(state, boat), _WORTH[state.columns[boat]]
        for seat in seats:
            points[seat] += chance * worth[crew[seat]]
            open_points += (1 - chance) * worth[crew[seat]]
    scale = 1.0 + 0.3 * open_points / len(points)
    return tuple([_share([1 / (1 + exp((other - own) / scale)) for other in points]) for own in points])


def _share(against: list[float]) -> float:
    """Return the mean over the others; against itself a seat has a half."""
    return (sum(against) - 0.5) / (len(against) - 1)


def _chance(state: LifeboatsState, boat: int) -> float:
    spare = PLACES - state.room[boat] - 2 * state.leaks[boat]  # pawns less leaks
    return _ARRIVES[state.rows[boat]] * (0.4 + 0.2 * min(max(spare, 0), 3))


def _prospect(state: LifeboatsState, boat: int) -> float:
    return _SAILOR_POINTS[state.columns[boat]] * _chance(state, boat)


def _margin(state: LifeboatsState, boat: int, seat: int) -> float:
    """Return what a boat is worth to a seat, less the mean of the others, more if it is near."""
    worth, crew = _WORTH[state.columns[boat]], state.crews[boat]
    mine = worth[crew[seat]]
    total = sum([worth[code] for code in crew])
    return (mine - (total - mine) / (len(crew) - 1)) * (1 + 0.5 * state.rows[boat])


def _envy(state: LifeboatsState, victim: int, seat: int) -> float:
    return -1.0 if victim == seat else float(score(state.ashore[victim]))


def _burden(state: LifeboatsState, boat: int, seat: int) -> float:
    return -_margin(state, boat, seat)


_RATING = {LEAK: _burden, MOVE: _margin, OVERBOARD: _envy}
