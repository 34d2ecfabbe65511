"""Rounds of Lifeboats: a leak, a move, changing boats, sinking (docs/rules.md, *A round*)."""

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
    Numbers,
    Stage,
    put,
)
from arena.games.lifeboats.votes import ALONE, is_single, open_vote


def start(state: LifeboatsState) -> LifeboatsState:
    """Start a round; its first vote is for a leak."""
    return _hold(state, LEAK, state.at_sea)


def settle(state: LifeboatsState, option: int) -> LifeboatsState:
    """Carry out what the vote decided."""
    if state.vote == LEAK:
        return _spring_leak(state, option)
    if state.vote == MOVE:
        return _move(state, option)
    return _throw_overboard(state, option)


def can_leave(state: LifeboatsState, seat: int) -> tuple[Action, ...]:
    """List the ways for a seat to take a pawn out: by boat, a sailor before an officer."""
    gone = [leaver.boat for leaver in state.left]
    leaves = WORDS[state.match.seats].leaves
    # A boat that is not at sea has no crew.
    actions: list[Action] = []
    for boat, crew in enumerate(state.crews):
        if crew[seat] and boat not in gone:
            actions += leaves[boat][crew[seat]]
    return tuple(actions)


def can_enter(state: LifeboatsState) -> tuple[Action, ...]:
    """List the boats that the last pawn out may enter."""
    return WORDS[state.match.seats].enters[_open_to(state, state.left[-1])]


def leave(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """Take a pawn out of a boat."""
    seat = state.to_act[0].seat
    pawn, boat = WORDS[state.match.seats].left.get(answers[0], (0, NOBODY))
    if boat < 0 or answers[0] not in can_leave(state, seat):
        allowed = ", ".join(can_leave(state, seat))
        raise IllegalAction(f"action {answers[0]!r} of seat {seat}: must be one of {allowed}")
    crew = put(state.crews[boat], seat, state.crews[boat][seat] - pawn)
    crews = (*state.crews[:boat], crew, *state.crews[boat + 1 :])
    left = (*state.left, Leaver(seat, pawn, boat))
    next_seat = next_to_leave(state.start, crews, left, (seat - state.start) % state.match.seats + 1)
    after = state._replace(
        to_act=ALONE[next_seat] if next_seat >= 0 else (),
        crews=crews,
        room=put(state.room, boat, state.room[boat] + 1),
        left=left,
    )
    return after if next_seat >= 0 else _next_to_enter(after)


def enter(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """Put the last pawn out into a boat."""
    leaver = state.left[-1]
    boat = WORDS[state.match.seats].entered.get(answers[0], NOBODY)
    if boat < 0 or not _open_to(state, leaver) >> boat & 1:
        allowed = ", ".join(can_enter(state))
        raise IllegalAction(f"action {answers[0]!r} of seat {leaver.seat}: must be one of {allowed}")
    seat = leaver.seat
    crew = put(state.crews[boat], seat, state.crews[boat][seat] + leaver.pawn)
    after = state._replace(
        crews=(*state.crews[:boat], crew, *state.crews[boat + 1 :]),
        room=put(state.room, boat, state.room[boat] - 1),
        left=state.left[:-1],
    )
    return _next_to_enter(after)


def _hold(state: LifeboatsState, vote: str, options: int, boat: int = NOBODY) -> LifeboatsState:
    if is_single(options):
        return settle(state._replace(vote=vote, options=options, boat=boat), options.bit_length() - 1)
    return open_vote(state, vote, options, boat)


def _spring_leak(state: LifeboatsState, boat: int) -> LifeboatsState:
    leaks, room = state.leaks[boat], state.room[boat]
    if room:
        after = state._replace(leaks=put(state.leaks, boat, leaks + 1), room=put(state.room, boat, room - 1))
        return _after_leak(after)
    pawns = PLACES - leaks
    if leaks + 1 > pawns - 1:  # it would sink whoever went: no vote
        return _after_leak(_lose(state, 1 << boat))
    colours = sum([1 << seat for seat, aboard in enumerate(state.crews[boat]) if aboard])
    return _hold(state, OVERBOARD, colours, boat)


def _throw_overboard(state: LifeboatsState, seat: int) -> LifeboatsState:
    boat = state.boat
    aboard = state.crews[boat][seat]
    pawn = SAILOR if aboard % OFFICER else OFFICER
    crew = put(state.crews[boat], seat, aboard - pawn)
    after = state._replace(
        crews=(*state.crews[:boat], crew, *state.crews[boat + 1 :]),
        leaks=put(state.leaks, boat, state.leaks[boat] + 1),
    )
    return _after_leak(after)


def _after_leak(state: LifeboatsState) -> LifeboatsState:
    state = _sink(state)
    return _hold(state, MOVE, state.at_sea) if state.at_sea else _end(state)


def _move(state: LifeboatsState, boat: int) -> LifeboatsState:
    row = state.rows[boat] + 1
    state = state._replace(rows=put(state.rows, boat, row), vote="", options=0)
    if row == LANDED:
        state = _land(state, boat)
    # No boat at sea has other leaks or pawns than after the leak, so none sinks.
    return _change_boats(state) if state.at_sea else _end(state)


def _land(state: LifeboatsState, boat: int) -> LifeboatsState:
    island = ISLAND[state.columns[boat]]
    ashore = tuple(
        [
            put(safe, island, safe[island] + aboard)
            for safe, aboard in zip(state.ashore, state.crews[boat], strict=True)
        ]
    )
    return _lose(state, 1 << boat)._replace(ashore=ashore, berths=(*state.berths, boat))


def _change_boats(state: LifeboatsState) -> LifeboatsState:
    seat = next_to_leave(state.start, state.crews, (), 0)
    if seat == NOBODY:
        return _end_round(state)
    return state._replace(stage=Stage.LEAVE, to_act=ALONE[seat])


def next_to_leave(first: int, crews: tuple[Numbers, ...], left: tuple[Leaver, ...], turn: int) -> int:
    """Return the next seat that can leave a boat, from the given place after the start player, or NOBODY."""
    gone = [leaver.boat for leaver in left]
    here = [crew for boat, crew in enumerate(crews) if boat not in gone]
    seats = len(crews[0])
    for later in range(turn, seats):
        seat = (first + later) % seats
        for crew in here:
            if crew[seat]:
                return seat
    return NOBODY


def _next_to_enter(state: LifeboatsState) -> LifeboatsState:
    left = state.left
    while left and not _open_to(state, left[-1]):
        left = left[:-1]  # it drowns
    if left:
        return state._replace(stage=Stage.ENTER, to_act=ALONE[left[-1].seat], left=left)
    return _end_round(state._replace(left=()))


def _end_round(state: LifeboatsState) -> LifeboatsState:
    state = _sink(state)
    if not state.at_sea:
        return _end(state)
    return start(state._replace(round=state.round + 1, start=(state.start + 1) % state.match.seats))


def _end(state: LifeboatsState) -> LifeboatsState:
    return state._replace(stage=Stage.OVER, to_act=(), vote="", options=0, boat=NOBODY)


def _sink(state: LifeboatsState) -> LifeboatsState:
    gone = 0
    for boat, (leaks, room) in enumerate(zip(state.leaks, state.room, strict=True)):
        if leaks > PLACES - leaks - room:
            gone |= 1 << boat
    return _lose(state, gone) if gone else state


def _lose(state: LifeboatsState, gone: int) -> LifeboatsState:
    """Take boats out of play: they are left without crews and leaks."""
    nobody = (0,) * state.match.seats
    here = [not gone >> boat & 1 for boat in range(len(state.leaks))]
    return state._replace(
        at_sea=state.at_sea & ~gone,
        leaks=tuple([leaks if stays else 0 for leaks, stays in zip(state.leaks, here, strict=True)]),
        room=tuple([room if stays else PLACES for room, stays in zip(state.room, here, strict=True)]),
        crews=tuple([crew if stays else nobody for crew, stays in zip(state.crews, here, strict=True)]),
    )


def _open_to(state: LifeboatsState, leaver: Leaver) -> int:
    """Return the set of boats that a pawn may enter."""
    boats = 0
    for boat, room in enumerate(state.room):
        if room:
            boats |= 1 << boat
    return boats & state.at_sea & ~(1 << leaver.boat)
