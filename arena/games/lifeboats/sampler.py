"""The state behind a view of Lifeboats: nothing is hidden but what is being chosen, so there is but one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from arena.games.kernel import Decision, Setup, Step
from arena.games.lifeboats import placement, rounds, votes
from arena.games.lifeboats.notation import HAT, WORDS
from arena.games.lifeboats.state import (
    NOBODY,
    OFFICER,
    PAWNS,
    PLACES,
    SAILOR,
    Leaver,
    LifeboatsState,
    Match,
    Numbers,
    Stage,
)
from arena.games.lifeboats.view import LifeboatsView

_PAWN = dict(zip(PAWNS, (SAILOR, OFFICER), strict=True))


def sample(
    setup: Setup,
    view: LifeboatsView,
    history: Sequence[Step],  # noqa: ARG001 - the view tells all
    seat: int,  # noqa: ARG001 - it tells all seats the same
    random: Random,  # noqa: ARG001 - no chance is left after the set-up
) -> LifeboatsState:
    """Return the one state that agrees with the view."""
    return _restore(placement.match_of(setup), view)


@lru_cache(maxsize=1 << 8)  # a search asks for the same one over and over
def _restore(match: Match, view: LifeboatsView) -> LifeboatsState:
    at = WORDS[match.seats].letters.index
    state = LifeboatsState(
        match=match,
        stage=view.stage,
        to_act=(),
        round=view.round,
        start=view.start,
        columns=tuple([boat.column for boat in view.boats]),
        rows=tuple([boat.row for boat in view.boats]),
        leaks=tuple([boat.leaks for boat in view.boats]),
        room=tuple([PLACES - boat.leaks - sum(boat.sailors) - sum(boat.officers) for boat in view.boats]),
        crews=tuple([_codes(boat.sailors, boat.officers) for boat in view.boats]),
        at_sea=sum([boat.at_sea << number for number, boat in enumerate(view.boats)]),
        hats=tuple([each.hats for each in view.seats]),
        ashore=tuple([_codes(each.saved_sailors, each.saved_officers) for each in view.seats]),
        berths=tuple(map(at, view.berths)),
        waiting=tuple([each.waiting_officers * OFFICER + each.waiting_sailors for each in view.seats]),
        vote=view.vote,
        boat=at(view.boat) if view.boat else NOBODY,
        options=sum([1 << at(letter) for letter in view.options]),
        talked=view.talk_round,
        ballots=view.ballots,
        left=tuple([Leaver(each.seat, _PAWN[each.pawn], at(each.boat)) for each in view.left]),
    )
    state.to_act = _open(state)
    return state


def _codes(sailors: Numbers, officers: Numbers) -> Numbers:
    return tuple([own * OFFICER + others for own, others in zip(officers, sailors, strict=True)])


def _open(state: LifeboatsState) -> tuple[Decision, ...]:
    """Name the decisions that are open, which the view does not list."""
    match state.stage:
        case Stage.TALK:
            return votes.talks(state.match, state.talked)
        case Stage.VOTE:
            return votes.voters(state.match, state.vote, state.options)
        case Stage.OVER:
            return ()
        case stage:
            return votes.ALONE[_turn(state, stage)]


def _turn(state: LifeboatsState, stage: str) -> int:
    seats = state.match.seats
    if stage == Stage.LAUNCH:
        return state.columns.index(0) % seats
    if stage == Stage.BOARD:
        # A seat that has had its turn has fewer pawns waiting than those after it.
        pawns = [code // OFFICER + code % OFFICER for code in state.waiting]
        return pawns.index(max(pawns))
    if stage == Stage.CHOOSE:
        alone = state.ballots.count(HAT) == 1
        return state.ballots.index(HAT) if alone else state.start
    if stage == Stage.LEAVE:
        turn = (state.left[-1].seat - state.start) % seats + 1 if state.left else 0
        return rounds.next_to_leave(state, turn)
    return state.left[-1].seat if stage == Stage.ENTER else state.start
