"""The tiny game shows that the kernel carries talk, votes, a dummy and chance."""

from __future__ import annotations

import pytest

from arena.games.kernel import (
    SILENCE,
    Answer,
    Choice,
    Claim,
    DummyPlayed,
    IllegalAction,
    Line,
    Played,
    Said,
    Talk,
    advance,
    check_line,
)
from tests.games.tiny import LIMITS, TINY, TinyState


def start(talk: int = 2) -> TinyState:
    return TINY.new(TINY.setup(3, options={"talk": talk}, talks=(True, False, True)), bytes(32))[0]


def test_seats_that_talk_are_asked_together() -> None:
    assert TINY.to_act(start()) == (Talk(0, 0, LIMITS), Talk(2, 0, LIMITS))


def test_without_rounds_of_talk_the_vote_comes_first() -> None:
    assert TINY.to_act(start(talk=0)) == (Choice(0), Choice(1), Choice(2))


def test_line_becomes_a_step_and_silence_none() -> None:
    _, steps, together = advance(TINY, start(), (SILENCE, Line("hello")), 4)
    assert steps == (Said(2, Line("hello"), 0),)
    assert together == 4


def test_round_in_which_nobody_speaks_ends_the_talk() -> None:
    after, steps, _ = advance(TINY, start(), (SILENCE, SILENCE), 0)
    assert steps == ()
    assert isinstance(TINY.to_act(after)[0], Choice)


def test_second_round_of_talk_counts_on() -> None:
    after, _, _ = advance(TINY, start(), (Line("a"), SILENCE), 0)
    _, steps, _ = advance(TINY, after, (Line("b"), SILENCE), 0)
    assert steps == (Said(0, Line("b"), 1),)


def test_votes_carry_the_number_of_their_point() -> None:
    state = start(talk=0)
    votes: list[Answer] = [TINY.legal(state, seat)[0] for seat in range(3)]
    _, steps, together = advance(TINY, state, votes, 5)
    assert [step.together for step in steps if isinstance(step, Played)] == [5, 5, 5]
    assert together == 6
    assert isinstance(steps[3], DummyPlayed)


def test_answer_in_turn_has_no_number() -> None:
    state = start(talk=0)._replace(takers=(1,))
    _, steps, together = advance(TINY, state, ("take",), 5)
    assert steps[0] == Played(1, "take", None)
    assert together == 5


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (Line("x" * 41), "text of 41 bytes: at most 40"),
        (Line("ñ" * 21), "text of 42 bytes: at most 40"),
        (Line("a\nb"), "control character"),
        (Line("a\x7f"), "control character"),
        (Line("a\x9f"), "control character"),
        (Line("", (Claim("ask", 0, "A", "this"),) * 3), "claims: 3 given, at most 2"),
        (Line("", (Claim("ask", 3, "A", "this"),)), "claim seat 3: must be 0 to 2"),
        (Line("", (Claim("beg", 0, "A", "this"),)), "claim kind 'beg': must be one of promise, ask"),
        (Line("", (Claim("ask", 0, "C", "this"),)), "claim vote 'C'"),
        (Line("", (Claim("ask", 0, "A", "never"),)), "claim when 'never'"),
    ],
)
def test_line_that_breaks_a_limit_is_refused(line: Line, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        check_line(Talk(0, 0, LIMITS), line, 3)


def test_line_at_its_limits_is_accepted() -> None:
    check_line(Talk(0, 0, LIMITS), Line("x" * 40, (Claim("ask", 2, "A", "this"),) * 2), 3)
