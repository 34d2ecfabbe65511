"""End of a turn of Teotlatolli: completion, hand limit, turn limits (docs/rules.md)."""

from __future__ import annotations

from arena.games.kernel import Chance
from arena.games.teotlatolli.cards import BEARS, SIGNS, Cards, add, list_signs, merge
from arena.games.teotlatolli.state import (
    ACT,
    DISCARD,
    DRAW,
    HAND,
    LAST_GOD,
    NOBODY,
    PLACES,
    QUIET_LIMIT,
    TURN_LIMIT,
    Supply,
    TeotlatolliState,
)


def is_decided(state: TeotlatolliState) -> bool:
    """Return whether completions have ended the match: the 16th, or at 8 : 8 one more."""
    completed = state.completed
    first, second = len(completed[0]), len(completed[1])
    return first + second >= LAST_GOD and first != second


def is_complete(god: int, side: Cards) -> bool:
    """Return whether a side holds the four signs of its god, each exactly once."""
    return side == BEARS[god]


# These change the state, a copy that their caller has made.


def complete(state: TeotlatolliState, seat: int, filled: list[int]) -> None:
    """Award gods to a seat, one after the other as long as the match is not decided; then end the turn."""
    for god in filled:
        if not is_decided(state):
            _take(state, seat, god)
    if is_decided(state):
        state.seat = NOBODY
    else:
        state.quiet = -1
        end_turn(state)


def _take(state: TeotlatolliState, seat: int, god: int) -> None:
    gods, completed = state.gods, state.completed
    at = gods.index(god)
    done = len(completed[0]) + len(completed[1])
    # The gods completed and those in play have come from the supply; at the 16th there is none to take the place.
    coming = state.supply.gods[done + PLACES : done + PLACES + 1]
    empty = (0,) * len(coming)
    first, second = state.sides
    state.discards = merge(state.discards, first[at], second[at])
    state.gods = gods[:at] + coming + gods[at + 1 :]
    state.sides = (first[:at] + empty + first[at + 1 :], second[:at] + empty + second[at + 1 :])
    if seat:
        state.completed = (completed[0], (*completed[1], god))
    else:
        state.completed = ((*completed[0], god), completed[1])


def end_turn(state: TeotlatolliState) -> None:
    """Go on to the hand limit, if there are too many cards in hand, else to the next turn."""
    first, second = state.hands
    hand = second if state.seat else first
    if hand.bit_count() > HAND:
        state.phase = DISCARD
    else:
        start_turn(state)


def start_turn(state: TeotlatolliState) -> None:
    """Count the turn that is over, and give the next one to the other seat unless that was the last."""
    state.turn += 1
    state.quiet += 1
    if state.turn == TURN_LIMIT or state.quiet == QUIET_LIMIT:
        state.seat = NOBODY
        return
    state.seat = 1 - state.seat
    state.phase = DRAW if state.discards or state.drawn < len(state.supply.reserve) else ACT
    state.spent = 0


def draw(state: TeotlatolliState) -> tuple[Chance, ...]:
    """Draw two signs, or what there is; the discards are shuffled when a sign is to be drawn and there is none."""
    seat = state.seat
    first, second = state.hands
    steps: tuple[Chance, ...] = ()
    for _ in range(2):
        supply = state.supply
        if state.drawn == len(supply.reserve) and state.discards:
            reserve, stream = supply.stream.shuffle(list_signs(state.discards))
            supply = state.supply = Supply(stream, reserve, supply.gods)
            state.drawn, state.discards = 0, 0
            state.known = (first, second)
            steps = (Chance("reshuffle", (" ".join([SIGNS[sign] for sign in reserve]),)),)
        if state.drawn < len(supply.reserve):
            bit = 1 << supply.reserve[state.drawn]
            if seat:
                second = add(second, bit)
            else:
                first = add(first, bit)
            state.drawn += 1
    state.hands = (first, second)
    state.phase = ACT
    return steps
