"""What a test of two versions costs: how often it decides, and after how many sets, by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from arena.core.errors import UsageError
from arena.ratings.model import expected
from arena.ratings.sprt import MIN_SETS, Sprt, check_sets

MOST_SETS = 500
TESTS = 400


def simulate(test: Sprt, elo: float, most: int = MOST_SETS) -> tuple[float, float, float]:
    """Return how often elo1 is accepted, how often neither is, and the mean number of sets; one draw in ten."""
    random = np.random.default_rng(1)
    low, high = test.bounds
    better = undecided = sets = 0
    for _ in range(TESTS):
        won = random.random((most, 2)) < expected(elo, 0.0)
        drawn = random.random((most, 2)) < 0.1
        ratios = test.course(np.where(drawn, 0.5, won).mean(axis=1).tolist())
        at = MIN_SETS
        while low < ratios[at - 1] < high and at < most:
            at = min(most, at + max(8, at // 8))
        sets += at
        better += ratios[at - 1] >= high
        undecided += low < ratios[at - 1] < high
    return better / TESTS, undecided / TESTS, sets / TESTS


@pytest.mark.parametrize("elo", [0.0, 50.0])
def test_the_standard_comparison_decides(elo: float) -> None:
    better, undecided, sets = simulate(Sprt(0, 50), elo)
    assert undecided <= 0.05
    assert 110 <= sets <= 190
    assert better <= 0.08 if elo == 0 else better >= 0.87


def test_the_standard_test_of_a_push_decides() -> None:
    """These are the defaults of `arena bot ci`."""
    better, undecided, sets = simulate(Sprt(-50, 0), 0.0, most=400)
    assert undecided <= 0.05
    assert 110 <= sets <= 170
    assert better >= 0.87
    assert simulate(Sprt(-50, 0), -50.0, most=400)[0] <= 0.08
    assert simulate(Sprt(-40, 0), 0.0, most=200)[1] >= 0.3


def test_narrow_bounds_leave_many_tests_undecided() -> None:
    assert simulate(Sprt(0, 30), 0.0)[1] >= 0.15
    assert simulate(Sprt(0, 30), 0.0, most=200)[1] >= 0.5


def test_a_test_of_too_few_sets_is_refused() -> None:
    check_sets(16)
    with pytest.raises(UsageError, match="sets 15: a test \\(SPRT\\) decides after 16 sets or more"):
        check_sets(15)
