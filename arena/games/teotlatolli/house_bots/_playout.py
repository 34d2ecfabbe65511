"""How the search plays a position of Teotlatolli on, and what it thinks of it where it stops."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from arena.games.kernel import Action
from arena.games.teotlatolli.cards import BEARS, CARDINALS, SIGN_BITS
from arena.games.teotlatolli.house_bots._table import Place, Position, finish
from arena.games.teotlatolli.house_bots.greedy import find, rate_move, rate_switch
from arena.games.teotlatolli.state import ACT, EXTRA, HAND, MOVED, NOBODY, SWITCHED, TeotlatolliState

_LOW = (1 << 20) - 1

# What a position is worth in gods, and how sure a lead is: fitted to 5,680 positions of 400 matches of this policy against
# itself (logistic regression).  Cards that lie open are worth no more than those in the hand.
_REACHED = (0.0, 0.0, 0.1, 0.3, 0.5)
"""By how many of a god's signs a seat has in its hand or on its side."""
_CARDINAL = 0.4
_IN_DEPOT = 0.4
_TO_ACT = 0.2
_SURENESS = 2.0


def playout(state: TeotlatolliState, seat: int, legal: Sequence[Action], random: Random) -> Action:
    """Choose as `greedy` does, in a hurry: complete a god, else take what lies best, else lay what is too much, else end."""
    if state.phase not in (ACT, EXTRA):
        return legal[0] if legal[0] == "draw" else random.choice(legal)
    position = _read(state, seat)
    action = finish(position)
    if action:
        return action
    best, chosen = 0.0, legal[-1]
    surplus = state.hands[seat].bit_count() > HAND
    for action in legal:
        rating = _rate(action, position, surplus=surplus)
        if rating > best:
            best, chosen = rating, action
    return chosen


def evaluate(state: TeotlatolliState) -> tuple[float, float]:
    """Guess each seat's share of the match: gods completed, and those on the way."""
    first, second = map(len, state.completed)
    if state.seat == NOBODY:
        share = 0.5 + 0.5 * ((first > second) - (first < second))
        return share, 1.0 - share
    lead = first - second + _count(state, 0) - _count(state, 1)
    lead += _TO_ACT if state.seat == 0 else -_TO_ACT
    # The fewer gods are left, the more a lead is worth.
    left = max(1.0, 17.0 - first - second)
    share = 1.0 / (1.0 + exp(-_SURENESS * lead / left**0.5))
    return share, 1.0 - share


def _read(state: TeotlatolliState, seat: int) -> Position:
    own, theirs = state.sides[seat], state.sides[1 - seat]
    places = [
        Place(god, BEARS[god], mine & _LOW, yours & _LOW, mine >> 20 & _LOW, yours >> 20 & _LOW)
        for god, mine, yours in zip(state.gods, own, theirs, strict=True)
    ]
    spent = state.spent
    return Position(
        hand=state.hands[seat] & _LOW,
        depot=state.depots[seat] & _LOW,
        places=tuple(places),
        switches=not spent & SWITCHED,
        moves=not spent & MOVED,
        extra=state.phase == EXTRA,
    )


def _rate(action: Action, position: Position, *, surplus: bool) -> float:
    verb, *rest = action.split()
    if verb in ("end", "use"):
        return 0.0
    bit, target = SIGN_BITS[rest[0]], find(position, int(rest[-1]))
    if verb == "switch":
        return rate_switch(bit, target)
    if verb == "play":
        return 1.0 + target.own.bit_count() if surplus or bit & CARDINALS else 0.0
    return rate_move(bit, None if rest[1] == "depot" else find(position, int(rest[1])), target)


def _count(state: TeotlatolliState, seat: int) -> float:
    """Count what a seat has towards gods, as parts of gods."""
    hand = state.hands[seat]
    total = _CARDINAL * (hand & CARDINALS).bit_count() + _IN_DEPOT * min(state.depots[seat].bit_count(), 2)
    for god, side in zip(state.gods, state.sides[seat], strict=True):
        total += _REACHED[(BEARS[god] & (side | hand)).bit_count()]
    return total
