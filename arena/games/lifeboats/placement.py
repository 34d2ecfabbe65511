"""Setting up Lifeboats: dealt from the seed, or chosen (docs/rules.md, *Setting up*)."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.chance import Stream
from arena.games.kernel import Action, Answer, Chance, IllegalAction, Setup, Step
from arena.games.lifeboats import rounds
from arena.games.lifeboats.notation import LAUNCHED, LAUNCHES, WORDS
from arena.games.lifeboats.state import (
    COLUMNS,
    HATS,
    ISLANDS,
    NOBODY,
    OFFICER,
    PLACES,
    SAILOR,
    LifeboatsState,
    Match,
    Stage,
    add_pawn,
    crew_of,
    has,
    officers,
    sailors,
)
from arena.games.lifeboats.votes import ALONE
from arena.games.tuples import put


def choose_setup(setup: Setup) -> LifeboatsState:
    """Begin a match in which everything is chosen."""
    match = match_of(setup)
    boats = match.seats + 1
    return LifeboatsState(
        match=match,
        stage=Stage.LAUNCH,
        to_act=ALONE[0],
        round=0,
        start=0,
        columns=(0,) * boats,
        rows=(0,) * boats,
        leaks=(0,) * boats,
        room=(PLACES,) * boats,
        crews=((0,) * match.seats,) * boats,
        at_sea=(1 << boats) - 1,
        hats=(HATS,) * match.seats,
        ashore=((0,) * ISLANDS,) * match.seats,
        berths=(),
        waiting=(crew_of(match.seats),) * match.seats,
        vote="",
        boat=NOBODY,
        options=0,
        talked=0,
        ballots=(),
        left=(),
    )


def deal_setup(setup: Setup, seed: bytes) -> tuple[LifeboatsState, tuple[Step, ...]]:
    """Deal columns to the boats and places to the pawns, and begin the first round."""
    letters = WORDS[setup.seats].letters
    columns, stream = Stream(seed).shuffle(range(1, COLUMNS + 1))
    columns = columns[: len(letters)]
    places, _ = stream.shuffle([boat for boat in range(len(letters)) for _ in range(PLACES)])
    crews = [[0] * setup.seats for _ in letters]
    room = [PLACES] * len(letters)
    free = iter(places)
    pawns = crew_of(setup.seats)
    one_seat = [OFFICER] * officers(pawns) + [SAILOR] * sailors(pawns)
    for seat in range(setup.seats):
        for pawn, boat in zip(one_seat, free, strict=False):  # the places are more than the pawns
            crews[boat][seat] += pawn
            room[boat] -= 1
    state = choose_setup(setup)
    state.columns = columns
    state.crews = tuple([tuple(crew) for crew in crews])
    state.room = tuple(room)
    state.waiting = (0,) * setup.seats
    rounds.start(state)
    dealt = Chance("setup", (" ".join(map(str, columns)), " ".join([letters[boat] for boat in places])))
    return state, (dealt,)


def can_launch(state: LifeboatsState) -> tuple[Action, ...]:
    """List the empty columns, ascending."""
    free = (1 << COLUMNS) - 1
    for column in state.columns:
        if column:
            free &= ~(1 << column - 1)
    return LAUNCHES[free]


def can_board(state: LifeboatsState, seat: int) -> tuple[Action, ...]:
    """List the ways to seat a pawn: by boat, a sailor before an officer."""
    boards, waiting = WORDS[state.match.seats].boards, state.waiting[seat]
    actions: list[Action] = []
    for boat, room in enumerate(state.room):
        if room:
            actions += boards[boat][waiting]
    return tuple(actions)


def launch(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """Put a boat into a column: each seat its own, then seat 0 the black one."""
    seat = state.to_act[0].seat
    column = LAUNCHED.get(answers[0], 0)
    if not column or column in state.columns:
        allowed = ", ".join(can_launch(state))
        raise IllegalAction(f"action {answers[0]!r} of seat {seat}: must be one of {allowed}")
    boat = state.columns.index(0)
    launched, seats = boat + 1, state.match.seats
    after = state.copy()
    after.columns = put(state.columns, boat, column)
    if launched > seats:
        after.stage = Stage.BOARD
    after.to_act = ALONE[launched % seats if launched <= seats else 0]
    return after


def board(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """Seat a pawn; when all are seated the first round begins."""
    seat = state.to_act[0].seat
    seats, waiting = state.match.seats, state.waiting[seat]
    pawn, boat = WORDS[seats].boarded.get(answers[0], (0, NOBODY))
    if boat < 0 or not state.room[boat] or not has(waiting, pawn):
        allowed = ", ".join(can_board(state, seat))
        raise IllegalAction(f"action {answers[0]!r} of seat {seat}: must be one of {allowed}")
    after = state.copy()
    after.crews = add_pawn(state.crews, boat, seat, pawn)
    after.room = put(state.room, boat, state.room[boat] - 1)
    after.waiting = put(state.waiting, seat, waiting - pawn)
    after.to_act = ALONE[(seat + 1) % seats]
    if not any(after.waiting):
        rounds.start(after)
    return after


def match_of(setup: Setup) -> Match:
    """Return what stays the same for a whole match."""
    talkers = tuple([seat for seat, talks in enumerate(setup.talks) if talks])
    return Match(setup.seats, setup.options["talk"], setup.variant == "stick", talkers)
