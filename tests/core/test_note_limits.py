"""What notes may hold."""

from __future__ import annotations

import math

import pytest

from arena.core.notes import Candidate, Notes, find_problem

LEGAL = tuple(f"play {number}" for number in range(20))


def rated(count: int) -> tuple[Candidate, ...]:
    return tuple(Candidate(action, 0.5) for action in LEGAL[:count])


def numbers(count: int) -> tuple[tuple[str, float], ...]:
    return tuple((f"n{number}", 1.0) for number in range(count))


@pytest.mark.parametrize(
    ("notes", "size"),
    [
        (Notes(), 0),
        (Notes(rated(16), numbers(8), "x" * 200), 1024),
        (Notes(numbers=(("x" * 40, -1e15),), text="Ära 🂡"), 60),
    ],
)
def test_notes_within_the_limits_have_no_problem(notes: Notes, size: int) -> None:
    assert find_problem(notes, size, LEGAL) is None


@pytest.mark.parametrize(
    ("notes", "problem"),
    [
        (Notes(rated(17)), "17 candidates: at most 16 are allowed"),
        (Notes((Candidate("fold", 1.0),)), "candidate 'fold': is not one of the legal actions"),
        (
            Notes((Candidate("play 1", math.nan),)),
            "value of 'play 1': must be a finite number, from -1e15 to 1e15",
        ),
        (
            Notes(numbers=(("win", math.inf),)),
            "value of 'win': must be a finite number, from -1e15 to 1e15",
        ),
        (Notes(numbers=numbers(9)), "9 numbers: at most 8 are allowed"),
        (Notes(numbers=(("", 1.0),)), "name of a number: must have 1 to 40 printable characters"),
        (Notes(numbers=(("x" * 41, 1.0),)), "name of a number: must have 1 to 40 printable characters"),
        (Notes(text="x" * 201), "text: must have at most 200 characters, all of them printable"),
        (Notes(text="\x1b[2J"), "text: must have at most 200 characters, all of them printable"),
        (Notes(text="\u202eabc"), "text: must have at most 200 characters, all of them printable"),
    ],
)
def test_notes_over_a_limit_are_told_which(notes: Notes, problem: str) -> None:
    assert find_problem(notes, 100, LEGAL) == problem


def test_notes_over_their_size_are_told_both_sizes() -> None:
    assert find_problem(Notes(), 1025, LEGAL) == "notes of 1025 bytes: at most 1024 are allowed"
