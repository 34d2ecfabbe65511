"""Votes of Lifeboats: the talk before them, the ballots, the count (docs/rules.md, *A vote*, *Talk*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from arena.games.kernel import (
    SILENCE,
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
    put,
)

CHOICES: tuple[tuple[Decision, ...], ...] = tuple(
    tuple([Choice(seat) for seat in range(len(COLOURS)) if seats >> seat & 1])
    for seats in range(1 << len(COLOURS))
)
"""By the set of seats that choose."""

ALONE: tuple[tuple[Decision, ...], ...] = tuple([(Choice(seat),) for seat in range(len(COLOURS))])

# The weight of a code: an officer counts 2.
_WEIGHTS = tuple([2 * (code // OFFICER) + code % OFFICER for code in range(3 * OFFICER)])


def is_single(options: int) -> bool:
    """Return whether a set has one member."""
    return options & (options - 1) == 0


def open_vote(state: LifeboatsState, vote: str, options: int, boat: int = NOBODY) -> LifeboatsState:
    """Begin a vote that is held: with its talk, if there is any."""
    match = state.match
    stage, to_act = Stage.VOTE, voters(match, vote, options)
    if match.talk and match.talkers:
        stage, to_act = Stage.TALK, talks(match, 0)
    return state._replace(stage=stage, to_act=to_act, vote=vote, options=options, boat=boat, talked=0)


def hear(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """End a round of talk; one in which nobody spoke, or the last one, ends the talk."""
    match = state.match
    for decision, line in zip(state.to_act, answers, strict=True):
        if not isinstance(decision, Talk) or not isinstance(line, Line):
            raise IllegalAction(f"answer {line!r} of seat {decision.seat}: must be a line of talk")
        check_line(decision, line, match.seats)
    talked = state.talked + 1
    if talked == match.talk or all(line == SILENCE for line in answers):
        return _open_ballot(state)
    after = state._replace(talked=talked)
    if match.stick:
        return after._replace(stage=Stage.STICK, to_act=ALONE[state.start])
    return after._replace(to_act=talks(match, talked))


def hand_stick(state: LifeboatsState, answers: Sequence[Answer]) -> LifeboatsState:
    """Continue or end the talk, as the start player decides."""
    if answers[0] not in STICK:
        raise IllegalAction(f"action {answers[0]!r} of seat {state.start}: must be one of {', '.join(STICK)}")
    # In a position that a seat draws in its head, nobody is known to talk.
    if answers[0] == TALK_ON and state.match.talkers:
        return state._replace(stage=Stage.TALK, to_act=talks(state.match, state.talked))
    return _open_ballot(state)


def cast(state: LifeboatsState, answers: Sequence[Answer]) -> tuple[LifeboatsState, int]:
    """Count the ballots: the state after them and the option that won, NOBODY where a seat must choose."""
    words = WORDS[state.match.seats]
    hats = state.hats
    crew = state.crews[state.boat] if state.vote == OVERBOARD else None
    tally = [0] * len(words.letters)
    wearers = []
    for decision, answer in zip(state.to_act, answers, strict=True):
        seat = decision.seat
        option = words.voted.get(answer, NOBODY)
        if option >= 0 and state.options >> option & 1:
            tally[option] += _WEIGHTS[crew[seat]] if crew else 1
        elif answer == HAT and hats[seat]:
            wearers.append(seat)
            hats = put(hats, seat, hats[seat] - 1)
        else:
            allowed = ", ".join((words.votes_or_hat if hats[seat] else words.votes)[state.options])
            raise IllegalAction(f"action {answer!r} of seat {seat}: must be one of {allowed}")
    if wearers:
        state = state._replace(hats=hats)
        if len(wearers) == 1:
            return _ask(state, answers, wearers[0], state.options), NOBODY
        if len(wearers) == len(answers):
            return _ask(state, answers, state.start, state.options), NOBODY
    most = max(tally)
    if tally.count(most) == 1:
        return state, tally.index(most)
    tied = sum([1 << option for option, votes in enumerate(tally) if votes == most])
    return _ask(state, answers, state.start, tied), NOBODY


def choose(state: LifeboatsState, answers: Sequence[Answer]) -> tuple[LifeboatsState, int]:
    """Return the option that a seat chose after a vote."""
    words = WORDS[state.match.seats]
    option = words.chosen.get(answers[0], NOBODY)
    if option < 0 or not state.options >> option & 1:
        seat, allowed = state.to_act[0].seat, ", ".join(words.chooses[state.options])
        raise IllegalAction(f"action {answers[0]!r} of seat {seat}: must be one of {allowed}")
    return state._replace(ballots=()), option


def _open_ballot(state: LifeboatsState) -> LifeboatsState:
    return state._replace(stage=Stage.VOTE, to_act=voters(state.match, state.vote, state.options), talked=0)


def voters(match: Match, vote: str, options: int) -> tuple[Decision, ...]:
    """Name those who vote: all seats, or those with a pawn in the boat."""
    return CHOICES[options if vote == OVERBOARD else (1 << match.seats) - 1]


def _ask(state: LifeboatsState, answers: Sequence[Answer], chooser: int, options: int) -> LifeboatsState:
    ballots = [""] * state.match.seats
    for decision, answer in zip(state.to_act, answers, strict=True):
        ballots[decision.seat] = str(answer).removeprefix("vote ")
    return state._replace(stage=Stage.CHOOSE, to_act=ALONE[chooser], options=options, ballots=tuple(ballots))


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
