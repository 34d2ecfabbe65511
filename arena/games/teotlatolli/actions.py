"""What each action of Teotlatolli does (docs/rules.md).

A handler gives the state after its action, or None where that is not legal.  It takes the bit of the sign, and the gods
that the action names: where the card comes from (0 for a depot or a hand) and where it goes.
"""

from __future__ import annotations

from collections.abc import Callable

from arena.games.kernel import Answer
from arena.games.teotlatolli.cards import BEARS, CARDINALS, GODS, SIGN_BITS, Cards, add, remove
from arena.games.teotlatolli.moves import list_moves, list_switches
from arena.games.teotlatolli.state import (
    ACT,
    DISCARD,
    DRAW,
    EXTRA,
    GIVE,
    HAND,
    KEPT,
    MOVED,
    SWITCHED,
    Pair,
    Sides,
    TeotlatolliState,
)
from arena.games.teotlatolli.turns import complete, end_turn, is_complete, start_turn

Handler = Callable[[TeotlatolliState, int, int, int], TeotlatolliState | None]

_make = tuple.__new__


def perform(state: TeotlatolliState, action: Answer) -> TeotlatolliState | None:
    """Perform an action, any but `draw`; return None where it is not legal."""
    found = _ACTIONS.get(action)
    if found is None:
        return None
    handler, bit, source, target = found
    return handler(state, bit, source, target)


def _put(  # noqa: PLR0917 - as the fields stand
    state: TeotlatolliState, phase: int, spent: int, hands: Pair, known: Pair, depots: Pair, sides: Sides
) -> TeotlatolliState:
    """Make the state in which cards lie elsewhere.  Most states are made here; `_replace` would take three times as long."""
    return _make(TeotlatolliState, (*state[:KEPT], phase, spent, hands, known, depots, sides))


def _play(state: TeotlatolliState, bit: int, _: int, god: int) -> TeotlatolliState | None:
    seat, hands, known, sides, gods = state.seat, state.hands, state.known, state.sides, state.gods
    hand = hands[seat]
    if state.phase != ACT or not hand & bit or god not in gods:
        return None
    at = gods.index(god)
    own = sides[seat]
    if own[at] & bit:
        return None
    side = own[at] | bit
    hand = remove(hand, bit)
    if known[seat] & bit:
        known = _forget(known, seat, bit)
    own = (*own[:at], side, *own[at + 1 :])
    if seat:
        hands, sides = (hands[0], hand), (sides[0], own)
    else:
        hands, sides = (hand, hands[1]), (own, sides[1])
    after = _put(state, ACT, state.spent, hands, known, state.depots, sides)
    return complete(after, seat, god) if is_complete(god, side) else after


def _switch(state: TeotlatolliState, bit: int, god: int, _: int) -> TeotlatolliState | None:
    seat, spent, gods, sides = state.seat, state.spent, state.gods, state.sides
    if state.phase == ACT and not spent & SWITCHED:
        spent |= SWITCHED
    elif state.phase != EXTRA:
        return None
    if god not in gods:
        return None
    at = gods.index(god)
    own, theirs = sides[seat], sides[1 - seat]
    if not theirs[at] & bit:
        return None
    side, left = add(own[at], bit), remove(theirs[at], bit)
    own = (*own[:at], side, *own[at + 1 :])
    theirs = (*theirs[:at], left, *theirs[at + 1 :])
    sides = (theirs, own) if seat else (own, theirs)
    after = _put(state, ACT, spent, state.hands, state.known, state.depots, sides)
    if is_complete(god, side):  # where both sides are, it is the active seat's
        return complete(after, seat, god)
    return complete(after, 1 - seat, god) if is_complete(god, left) else after


def _move(state: TeotlatolliState, bit: int, source: int, god: int) -> TeotlatolliState | None:
    seat, spent, gods, depots = state.seat, state.spent, state.gods, state.depots
    if state.phase == ACT and not spent & MOVED:
        spent |= MOVED
    elif state.phase != EXTRA:
        return None
    if god not in gods or (source and source not in gods):
        return None
    sides_own = list(state.sides[seat])
    at = gods.index(god)
    if sides_own[at] & bit:
        return None
    gone = gods.index(source) if source else -1
    held = sides_own[gone] if source else depots[seat]
    if not held & bit:
        return None
    left = remove(held, bit)
    if source:
        sides_own[gone] = left
    else:
        depots = (depots[0], left) if seat else (left, depots[1])
    sides_own[at] |= bit
    own = tuple(sides_own)
    sides = (state.sides[0], own) if seat else (own, state.sides[1])
    after = _put(state, ACT, spent, state.hands, state.known, depots, sides)
    filled = [god] if is_complete(god, own[at]) else []
    if source and is_complete(source, left):
        filled.append(source)
    return complete(after, seat, *filled) if filled else after


def _use(state: TeotlatolliState, bit: int, _: int, __: int) -> TeotlatolliState | None:
    seat = state.seat
    if state.phase != ACT or not state.hands[seat] & bit:
        return None
    # What is possible now still is with the card in the other's depot: nothing can be taken from there.
    if not list_switches(state) and not list_moves(state):
        return None
    return _hand_over(state, bit)._replace(phase=EXTRA)


def _hand_over(state: TeotlatolliState, bit: int) -> TeotlatolliState:
    """Put a card from the hand into the other seat's depot."""
    (hand, other), (depot, theirs) = state.hands, state.depots
    known = _forget(state.known, state.seat, bit)
    if state.seat:
        return state._replace(hands=(hand, remove(other, bit)), known=known, depots=(add(depot, bit), theirs))
    return state._replace(hands=(remove(hand, bit), other), known=known, depots=(depot, add(theirs, bit)))


def _forget(known: tuple[Cards, Cards], seat: int, bit: int) -> tuple[Cards, Cards]:
    """Take a card that leaves a hand off those known to be in it; of equal ones it is a known one that leaves."""
    of_seat = known[seat]
    if not of_seat & bit:
        return known
    return (known[0], remove(of_seat, bit)) if seat else (remove(of_seat, bit), known[1])


def _discard(state: TeotlatolliState, bit: int, _: int, __: int) -> TeotlatolliState | None:
    seat = state.seat
    hand = state.hands[seat]
    if state.phase != DISCARD or not hand & bit:
        return None
    hand = remove(hand, bit)
    hands = (state.hands[0], hand) if seat else (hand, state.hands[1])
    known = _forget(state.known, seat, bit)
    after = state._replace(hands=hands, known=known, discards=add(state.discards, bit))
    return after._replace(phase=GIVE) if hand.bit_count() > HAND else start_turn(after)


def _give(state: TeotlatolliState, bit: int, _: int, __: int) -> TeotlatolliState | None:
    if state.phase != GIVE or not state.hands[state.seat] & bit:
        return None
    return start_turn(_hand_over(state, bit))


def _keep(state: TeotlatolliState, _: int, __: int, ___: int) -> TeotlatolliState | None:
    return state._replace(phase=ACT) if state.phase == DRAW else None


def _end(state: TeotlatolliState, _: int, __: int, ___: int) -> TeotlatolliState | None:
    return end_turn(state) if state.phase == ACT else None


def _list_all() -> dict[Answer, tuple[Handler, int, int, int]]:
    found: dict[Answer, tuple[Handler, int, int, int]] = {"keep": (_keep, 0, 0, 0), "end": (_end, 0, 0, 0)}
    for name, bit in SIGN_BITS.items():
        found[f"discard {name}"] = (_discard, bit, 0, 0)
        found[f"give {name}"] = (_give, bit, 0, 0)
        if bit & CARDINALS:
            found[f"use {name}"] = (_use, bit, 0, 0)
        bearers = [god for god in GODS if BEARS[god] & bit]
        for god in bearers:
            found[f"play {name} {god}"] = (_play, bit, 0, god)
            found[f"move {name} depot {god}"] = (_move, bit, 0, god)
            if not bit & CARDINALS:
                found[f"switch {name} {god}"] = (_switch, bit, god, 0)
            for other in bearers:
                if other != god:
                    found[f"move {name} {god} {other}"] = (_move, bit, god, other)
    return found


_ACTIONS = _list_all()
