"""Votes of Lifeboats: the talk before them, the ballots, the count (docs/rules.md, *A vote*, *Talk*).

`after` is the position that is being made: the caller's own copy, which these functions change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from arena.games.kernel import (
    SILENCE,
    Action,
    Answer,
    Choice,
    Decision,
    IllegalAction,
    Line,
    Talk,
    TalkLimits,
    check_line,
)
from arena.games.lifeboats.notation import HAT, STICK, TALK_ON, WORDS
from arena.games.lifeboats.state import (
    COLOURS,
    LEAK,
    MOVE,
    NOBODY,
    OFFICER,
    OVERBOARD,
    LifeboatsState,
    Match,
    Stage,
)
from arena.games.tuples import put

CHOICES: Final[tuple[tuple[Decision, ...], ...]] = tuple(
    tuple([Choice(seat) for seat in range(len(COLOURS)) if seats >> seat & 1])
    for seats in range(1 << len(COLOURS))
)
"""By the set of seats that choose."""

ALONE: Final[tuple[tuple[Decision, ...], ...]] = tuple([(Choice(seat),) for seat in range(len(COLOURS))])

# The weight of a code: an officer counts 2.
_WEIGHTS: Final = tuple([2 * (code // OFFICER) + code % OFFICER for code in range(3 * OFFICER)])


def is_single(options: int) -> bool:
    """Return whether a set has one member."""
    return options & (options - 1) == 0


def open_vote(after: LifeboatsState) -> None:
    """Open the current vote in `after`: its talk, if there is any, else the ballot."""
    match = after.match
    if match.talk and match.talkers:
        after.stage = Stage.TALK
        after.to_act = talks(match, 0)
    else:
        _open_ballot(after)


def hear(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """End a round of talk; a silent one, or the last one, ends the talk."""
    match = state.match
    for decision, line in zip(state.to_act, answers, strict=True):
        if not isinstance(decision, Talk) or not isinstance(line, Line):
            raise IllegalAction(f"answer {line!r} of seat {decision.seat}: must be a line of talk")
        check_line(decision, line, match.seats)
    after = state.copy()
    after.talked += 1
    if after.talked == match.talk or all(line == SILENCE for line in answers):
        _open_ballot(after)
    elif match.stick:
        after.stage = Stage.STICK
        after.to_act = ALONE[state.start]
    else:
        after.to_act = talks(match, after.talked)
    return after


def hand_stick(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """Continue or end the talk, as the start player decides."""
    if answers[0] not in STICK:
        raise IllegalAction(f"action {answers[0]!r} of seat {state.start}: must be one of {', '.join(STICK)}")
    after = state.copy()
    # In a sampled position no seat is known to talk.
    if answers[0] == TALK_ON and state.match.talkers:
        after.stage = Stage.TALK
        after.to_act = talks(state.match, state.talked)
    else:
        _open_ballot(after)
    return after


def cast(state: LifeboatsState, answers: Sequence[Answer]) -> tuple[LifeboatsState, int]:
    """Count the ballots: the state after them and the option that won, NOBODY where a seat must choose."""
    words = WORDS[state.match.seats]
    crew = state.crews[state.boat] if state.vote == OVERBOARD else ()
    tally = [0] * len(words.letters)
    after = state.copy()
    wearer, worn = NOBODY, 0
    for at, decision in enumerate(state.to_act):
        seat, answer = decision.seat, answers[at]
        option = words.voted.get(answer, NOBODY)
        if option >= 0 and state.options >> option & 1:
            tally[option] += _WEIGHTS[crew[seat]] if crew else 1
        elif answer == HAT and state.hats[seat]:
            after.hats = put(after.hats, seat, state.hats[seat] - 1)
            wearer = seat
            worn += 1
        else:
            allowed = ", ".join(can_vote(state, seat))
            raise IllegalAction(f"action {answer!r} of seat {seat}: must be one of {allowed}")
    if worn == 1:
        _ask(after, answers, wearer, state.options)
        return after, NOBODY
    if worn == len(answers):
        _ask(after, answers, state.start, state.options)
        return after, NOBODY
    most = max(tally)
    if tally.count(most) == 1:
        return after, tally.index(most)
    tied = 0
    for option, votes in enumerate(tally):
        if votes == most:
            tied |= 1 << option
    _ask(after, answers, state.start, tied)
    return after, NOBODY


def choose(state: LifeboatsState, answers: Sequence[Answer]) -> tuple[LifeboatsState, int]:
    """Return the state after a seat has chosen, and the option that it chose."""
    words = WORDS[state.match.seats]
    option = words.chosen.get(answers[0], NOBODY)
    if option < 0 or not state.options >> option & 1:
        seat, allowed = state.to_act[0].seat, ", ".join(words.chooses[state.options])
        raise IllegalAction(f"action {answers[0]!r} of seat {seat}: must be one of {allowed}")
    after = state.copy()
    after.ballots = ()
    return after, option


def can_vote(state: LifeboatsState, seat: int) -> tuple[Action, ...]:
    """List the ballots of a seat: the options, then `hat`, if it has one."""
    words = WORDS[state.match.seats]
    return words.votes_or_hat[state.options] if state.hats[seat] else words.votes[state.options]


def voters(match: Match, vote: str, options: int) -> tuple[Decision, ...]:
    """Name those who vote: all seats, or those with a pawn in the boat."""
    return CHOICES[options if vote == OVERBOARD else (1 << match.seats) - 1]


def _open_ballot(after: LifeboatsState) -> None:
    """Have the voters vote in `after`."""
    after.stage = Stage.VOTE
    after.to_act = voters(after.match, after.vote, after.options)
    after.talked = 0


def _ask(after: LifeboatsState, answers: Sequence[Answer], chooser: int, options: int) -> None:
    """Have a seat choose in `after`, whose voters gave these answers."""
    ballots = [""] * after.match.seats
    for at, decision in enumerate(after.to_act):
        ballots[decision.seat] = str(answers[at]).removeprefix("vote ")
    after.stage = Stage.CHOOSE
    after.to_act = ALONE[chooser]
    after.options = options
    after.ballots = tuple(ballots)


@lru_cache(maxsize=1 << 10)
def talks(match: Match, number: int) -> tuple[Decision, ...]:
    """Name those who may talk, in the round of talk of that number."""
    limits = TalkLimits(
        max_text_bytes=280,
        max_claims=4,
        kinds=("promise", "ask", "threat"),
        votes=tuple(WORDS[match.seats].letters),
        whens=("this", LEAK, MOVE, OVERBOARD),
    )
    return tuple([Talk(seat, number, limits) for seat in match.talkers])
