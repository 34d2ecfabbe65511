"""Elimination: the best stays with the guaranteed probability, however often one looks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.elimination import Contenders, Scores

ERROR = 0.2
"""Large, so that a run of a few hundred can tell an error that is too large from one that is not."""


def luck(rounds: int, entries: int, seed: int) -> Scores:
    """Scores of entries that are all alike: what is furthest from a decision."""
    return np.random.default_rng(seed).integers(0, 5, (rounds, entries)) / 4


def ahead(rounds: int, entries: int, seed: int, by: float) -> Scores:
    """Scores of which the first entry's are better on average."""
    scores = np.random.default_rng(seed).random((rounds, entries))
    scores[:, 1:] *= 1 - by
    return scores


def played(scores: Scores, looks: int, error: float = ERROR) -> Contenders:
    """Look some times, each after as many rounds, at those only who are still in."""
    contenders = Contenders(scores.shape[1], error)
    for part in np.split(scores, looks):
        seen = np.full_like(part, np.nan)
        seen[:, contenders.still_in] = part[:, contenders.still_in]
        contenders.look(seen)
    return contenders


@pytest.mark.slow
def test_one_of_many_alike_is_lost_no_more_often_than_the_error_allows() -> None:
    lost = sum(0 not in played(luck(320, 4, seed), 40).still_in for seed in range(300))
    assert lost <= 78  # 60 of 300 are allowed; 78 or more come once in 200 runs


def test_who_is_plainly_the_best_is_left_alone() -> None:
    assert played(ahead(400, 6, 1, by=0.4), 50).still_in == [0]


def test_who_is_far_behind_leaves_before_who_is_close() -> None:
    scores = ahead(2000, 3, 2, by=0.1)
    scores[:, 2] *= 0.5
    contenders = Contenders(3, ERROR)
    leaves = [each for part in np.split(scores, 250) for each in contenders.look(part)]
    assert leaves == [2, 1]


@pytest.mark.parametrize("by", [0.15, 0.3])
def test_the_rounds_left_are_about_those_that_it_takes(by: float) -> None:
    ratios = []
    for seed in range(20):
        contenders = Contenders(3, ERROR)
        guess, rounds = None, 0
        for part in np.split(ahead(8000, 3, seed, by=by), 1000):
            contenders.look(part)
            rounds += 8
            if len(contenders.still_in) == 1:
                break
            if rounds == 40:
                guess = contenders.rounds_left(rounds, 8000)
        if rounds > 40 and guess is not None:
            ratios.append((40 + guess) / rounds)
    assert len(ratios) >= 5
    assert 0.5 <= float(np.median(ratios)) <= 2.0


def test_no_rounds_are_left_when_one_is_left_and_none_are_known_for_those_who_are_alike() -> None:
    assert played(ahead(400, 6, 1, by=0.4), 50).rounds_left(400, 100) == 0
    alike = Contenders(2, ERROR)
    alike.look(np.full((80, 2), 0.5))
    assert alike.rounds_left(80, 920) is None


def test_a_smaller_error_takes_longer() -> None:
    def rounds(error: float) -> int:
        contenders = Contenders(2, error)
        parts = np.split(ahead(4000, 2, 3, by=0.2), 500)
        return next(number for number, part in enumerate(parts) if contenders.look(part))

    assert rounds(0.3) < rounds(0.05) < rounds(0.001)


def test_nobody_leaves_for_rounds_that_nobody_played() -> None:
    contenders = Contenders(3, ERROR)
    assert contenders.look(np.full((100, 3), np.nan)) == ()
    assert contenders.still_in == [0, 1, 2]


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_one_is_always_left(entries: int, seed: int) -> None:
    assert len(played(np.random.default_rng(seed).random((40, entries)).round(), 5, 0.49).still_in) >= 1


@pytest.mark.parametrize("looks", [1, 5, 40])
def test_what_is_bet_does_not_depend_on_how_often_one_looks(looks: int) -> None:
    """How often one looks decides when somebody leaves, not how much is known."""
    scores = ahead(40, 2, 4, by=0.9)
    assert played(scores, looks).still_in == [0]
