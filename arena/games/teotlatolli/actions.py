"""Effects of the actions of Teotlatolli (docs/rules.md).

Each changes a copy of the position, and returns whether it was legal; otherwise the copy is thrown away.  It takes the
bit of the sign, and the gods that the action names.
"""

from __future__ import annotations

from typing import Final

from arena.games.kernel import Answer
from arena.games.teotlatolli.cards import BEARS, CARDINALS, GODS, SIGN_BITS, add, remove
from arena.games.teotlatolli.moves import list_moves, list_switches
from arena.games.teotlatolli.state import (
    ACT,
    DISCARD,
    DRAW,
    EXTRA,
    GIVE,
    HAND,
    MOVED,
    SWITCHED,
    TeotlatolliState,
)
from arena.games.teotlatolli.turns import complete, end_turn, is_complete, start_turn
from arena.games.tuples import put

_SWITCH: Final = 0
_END: Final = 1
_MOVE: Final = 2
_PLAY: Final = 3
_KEEP: Final = 4
_DISCARD: Final = 5
_USE: Final = 6
_GIVE: Final = 7


def perform(state: TeotlatolliState, action: Answer) -> TeotlatolliState | None:
    """Perform an action, any but `draw`; return None where it is not legal."""
    found = _ACTIONS.get(action)
    if found is None:
        return None
    verb, bit, source, target = found
    after = state.copy()
    if verb == _SWITCH:
        legal = _switch(after, bit, target)
    elif verb == _END:
        legal = _end(after)
    elif verb == _MOVE:
        legal = _move(after, bit, source, target)
    elif verb == _PLAY:
        legal = _play(after, bit, target)
    elif verb == _KEEP:
        legal = _keep(after)
    elif verb == _DISCARD:
        legal = _discard(after, bit)
    elif verb == _USE:
        legal = _use(after, bit)
    else:
        legal = _give(after, bit)
    return after if legal else None


def _play(state: TeotlatolliState, bit: int, god: int) -> bool:
    seat, gods = state.seat, state.gods
    if state.phase != ACT or god not in gods or not _take_from_hand(state, bit):
        return False
    at = gods.index(god)
    first, second = state.sides
    own = second if seat else first
    side = own[at]
    if side & bit:
        return False
    side |= bit
    own = put(own, at, side)
    state.sides = (first, own) if seat else (own, second)
    if is_complete(god, side):
        complete(state, seat, [god])
    return True


def _switch(state: TeotlatolliState, bit: int, god: int) -> bool:
    seat, gods = state.seat, state.gods
    if not _spend(state, SWITCHED) or god not in gods:
        return False
    at = gods.index(god)
    first, second = state.sides
    own, theirs = (second, first) if seat else (first, second)
    left = theirs[at]
    if not left & bit:
        return False
    side, left = add(own[at], bit), remove(left, bit)
    own, theirs = put(own, at, side), put(theirs, at, left)
    state.sides = (theirs, own) if seat else (own, theirs)
    if is_complete(god, side):  # where both sides are, it is the active seat's
        complete(state, seat, [god])
    elif is_complete(god, left):
        complete(state, 1 - seat, [god])
    return True


def _move(state: TeotlatolliState, bit: int, source: int, god: int) -> bool:
    """Move a card to a god from another one, or, where `source` is 0, from the depot."""
    seat, gods = state.seat, state.gods
    if not _spend(state, MOVED) or god not in gods or (source and source not in gods):
        return False
    at = gods.index(god)
    first, second = state.sides
    own = second if seat else first
    side = own[at]
    if side & bit:
        return False
    side |= bit
    own = put(own, at, side)
    filled = [god] if is_complete(god, side) else []
    if source:
        gone = gods.index(source)
        left = own[gone]
        if not left & bit:
            return False
        left = remove(left, bit)
        own = put(own, gone, left)
        if is_complete(source, left):
            filled.append(source)
    else:
        depots = state.depots
        depot = depots[1] if seat else depots[0]
        if not depot & bit:
            return False
        depot = remove(depot, bit)
        state.depots = (depots[0], depot) if seat else (depot, depots[1])
    state.sides = (first, own) if seat else (own, second)
    if filled:
        complete(state, seat, filled)
    return True


def _spend(state: TeotlatolliState, once: int) -> bool:
    """Spend the extra action or the switch or move that is once a turn; return whether there is one."""
    if state.phase == EXTRA:
        state.phase = ACT
        return True
    if state.phase != ACT or state.spent & once:
        return False
    state.spent |= once
    return True


def _use(state: TeotlatolliState, bit: int) -> bool:
    if state.phase != ACT or not _take_from_hand(state, bit):
        return False
    _hand_over(state, bit)
    state.phase = EXTRA
    return bool(list_switches(state) or list_moves(state))


def _take_from_hand(state: TeotlatolliState, bit: int) -> bool:
    """Take a card from the hand; return whether it was there."""
    seat = state.seat
    first, second = state.hands
    hand = second if seat else first
    if not hand & bit:
        return False
    hand = remove(hand, bit)
    state.hands = (first, hand) if seat else (hand, second)
    _forget(state, bit)
    return True


def _forget(state: TeotlatolliState, bit: int) -> None:
    """Take a card that leaves a hand off those known to be in it; of equal ones it is a known one that leaves."""
    seat = state.seat
    first, second = state.known
    known = second if seat else first
    if known & bit:
        known = remove(known, bit)
        state.known = (first, known) if seat else (known, second)


def _hand_over(state: TeotlatolliState, bit: int) -> None:
    """Put a card into the other seat's depot."""
    first, second = state.depots
    state.depots = (add(first, bit), second) if state.seat else (first, add(second, bit))


def _discard(state: TeotlatolliState, bit: int) -> bool:
    if state.phase != DISCARD or not _take_from_hand(state, bit):
        return False
    state.discards = add(state.discards, bit)
    first, second = state.hands
    hand = second if state.seat else first
    if hand.bit_count() > HAND:
        state.phase = GIVE
    else:
        start_turn(state)
    return True


def _give(state: TeotlatolliState, bit: int) -> bool:
    if state.phase != GIVE or not _take_from_hand(state, bit):
        return False
    _hand_over(state, bit)
    start_turn(state)
    return True


def _keep(state: TeotlatolliState) -> bool:
    if state.phase != DRAW:
        return False
    state.phase = ACT
    return True


def _end(state: TeotlatolliState) -> bool:
    if state.phase != ACT:
        return False
    end_turn(state)
    return True


def _list_all() -> dict[Answer, tuple[int, int, int, int]]:
    found: dict[Answer, tuple[int, int, int, int]] = {"keep": (_KEEP, 0, 0, 0), "end": (_END, 0, 0, 0)}
    for name, bit in SIGN_BITS.items():
        found[f"discard {name}"] = (_DISCARD, bit, 0, 0)
        found[f"give {name}"] = (_GIVE, bit, 0, 0)
        if bit & CARDINALS:
            found[f"use {name}"] = (_USE, bit, 0, 0)
        bearers = [god for god in GODS if BEARS[god] & bit]
        for god in bearers:
            found[f"play {name} {god}"] = (_PLAY, bit, 0, god)
            found[f"move {name} depot {god}"] = (_MOVE, bit, 0, god)
            if not bit & CARDINALS:
                found[f"switch {name} {god}"] = (_SWITCH, bit, 0, god)
            for other in bearers:
                if other != god:
                    found[f"move {name} {god} {other}"] = (_MOVE, bit, god, other)
    return found


_ACTIONS: Final = _list_all()
"""By action: its verb, the bit of its sign, the god that a card comes from (0 for a depot or a hand), and that which it goes to."""

NOTATION: Final = tuple([str(action) for action in _ACTIONS])
"""All actions but `draw`."""
