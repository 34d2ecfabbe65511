"""Performance: the Elo at which the points were to be expected."""

from __future__ import annotations

import pytest

from arena.ratings.performance import performance


def test_without_results_it_is_the_mean() -> None:
    assert performance([]) == pytest.approx(1500)


def test_draws_against_equals_change_nothing() -> None:
    assert performance([(1500, 0.5)] * 9) == pytest.approx(1500)


def test_wins_raise_it_and_more_against_stronger_opponents() -> None:
    assert 1500 < performance([(1500, 1)]) < performance([(1900, 1)]) < performance([(1900, 1)] * 5)


def test_one_win_makes_no_champion() -> None:
    assert performance([(2500, 1)]) < 2000


def test_order_of_results_does_not_matter() -> None:
    results = [(1400.0, 1.0), (1700.0, 0.0), (1600.0, 1.0)]
    assert performance(results) == performance(results[::-1])
