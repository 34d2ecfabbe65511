"""Rounds of Lifeboats: a leak, a move, changing boats, sinking (docs/rules.md, *A round*).

`after` is the position that is being made: the caller's own copy, which these functions change.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.kernel import Action, Answer, IllegalAction
from arena.games.lifeboats.notation import WORDS
from arena.games.lifeboats.state import (
    ISLAND,
    LANDED,
    LEAK,
    MOVE,
    NOBODY,
    OFFICER,
    OVERBOARD,
    PLACES,
    SAILOR,
    Leaver,
    LifeboatsState,
    Stage,
    add_pawn,
    has,
)
from arena.games.lifeboats.votes import ALONE, is_single, open_vote
from arena.games.tuples import put


def start(after: LifeboatsState) -> None:
    """Start a round in `after`; its first vote is for a leak."""
    _hold(after, LEAK, after.at_sea)


def settle(after: LifeboatsState, option: int) -> None:
    """Carry out in `after` what the vote decided."""
    if after.vote == LEAK:
        _spring_leak(after, option)
    elif after.vote == MOVE:
        _move(after, option)
    else:
        _throw_overboard(after, option)


def can_leave(state: LifeboatsState, seat: int) -> tuple[Action, ...]:
    """List the ways for a seat to take a pawn out: by boat, a sailor before an officer."""
    leaves, gone = WORDS[state.match.seats].leaves, _boats_left(state)
    # A boat that is not at sea has no crew.
    actions: list[Action] = []
    for boat, crew in enumerate(state.crews):
        if crew[seat] and not gone >> boat & 1:
            actions += leaves[boat][crew[seat]]
    return tuple(actions)


def can_enter(state: LifeboatsState) -> tuple[Action, ...]:
    """List the boats that the last pawn out may enter."""
    return WORDS[state.match.seats].enters[_open_to(state, state.left[-1])]


def leave(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """Take a pawn out of a boat."""
    seat = state.to_act[0].seat
    pawn, boat = WORDS[state.match.seats].left.get(answers[0], (0, NOBODY))
    if boat < 0 or not has(state.crews[boat][seat], pawn) or _boats_left(state) >> boat & 1:
        allowed = ", ".join(can_leave(state, seat))
        raise IllegalAction(f"action {answers[0]!r} of seat {seat}: must be one of {allowed}")
    after = state.copy()
    after.crews = add_pawn(state.crews, boat, seat, -pawn)
    after.room = put(state.room, boat, state.room[boat] + 1)
    after.left = (*state.left, Leaver(seat, pawn, boat))
    next_seat = next_to_leave(after, (seat - state.start) % state.match.seats + 1)
    if next_seat == NOBODY:
        _next_to_enter(after)
    else:
        after.to_act = ALONE[next_seat]
    return after


def enter(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """Put the last pawn out into a boat."""
    leaver = state.left[-1]
    boat = WORDS[state.match.seats].entered.get(answers[0], NOBODY)
    if boat < 0 or not _open_to(state, leaver) >> boat & 1:
        allowed = ", ".join(can_enter(state))
        raise IllegalAction(f"action {answers[0]!r} of seat {leaver.seat}: must be one of {allowed}")
    after = state.copy()
    after.crews = add_pawn(state.crews, boat, leaver.seat, leaver.pawn)
    after.room = put(state.room, boat, state.room[boat] - 1)
    after.left = state.left[:-1]
    _next_to_enter(after)
    return after


def next_to_leave(state: LifeboatsState, turn: int) -> int:
    """Return the next seat that can leave a boat, from the given place after the start player, or NOBODY."""
    gone = _boats_left(state)
    seats = state.match.seats
    for later in range(turn, seats):
        seat = (state.start + later) % seats
        for boat, crew in enumerate(state.crews):
            if crew[seat] and not gone >> boat & 1:
                return seat
    return NOBODY


def _hold(after: LifeboatsState, vote: str, options: int, boat: int = NOBODY) -> None:
    """Hold a vote in `after`, or settle it where there is one option."""
    after.vote = vote
    after.options = options
    after.boat = boat
    if is_single(options):
        settle(after, options.bit_length() - 1)
    else:
        open_vote(after)


def _spring_leak(after: LifeboatsState, boat: int) -> None:
    """Add a leak to a boat in `after`."""
    leaks, room = after.leaks[boat], after.room[boat]
    pawns = PLACES - leaks - room
    if room:
        after.leaks = put(after.leaks, boat, leaks + 1)
        after.room = put(after.room, boat, room - 1)
        _after_leak(after)
    elif leaks + 1 > pawns - 1:  # it would sink with any passenger removed: no vote
        _lose(after, boat)
        _after_leak(after)
    else:
        colours = 0
        for seat, aboard in enumerate(after.crews[boat]):
            if aboard:
                colours |= 1 << seat
        _hold(after, OVERBOARD, colours, boat)


def _throw_overboard(after: LifeboatsState, seat: int) -> None:
    """Drown a pawn of a seat in `after`, and give its boat a leak."""
    boat = after.boat
    pawn = SAILOR if has(after.crews[boat][seat], SAILOR) else OFFICER
    after.crews = add_pawn(after.crews, boat, seat, -pawn)
    after.leaks = put(after.leaks, boat, after.leaks[boat] + 1)
    _after_leak(after)


def _after_leak(after: LifeboatsState) -> None:
    """Go on in `after`, where the leak has been sprung."""
    _sink(after)
    if after.at_sea:
        _hold(after, MOVE, after.at_sea)
    else:
        _end(after)


def _move(after: LifeboatsState, boat: int) -> None:
    """Move a boat in `after`."""
    row = after.rows[boat] + 1
    after.rows = put(after.rows, boat, row)
    after.vote = ""
    after.options = 0
    if row == LANDED:
        _land(after, boat)
    # No boat at sea has other leaks or pawns than after the leak, so none sinks.
    if after.at_sea:
        _change_boats(after)
    else:
        _end(after)


def _land(after: LifeboatsState, boat: int) -> None:
    """Bring those aboard to their island in `after`."""
    island, crew = ISLAND[after.columns[boat]], after.crews[boat]
    after.ashore = tuple(
        [put(safe, island, safe[island] + crew[seat]) for seat, safe in enumerate(after.ashore)]
    )
    after.berths = (*after.berths, boat)
    _lose(after, boat)


def _change_boats(after: LifeboatsState) -> None:
    """Have the first seat that can do so leave a boat in `after`."""
    seat = next_to_leave(after, 0)
    if seat == NOBODY:
        _end_round(after)
    else:
        after.stage = Stage.LEAVE
        after.to_act = ALONE[seat]


def _next_to_enter(after: LifeboatsState) -> None:
    """Have the last pawn out enter a boat in `after`; those that cannot drown."""
    left = after.left
    while left and not _open_to(after, left[-1]):
        left = left[:-1]
    after.left = left
    if left:
        after.stage = Stage.ENTER
        after.to_act = ALONE[left[-1].seat]
    else:
        _end_round(after)


def _end_round(after: LifeboatsState) -> None:
    """Sink boats in `after`, and start the next round."""
    _sink(after)
    if after.at_sea:
        after.round += 1
        after.start = (after.start + 1) % after.match.seats
        start(after)
    else:
        _end(after)


def _end(after: LifeboatsState) -> None:
    """End the match in `after`."""
    after.stage = Stage.OVER
    after.to_act = ()
    after.vote = ""
    after.options = 0
    after.boat = NOBODY


def _sink(after: LifeboatsState) -> None:
    """Sink the boats in `after` that have more leaks than pawns."""
    for boat, leaks in enumerate(after.leaks):
        if leaks > PLACES - leaks - after.room[boat]:
            _lose(after, boat)


def _lose(after: LifeboatsState, boat: int) -> None:
    """Take a boat out of play in `after`: it is left without crew and leaks."""
    after.at_sea &= ~(1 << boat)
    after.leaks = put(after.leaks, boat, 0)
    after.room = put(after.room, boat, PLACES)
    after.crews = put(after.crews, boat, (0,) * after.match.seats)


def _boats_left(state: LifeboatsState) -> int:
    """Return the set of boats that a pawn has left."""
    boats = 0
    for leaver in state.left:
        boats |= 1 << leaver.boat
    return boats


def _open_to(state: LifeboatsState, leaver: Leaver) -> int:
    """Return the set of boats that a pawn may enter."""
    boats = 0
    for boat, room in enumerate(state.room):
        if room:
            boats |= 1 << boat
    return boats & state.at_sea & ~(1 << leaver.boat)
