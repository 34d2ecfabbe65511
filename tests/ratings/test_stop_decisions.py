"""When enough has been played: SPRT and the separation of the best; and what seats are worth."""

from __future__ import annotations

import numpy as np
import pytest

from arena.core.errors import UsageError
from arena.ratings.model import expected
from arena.ratings.seat_advantage import shares
from arena.ratings.separation import bound, separated
from arena.ratings.sprt import MIN_SETS, Sprt

TEST = Sprt(0.0, 30.0)


def sets_of_two(elo: float, count: int, seed: int) -> np.ndarray:
    """Scores of sets of two matches that share some luck."""
    chance = np.random.default_rng(seed)
    deal = chance.random(count)
    first = np.where(chance.random(count) < 0.5, deal, chance.random(count)) < expected(elo, 0.0)
    second = np.where(chance.random(count) < 0.5, 1 - deal, chance.random(count)) < expected(elo, 0.0)
    return np.mean([first, second], axis=0)


def verdict(test: Sprt, elo: float, seed: int) -> tuple[str | None, int]:
    scores = [float(score) for score in sets_of_two(elo, 4000, seed)]
    for count in range(MIN_SETS, len(scores), 8):
        look = test.look(scores[:count])
        if look.accepted:
            return look.accepted, count
    return None, len(scores)


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "elo1"), (30.0, "elo0")])
def test_the_sprt_errs_no_more_often_than_it_may(elo: float, wrong: str) -> None:
    verdicts = [verdict(TEST, elo, seed)[0] for seed in range(200)]
    assert None not in verdicts
    assert verdicts.count(wrong) <= 17  # 10 of 200 are expected; 17 or more come once in 40 runs


def test_the_course_of_a_test_is_what_it_saw_after_each_set() -> None:
    scores = [float(score) for score in sets_of_two(20.0, 40, 7)]
    looks = [TEST.look(scores[: count + 1]).llr for count in range(len(scores))]
    assert TEST.course(scores) == pytest.approx(looks)


def test_the_sprt_takes_fewer_sets_where_the_difference_is_plain() -> None:
    assert verdict(TEST, 120.0, 1)[1] < verdict(TEST, 20.0, 1)[1]


def test_the_sprt_decides_nothing_from_a_handful_of_sets() -> None:
    assert TEST.look([1.0] * (MIN_SETS - 1)).accepted is None
    assert TEST.look([1.0] * 200).accepted == "elo1"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((5.0, 5.0), "elo0 5, elo1 5: elo1 must be greater"),
        ((0.0, 5.0, 0.0), "alpha 0: must be more than 0 and less than 0.5"),
        ((0.0, 5.0, 0.05, 0.7), "beta 0.7: must be more than 0 and less than 0.5"),
    ],
)
def test_a_test_that_is_none_is_refused(arguments: tuple[float, ...], words: str) -> None:
    with pytest.raises(UsageError) as refusal:
        Sprt(*arguments)
    assert str(refusal.value) == words


def test_the_bound_holds_all_the_while_where_an_interval_would_not() -> None:
    # Two equal bots are watched for 3,000 sets: how often does anything ever call them different?
    alpha, runs, crossed, fooled = 0.05, 300, 0, 0
    chance = np.random.default_rng(2)
    for _ in range(runs):
        sums = np.cumsum(chance.normal(size=3000)) * 200
        counts = np.arange(1, 3001)
        errors = 200 / np.sqrt(counts)
        gaps = np.abs(sums / counts)
        looks = range(20, 3000, 20)
        crossed += any(gaps[n] >= bound(errors[n], alpha) for n in looks)
        fooled += any(gaps[n] >= 1.96 * errors[n] for n in looks)
    assert crossed <= 0.05 * runs
    assert fooled > 0.3 * runs


def test_the_best_are_separated_when_each_is_surely_ahead_of_each_of_the_rest() -> None:
    elo = np.array([1700.0, 1690.0, 1500.0, 1400.0])
    near, far = np.diag([8.0**2] * 4), np.diag([80.0**2] * 4)
    assert separated(elo, near, 2)
    assert not separated(elo, near, 1)
    assert not separated(elo, far, 2)
    assert separated(elo, far, 4)


def test_a_seat_that_always_wins_has_all_its_pairs() -> None:
    (first, second) = shares([[(1, 2), (1, 2)]] * 12)
    assert (first.share, second.share) == (1.0, 0.0)


def test_equal_seats_have_half_within_their_interval() -> None:
    chance = np.random.default_rng(4)
    sets = [[tuple(chance.permutation(3) + 1) for _ in range(3)] for _ in range(400)]
    for seat in shares(sets):
        assert abs(seat.share - 0.5) < 2 * seat.error
        assert 0 < seat.error < 0.05


def test_few_sets_say_nothing_of_seats() -> None:
    assert shares([[(1, 2), (2, 1)]] * 9) == ()
