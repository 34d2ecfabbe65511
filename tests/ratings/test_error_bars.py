"""Error bars, rank ranges and chances of superiority, against simulated bots whose strength is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arena.ratings.elo_table import MAX_FOR_SUPERIORITY, Ratings, rate
from arena.ratings.fit import solve
from arena.ratings.model import POINTS_PER_E
from arena.ratings.rating_data import of
from arena.ratings.set_clusters import count
from arena.ratings.totals import UNITS_PER_POINT, PairTotal, total
from tests.ratings.truth import World

BOTS = 10
ROUNDS = 120


def world(
    seats: int, *, luck: float = 0.0, draws: float = 0.0, bots: int = BOTS, strongest: float = 0.9
) -> World:
    return World(np.linspace(-strongest, strongest, bots), seats, luck, draws)


def long(*cases: tuple[float, ...]) -> list[Any]:
    """Leave cases to `make test-long`."""
    return [pytest.param(*case, marks=pytest.mark.long) for case in cases]


def fitted(played: World, sets: int, seed: int, prior: float = 1.0) -> Ratings:
    return rate(of(*played.play(sets, np.random.default_rng(seed))), prior=prior)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "sets", "luck", "draws"),
    [
        (2, 300, 0.8, 0.0),
        (4, 100, 0.8, 0.6),
        *long(
            (2, 300, 0.0, 0.0),
            (2, 300, 0.0, 0.6),
            (3, 150, 0.8, 0.0),
            (3, 150, 0.0, 0.6),
            (4, 100, 0.8, 0.0),
            (6, 60, 0.8, 0.0),
            (6, 60, 0.8, 0.6),
        ),
    ],
)
def test_the_intervals_hold_the_truth_95_times_of_100(
    seats: int, sets: int, luck: float, draws: float
) -> None:
    played = world(seats, luck=luck, draws=draws)
    truth = played.elo
    held = [
        abs(row.elo - truth[row.name]) <= (row.error or 0.0)
        for seed in range(ROUNDS)
        for row in fitted(played, sets, seed).rows
    ]
    assert 0.935 <= np.mean(held) <= 0.965


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "sets", "draws"),
    [
        (2, 2000, 0.6),
        *long((2, 2000, 0.0), (3, 1000, 0.0), (4, 700, 0.0), (4, 700, 0.6), (6, 400, 0.0)),
    ],
)
def test_without_a_prior_the_fit_is_not_biased_beyond_a_hundredth_of_the_spread(
    seats: int, sets: int, draws: float
) -> None:
    played = world(seats, strongest=1.8, draws=draws)
    truth = played.elo
    spread = max(truth.values()) - min(truth.values())
    rows = [row for seed in range(40) for row in fitted(played, sets, seed, prior=0.0).rows]
    for name, elo in truth.items():
        assert abs(np.mean([row.elo for row in rows if row.name == name]) - elo) < spread / 100


def test_sets_that_cancel_luck_make_the_bars_shorter() -> None:
    alone, together = fitted(world(2), 400, 1), fitted(world(2, luck=1.0), 400, 1)
    assert np.mean([row.error for row in together.rows]) < 0.9 * np.mean([row.error for row in alone.rows])


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_the_errors_are_those_of_a_jackknife_that_fits_again_without_each_set(seats: int) -> None:
    played = world(seats, luck=0.5, bots=6).sets(120, np.random.default_rng(9))

    def table(kept: list[Any]) -> dict[str, float]:
        solution = solve(of(total(match for each in kept for match in each), {}).totals)
        return dict(zip(solution.names, solution.elo, strict=True))

    whole = table(played)
    without = [table(played[:left] + played[left + 1 :]) for left in range(len(played))]
    rated = rate(of(total(match for each in played for match in each), count(map(total, played))))
    for row in rated.rows:
        squares = sum((each[row.name] - whole[row.name]) ** 2 for each in without)
        expected = 1.96 * (squares * (len(played) - 1) / len(played)) ** 0.5
        assert row.error == pytest.approx(expected, rel=0.02)


def test_two_bots_have_the_error_of_a_share_in_closed_form() -> None:
    # 60 sets of one match each, 40 of them won: the logit of 2/3 has variance 1/(n p q), and half the difference is each one's.
    pair = {True: PairTotal("a", "b", UNITS_PER_POINT, 0), False: PairTotal("a", "b", 0, UNITS_PER_POINT)}
    totals = (PairTotal("a", "b", 40 * UNITS_PER_POINT, 20 * UNITS_PER_POINT),)
    table = rate(of(totals, {(pair[True],): 40, (pair[False],): 20}), prior=0.0)
    expected = 1.96 * POINTS_PER_E / 2 / (60 * 2 / 3 / 3) ** 0.5
    assert [row.error for row in table.rows] == pytest.approx([expected] * 2, rel=0.02)


def test_only_who_is_surely_ahead_or_behind_bounds_a_rank() -> None:
    table = fitted(world(2), 2000, 3)
    best, worst = table.rows[0], table.rows[-1]
    assert best.rank_low == 1
    assert worst.rank_high == BOTS
    assert all(row.rank_low <= place <= row.rank_high for place, row in enumerate(table.rows, 1))
    assert best.rank_high < worst.rank_low


def test_the_chances_of_superiority_of_two_bots_add_up_to_one() -> None:
    table = fitted(world(3), 100, 4)
    chances = np.array(table.superiority)
    assert chances + chances.T == pytest.approx(np.ones((BOTS, BOTS)), abs=1e-3)
    assert (np.diff(chances[-1]) >= -0.15).all()


@pytest.mark.slow
def test_a_table_of_very_many_bots_gives_no_chances_of_superiority() -> None:
    assert fitted(world(2, bots=MAX_FOR_SUPERIORITY + 20), 6000, 5).superiority == ()


def test_bots_that_never_met_are_not_compared() -> None:
    apart = (PairTotal("a", "b", 280, 560), PairTotal("x", "y", 560, 280))
    table = rate(of(apart, {(apart[0],): 1, (apart[1],): 1}))
    assert [(row.component, row.rank_low) for row in table.rows] == [(0, 1), (0, 1), (1, 1), (1, 1)]
    assert np.isnan(table.superiority[0][2])


def test_the_order_of_the_sets_changes_nothing() -> None:
    totals, sets = world(3, luck=0.5).play(80, np.random.default_rng(6))
    assert rate(of(totals, sets)) == rate(of(totals[::-1], dict(reversed(sets.items()))))


def test_a_bot_of_a_single_set_has_a_wide_bar_and_not_none() -> None:
    one = PairTotal("new", "old", UNITS_PER_POINT, 0)
    old = PairTotal("old", "other", 30 * UNITS_PER_POINT, 30 * UNITS_PER_POINT)
    sides = {
        side: (PairTotal("old", "other", *side),) for side in ((UNITS_PER_POINT, 0), (0, UNITS_PER_POINT))
    }
    table = rate(of((one, old), {(one,): 1, **dict.fromkeys(sides.values(), 30)}))
    error = {row.name: row.error or 0.0 for row in table.rows}
    assert error["new"] > 200 > error["old"]


def test_a_few_sets_that_all_went_alike_are_no_proof() -> None:
    even = (PairTotal("a", "b", UNITS_PER_POINT, UNITS_PER_POINT),)
    few, many = (rate(of((PairTotal("a", "b", n * 280, n * 280),), {even: n})) for n in (4, 400))
    assert few.rows[0].error == pytest.approx(33.0)
    assert 0 < (many.rows[0].error or 0) < 1
    assert few.superiority[0][1] == 0.5


def test_sets_that_do_not_add_up_give_no_error_bars() -> None:
    totals, sets = world(2).play(50, np.random.default_rng(8))
    whole, unknown = rate(of(totals, sets)), rate(of(totals, {}))
    assert [(row.name, row.elo) for row in unknown.rows] == [(row.name, row.elo) for row in whole.rows]
    assert {(row.error, row.rank_low, row.rank_high) for row in unknown.rows} == {(None, 1, BOTS)}


def test_bots_as_far_apart_as_can_be_have_bars_all_the_same() -> None:
    totals = tuple(
        PairTotal(f"bot{i}", f"bot{i + 1}", 10**9 * UNITS_PER_POINT, 0 if i else 10**9 * UNITS_PER_POINT)
        for i in range(4)
    )
    table = rate(of(totals, {(pair,): 1 for pair in totals}), prior=0.001)
    assert np.isfinite([row.error for row in table.rows if row.error is not None]).all()
    assert len({row.elo for row in table.rows}) == 4


def test_rows_are_the_same_without_chances_of_superiority() -> None:
    inputs = of(*world(3).play(50, np.random.default_rng(9)))
    whole, rows_only = rate(inputs), rate(inputs, superiority=False)
    assert rows_only.rows == whole.rows
    assert whole.superiority
    assert not rows_only.superiority
