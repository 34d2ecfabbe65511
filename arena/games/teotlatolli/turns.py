"""How a turn of Teotlatolli ends: completion, hand limit, turn limits (docs/rules.md)."""

from __future__ import annotations

from arena.games.kernel import Chance
from arena.games.teotlatolli.cards import BEARS, SIGNS, add, list_signs, merge
from arena.games.teotlatolli.state import (
    ACT,
    DISCARD,
    DRAW,
    HAND,
    LAST_GOD,
    NOBODY,
    PLACES,
    QUIET_LIMIT,
    SEATS,
    TURN_LIMIT,
    TeotlatolliState,
)

_make = tuple.__new__


def is_decided(state: TeotlatolliState) -> bool:
    """Return whether completions have ended the match: the 16th, or at 8 : 8 one more."""
    first, second = map(len, state.completed)
    return first + second >= LAST_GOD and first != second


def complete(state: TeotlatolliState, seat: int, *gods: int) -> TeotlatolliState:
    """Award gods to a seat, one after the other as long as the match is not decided; then end the turn."""
    for god in gods:
        if not is_decided(state):
            state = _take(state, seat, god)
    if is_decided(state):
        return state._replace(seat=NOBODY)
    return end_turn(state._replace(quiet=-1))


def _take(state: TeotlatolliState, seat: int, god: int) -> TeotlatolliState:
    at = state.gods.index(god)
    done = sum(map(len, state.completed))
    # The gods completed and those in play have come from the supply; at the 16th there is none to take the place.
    coming = state.supply.gods[done + PLACES : done + PLACES + 1]
    empty = (0,) * len(coming)
    first, second = state.sides
    own = (*state.completed[seat], god)
    return state._replace(
        discards=merge(state.discards, first[at], second[at]),
        gods=(*state.gods[:at], *coming, *state.gods[at + 1 :]),
        sides=((*first[:at], *empty, *first[at + 1 :]), (*second[:at], *empty, *second[at + 1 :])),
        completed=(state.completed[0], own) if seat else (own, state.completed[1]),
    )


def is_complete(god: int, side: int) -> bool:
    """Return whether a side holds the four signs of its god, each exactly once."""
    return side == BEARS[god]


def end_turn(state: TeotlatolliState) -> TeotlatolliState:
    """Go on to the hand limit, if there are too many cards in hand, else to the next turn."""
    if state.hands[state.seat].bit_count() > HAND:
        return state._replace(phase=DISCARD)
    return start_turn(state)


def start_turn(state: TeotlatolliState) -> TeotlatolliState:
    """Count the turn that is over, and give the next one to the other seat unless that was the last."""
    turn, quiet = state.turn + 1, state.quiet + 1
    if turn == TURN_LIMIT or quiet == QUIET_LIMIT:
        return state._replace(turn=turn, quiet=quiet, seat=NOBODY)
    there = state.drawn < len(state.supply.reserve) or state.discards
    supply, drawn, _, _, seat, discards, gods, completed, _, _, *cards = state
    phase = DRAW if there else ACT
    return _make(
        TeotlatolliState,
        (supply, drawn, turn, quiet, SEATS - 1 - seat, discards, gods, completed, phase, 0, *cards),
    )


def draw(state: TeotlatolliState) -> tuple[TeotlatolliState, tuple[Chance, ...]]:
    """Draw two signs, or what there is; the discards are shuffled when a sign is to be drawn and there is none."""
    supply, drawn, discards = state.supply, state.drawn, state.discards
    hand, other = state.hands[state.seat], state.hands[SEATS - 1 - state.seat]
    known = state.known
    steps: tuple[Chance, ...] = ()
    for _ in range(2):
        if drawn == len(supply.reserve) and discards:
            reserve, stream = supply.stream.shuffle(list_signs(discards))
            supply, drawn, discards = supply._replace(stream=stream, reserve=reserve), 0, 0
            known = (other, hand) if state.seat else (hand, other)
            steps = (Chance("reshuffle", (" ".join([SIGNS[sign] for sign in reserve]),)),)
        if drawn < len(supply.reserve):
            hand = add(hand, 1 << supply.reserve[drawn])
            drawn += 1
    hands = (other, hand) if state.seat else (hand, other)
    after = state._replace(supply=supply, drawn=drawn, phase=ACT, hands=hands, known=known, discards=discards)
    return after, steps
