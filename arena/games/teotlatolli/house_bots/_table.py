"""What the bots for Teotlatolli share: the table in numbers, and how a god can be completed in this turn."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from arena.games.teotlatolli import TeotlatolliView
from arena.games.teotlatolli.cards import BEARS, CARDINALS, SIGN_BITS, SIGNS

Signs = int
"""A set of different signs: bit s stands for sign s, as in `arena.games.teotlatolli.cards`."""


class Place(NamedTuple):
    """A god in play, and what lies at it."""

    god: int
    bears: Signs
    own: Signs
    theirs: Signs
    own_twice: Signs
    """Signs that lie there more than once: while they do, the god is not completed."""
    theirs_twice: Signs


class Position(NamedTuple):
    """What a seat needs to know to act; made from a view."""

    hand: Signs
    depot: Signs
    places: tuple[Place, ...]
    switches: int
    """How many free ones are left in this turn, 0 or 1; likewise `moves`."""
    moves: int
    extra: int
    """1 if the next action must be the switch or the move that a cardinal sign demands."""


def read(view: TeotlatolliView, seat: int) -> Position:
    """Put a view into numbers."""
    own, theirs = view.sides[seat], view.sides[1 - seat]
    places = [
        Place(god, BEARS[god], join(mine), join(yours), find_twice(mine), find_twice(yours))
        for god, mine, yours in zip(view.gods, own, theirs, strict=True)
    ]
    return Position(
        hand=join(view.hand),
        depot=join(view.depots[seat]),
        places=tuple(places),
        switches=1 - view.switched,
        moves=1 - view.moved,
        extra=int(view.extra),
    )


def join(names: tuple[str, ...]) -> Signs:
    """Make a set of the different signs among some cards."""
    signs = 0
    for name in names:
        signs |= SIGN_BITS[name]
    return signs


def find_twice(names: tuple[str, ...]) -> Signs:
    """Find the signs that are there more than once; the cards stand in the order of the deck."""
    return join(tuple([name for name, after in pairwise(names) if name == after]))


def name(bit: Signs) -> str:
    """Return the name of a single sign."""
    return SIGNS[bit.bit_length() - 1]


def split(signs: Signs) -> list[Signs]:
    """Take a set apart into single signs, in the order of the deck."""
    found = []
    while signs:
        found.append(signs & -signs)
        signs &= signs - 1
    return found


def finish(position: Position) -> str:
    """Return the first of the actions that complete a god in this turn, by the way that costs the fewest cardinals; or ``."""
    plans = [plan for place in position.places if (plan := plan_for(position, place))]
    return min(plans)[-1] if plans else ""


def plan_for(position: Position, place: Place) -> tuple[int, int, str] | None:
    """Plan to complete a god: the cardinals it takes, its number, the first action.  None if it cannot be done."""
    ways = find_ways(position, place)
    if ways is None:
        return None
    switches, moves = ways
    from_hand = place.bears & ~place.own & position.hand
    # What the free switch and move do not cover, cardinals from the hand must pay for.
    cost = max(0, len(switches) - position.switches) + max(0, len(moves) - position.moves) - position.extra
    spare = position.hand & CARDINALS & ~from_hand
    if cost > spare.bit_count() or (position.extra and not switches and not moves):
        return None
    if switches and (position.switches or position.extra):
        first = switches[0]
    elif moves and (position.moves or position.extra):
        first = moves[0]
    elif switches or moves:
        first = f"use {name(spare & -spare)}"
    else:
        first = f"play {name(from_hand & -from_hand)} {place.god}"
    return cost, place.god, first


def find_ways(position: Position, place: Place) -> tuple[list[str], list[str]] | None:
    """Find the switches and moves that bring to a god what the hand lacks; None if something cannot be had."""
    switches: list[str] = []
    moves: list[str] = []
    for bit in split(place.bears & ~place.own & ~position.hand):
        if bit & place.theirs & ~CARDINALS:
            switches.append(f"switch {name(bit)} {place.god}")
        elif bit & position.depot:
            moves.append(f"move {name(bit)} depot {place.god}")
        elif source := find_own(position, bit, place):
            moves.append(f"move {name(bit)} {source.god} {place.god}")
        else:
            return None
    for bit in split(place.own_twice):  # one of two equal signs must go to another god that bears it
        target = next((other for other in position.places if other is not place and fits(bit, other)), None)
        if target is None:
            return None
        moves.append(f"move {name(bit)} {place.god} {target.god}")
    return switches, moves


def find_own(position: Position, bit: Signs, target: Place) -> Place | None:
    """Find another god at which the seat has a sign."""
    return next((place for place in position.places if place is not target and place.own & bit), None)


def fits(bit: Signs, place: Place) -> bool:
    """Return whether a sign could be added to the own side of a god."""
    return bool(place.bears & bit & ~place.own)
