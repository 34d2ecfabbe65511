"""What sets have saved, against simulated sets in which it is known."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings.elo_table import rate
from arena.ratings.fit import solve
from arena.ratings.rating_data import of
from arena.ratings.set_clusters import count
from arena.ratings.set_savings import MIN_SETS, Savings, measure
from arena.ratings.totals import total
from tests.ratings.truth import World


def measured(world: World, sets: int, seed: int) -> Savings | None:
    played = world.sets(sets, np.random.default_rng(seed))
    solution = solve(of(total(match for each in played for match in each), count(map(total, played))).totals)
    elo = dict(zip(solution.names, solution.elo, strict=True))
    places, elos = [], []
    for each in played:
        bots = each[0][0]
        places.append(
            [[dict(zip(names, ended, strict=True))[bot] for bot in bots] for names, ended, _ in each]
        )
        elos.append([elo[bot] for bot in bots])
    return measure(np.array(places), np.array(elos), len(solution.names) - 1)


def test_of_two_matches_in_which_the_seat_wins_one_says_nothing_and_both_say_all() -> None:
    # The first seat wins always, but in every tenth set one bot wins both matches.
    places = np.array([[[1, 2], [2, 1]]] * 9 + [[[1, 2], [1, 2]]]).reshape(10, 2, 2).repeat(10, axis=0)
    found = measure(places, np.full((100, 2), 1500.0), 0)
    assert found is not None
    # Each match alone has a variance of ¼, a set that of ten in a hundred of 1: 200 · ¼ / 10.
    assert found.ratio == pytest.approx(5)
    assert found.saved(200) == 800
    assert found.low < 5 < found.high


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_ratio_is_by_how_much_sets_narrow_the_error_bars(seats: int) -> None:
    bots = np.linspace(-0.6, 0.6, 8)
    alone, together = World(bots, seats), World(bots, seats, luck=0.9)

    def variance(world: World) -> float:
        tables = [rate(of(*world.play(600, np.random.default_rng(seed)))) for seed in range(4)]
        return float(np.mean([row.error**2 for table in tables for row in table.rows if row.error]))

    found = measured(together, 2400, 1)
    assert found is not None
    assert found.ratio == pytest.approx(variance(alone) / variance(together), rel=0.12)
    assert found.low > 1


@pytest.mark.slow
def test_independent_matches_save_nothing_however_few_the_sets() -> None:
    for seats, sets in ((2, 40), (3, 30)):
        found = [measured(World(np.linspace(-1, 1, 6), seats), sets, seed) for seed in range(100)]
        ratios = [each.ratio for each in found if each is not None]
        assert len(ratios) == 100
        assert np.exp(np.mean(np.log(ratios))) == pytest.approx(1, abs=0.07)  # 0.02 of it is chance


@pytest.mark.slow
def test_the_interval_holds_the_ratio_about_95_times_of_100() -> None:
    found = [measured(World(np.linspace(-1, 1, 6), 2), 150, seed) for seed in range(200)]
    held = [each is not None and each.low <= 1 <= each.high for each in found]
    assert 0.91 <= np.mean(held) <= 0.98


def test_a_few_sets_say_nothing_of_what_was_saved() -> None:
    assert measured(World(np.linspace(-1, 1, 4), 2), MIN_SETS - 1, 1) is None
    assert measured(World(np.linspace(-1, 1, 60), 2), 100, 1) is None
