"""The scores of a match point by point, and how exciting they were."""

from __future__ import annotations

import random

import pytest

from arena.games import registry
from arena.match import drama, score_series
from tests.games.playing import TABLES, Configuration, play, record

SEED = bytes(range(32))
OWN = [table for table in TABLES if table.game.id in registry.GAMES]


@pytest.mark.parametrize("table", OWN, ids=str)
def test_series_ends_with_the_scores_of_the_result(table: Configuration) -> None:
    whole = record(play(table, SEED, random.Random(7)))
    assert score_series.of_record(whole)[-1] == whole.result.scores


@pytest.mark.parametrize("table", OWN, ids=str)
def test_series_has_a_score_of_each_seat_at_each_point(table: Configuration) -> None:
    whole = record(play(table, SEED, random.Random(8)))
    series = score_series.of_record(whole)
    assert {len(scores) for scores in series} == {table.seats}
    assert len(series) == len(list(score_series.shown_states(whole)))


def test_lead_changes_where_another_seat_has_more_than_all_others() -> None:
    found = drama.measure([(0, 0), (2, 0), (2, 2), (2, 5), (9, 5), (9, 6)])
    assert found.lead_changes == (3, 4)


def test_seat_that_takes_back_a_lead_which_was_only_shared_changes_nothing() -> None:
    assert drama.measure([(1, 0), (1, 1), (2, 1)]).lead_changes == ()


def test_largest_swing_is_the_most_that_a_distance_moved() -> None:
    found = drama.measure([(0, 0, 0), (3, 0, 0), (3, 10, 0), (3, 10, 2)])
    assert (found.largest_swing, found.largest_swing_at) == (10, 2)


def test_tie_is_as_close_as_can_be() -> None:
    assert drama.measure([(0, 0), (5, 0), (5, 5)]).closeness == 1.0


def test_lead_that_only_grew_is_not_close() -> None:
    found = drama.measure([(0, 0), (5, 0), (9, 0)])
    assert (found.closeness, found.final_margin) == (0.0, 9)


def test_comeback_is_how_far_the_winner_was_behind() -> None:
    assert drama.measure([(0, 0), (0, 7), (8, 7)]).comeback == 7


def test_match_that_turned_is_more_exciting_than_one_that_did_not() -> None:
    turned = drama.measure([(0, 0), (4, 0), (4, 5), (6, 5)])
    one_sided = drama.measure([(0, 0), (4, 0), (5, 0), (5, 1)])
    assert 1 >= turned.excitement > one_sided.excitement > 0


@pytest.mark.parametrize("series", [(), ((0, 0),), ((3,), (4,)), ((0, 0), (0, 0))])
def test_match_without_moving_scores_is_not_exciting(series: tuple[tuple[int, ...], ...]) -> None:
    assert drama.measure(series).excitement == 0.0
