"""The chances of the seats at the points of a match: by rollouts, repeatable, and honest about their error."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from arena.games import registry
from arena.match import chances
from arena.match.chances import Estimate
from arena.match.record import Record, from_json
from tests.games.playing import TABLES, Configuration, play, search_plan

SEED = bytes(range(32))
OWN = [table for table in TABLES if table.game.id in registry.GAMES]
_LITTLE = 1500


def example(game: str) -> Record:
    return from_json((registry.package(game).docs / "match.json").read_text())


@cache
def estimated(game: str, work: int = _LITTLE) -> tuple[Estimate, ...]:
    return chances.estimate_chances(example(game), search_plan(game), work)


@pytest.mark.parametrize("table", OWN, ids=str)
def test_redeal_changes_nothing_that_any_seat_sees(table: Configuration) -> None:
    game, redeal = table.game, registry.package(table.game.id).redeal
    for point in play(table, SEED, random.Random(3)).points[::7]:
        other = redeal(point.state, random.Random(4))
        assert game.to_act(other) == game.to_act(point.state)
        for seat in range(table.seats):
            assert game.view(other, seat) == game.view(point.state, seat)


@pytest.mark.parametrize("game", ["lost_cities", "land_unter", "bottle_imp", "teotlatolli"])
def test_redeal_changes_what_is_still_to_come(game: str) -> None:
    table = next(each for each in OWN if each.game.id == game)
    dealt = play(table, SEED, random.Random(3)).points[0].state
    redeal = registry.package(game).redeal
    assert redeal(dealt, random.Random(4)) != redeal(dealt, random.Random(5))
    assert redeal(dealt, random.Random(4)) == redeal(dealt, random.Random(4))


@pytest.mark.parametrize("table", OWN, ids=str)
def test_chances_do_not_depend_on_what_is_still_to_come(table: Configuration) -> None:
    """Two matches that are equal so far, whatever is drawn in each later, are played on from the same positions."""
    redeal = registry.package(table.game.id).redeal
    for number, point in enumerate(play(table, SEED, random.Random(3)).points[::7]):
        another = redeal(point.state, random.Random(number))
        assert redeal(another, random.Random(5)) == redeal(point.state, random.Random(5))


@pytest.mark.parametrize("game", registry.GAMES)
def test_chances_of_two_seats_that_are_ahead_of_each_other_add_up(game: str) -> None:
    for each in estimated(game):
        assert sum(each.shares) == pytest.approx(len(each.shares) / 2)


@pytest.mark.parametrize("game", registry.GAMES)
def test_chances_end_with_the_result(game: str) -> None:
    places = example(game).result.places
    last = estimated(game)[-1]
    assert (last.shares, last.errors) == (chances.share_pairs(places), (0.0,) * len(places))


def test_same_match_has_the_same_chances() -> None:
    again = chances.estimate_chances(example("land_unter"), search_plan("land_unter"), _LITTLE)
    assert again == estimated("land_unter")


def test_another_match_has_other_rollouts() -> None:
    other = replace(example("land_unter"), match="another")
    plan = search_plan("land_unter")
    assert chances.estimate_chances(other, plan, _LITTLE) != estimated("land_unter")


def test_more_work_has_smaller_errors() -> None:
    little, more = estimated("land_unter"), estimated("land_unter", 8 * _LITTLE)
    assert sum(more[0].errors) < sum(little[0].errors)


def test_rollouts_that_all_end_alike_are_not_certain() -> None:
    for each in estimated("bottle_imp")[:-1]:
        assert min(each.errors) > 0


def test_work_ends_when_the_caller_raises() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chances.estimate_chances(example("land_unter"), search_plan("land_unter"), tick=stop)


def test_shared_place_counts_half() -> None:
    assert chances.share_pairs((1, 1, 3)) == (0.75, 0.75, 0.0)


def test_key_moment_is_a_swing_beyond_the_errors() -> None:
    found = chances.key_moments(
        [
            Estimate(0, (0.5, 0.5), (0.1, 0.1)),
            Estimate(3, (0.58, 0.42), (0.1, 0.1)),
            Estimate(4, (0.9, 0.1), (0.1, 0.1)),
            Estimate(9, (0.0, 1.0), (0.0, 0.0)),
        ]
    )
    assert [(each.first, each.point, each.seat, each.before, each.after) for each in found] == [
        (4, 4, 0, 0.58, 0.9),
        (5, 9, 0, 0.9, 0.0),
    ]


def test_only_the_largest_swings_are_key_moments() -> None:
    shares = [0.5, 0.9, 0.1, 0.6, 0.2]
    found = chances.key_moments(
        [Estimate(at, (share, 1 - share), (0.01, 0.01)) for at, share in enumerate(shares)], most=2
    )
    assert [each.point for each in found] == [2, 3]
