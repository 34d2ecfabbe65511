"""Faults of one cause are recognised as such, whatever differs in their messages."""

from __future__ import annotations

import pytest

from arena.competition.matches.incidents import cause, in_words


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (
            (
                "its process ended with exit code 1; its last words: KeyError: 3",
                "its process ended with exit code 1; its last words: KeyError: 7",
                "its process ended with exit code 1",
            ),
            "exit code 1",
        ),
        (("before it could play, its process ended with exit code 2",), "exit code 2 while starting"),
        (
            (
                (
                    "decision 3: no answer within 200 ms, the most for one decision, with 1.0 s left in its bank; "
                    "it had thought for 2.0 s in 3 decisions, its time is 3 s and 0.1 s more for each"
                ),
                (
                    "decision 9: no answer within 10 ms, all that was left of its bank; it had thought for 3.0 s "
                    "in 9 decisions, its time is 3 s and 0.1 s more for each"
                ),
            ),
            "no answer within its time",
        ),
        (("a message that no one knows",), "a message that no one knows"),
        ((None,), ""),
    ],
)
def test_faults_of_one_cause_have_the_same_words(messages: tuple[str | None, ...], said: str) -> None:
    assert {cause(in_words(message)) for message in messages} == {said}


def test_a_cause_leaves_out_what_differs_from_match_to_match() -> None:
    assert cause(in_words("decision 4, text of 999 bytes: at most 280 bytes of UTF-8 are allowed")) == (
        "decision …, text of … bytes: at most … bytes of UTF-8 are allowed"
    )
