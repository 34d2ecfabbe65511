"""A record played again: its points are those of the match, and what does not fit is an error."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from arena.games.kernel import Played, Said
from arena.match.clock import STANDARD
from arena.match.record import Record, RecordedStep
from arena.match.replay import MatchReplay, ReplayError, replay
from tests.games.playing import TABLES, Configuration, play, record

SEED = bytes(range(32))
LOST_CITIES = next(table for table in TABLES if table.game.id == "lost_cities")


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_points_are_those_of_the_match(table: Configuration) -> None:
    playout = play(table, SEED, random.Random(3))
    whole = record(playout)
    deal, *points = replay(whole, STANDARD, table.game)
    assert tuple(each.step for each in deal.steps) == playout.opening
    assert [point.state for point in (deal, *points)] == playout.states()
    assert [tuple(each.answer for each in point.answers) for point in points] == [
        point.answers for point in playout.points
    ]
    assert tuple(step for point in (deal, *points) for step in point.steps) == whole.steps


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_the_platform_played_has_no_thinking_time(table: Configuration) -> None:
    playout = play(table, SEED, random.Random(4))
    for point in replay(record(playout), STANDARD, table.game):
        for each in point.answers:
            assert (each.thinking_ms is not None) == (len(each.to.actions) > 1)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_match_goes_on_from_what_seats_chose_alone(table: Configuration) -> None:
    playout = play(table, SEED, random.Random(5))
    whole = record(playout)
    chosen = [each for each in whole.steps if isinstance(each.step, Played | Said)]
    match = MatchReplay(table.game, playout.setup, SEED)
    while match.open_decisions():
        point = match.resolve(chosen)
        del chosen[: sum(each.recorded is not None for each in point.answers)]
    assert match.state == playout.last
    assert match.step_count == len(whole.steps)


def lost_cities() -> Record:
    return record(play(LOST_CITIES, SEED, random.Random(6)))


def test_record_that_was_cut_is_played_as_far_as_it_goes() -> None:
    whole = lost_cities()
    points = list(replay(replace(whole, steps=whole.steps[:9])))
    assert sum(len(point.steps) for point in points) == 9


def test_step_of_another_seat_is_an_error() -> None:
    whole = lost_cities()
    steps = list(whole.steps)
    steps[1] = RecordedStep(Played(1, "play R3"), 1.5)
    with pytest.raises(ReplayError, match="step 1: an action of seat 0 is missing"):
        list(replay(replace(whole, steps=tuple(steps))))


def test_other_deal_is_an_error() -> None:
    with pytest.raises(ReplayError, match="step 0: the record has other steps"):
        list(replay(replace(lost_cities(), seed=bytes(32))))


def test_step_after_the_end_is_an_error() -> None:
    whole = lost_cities()
    with pytest.raises(ReplayError, match="the match was over before it"):
        list(replay(replace(whole, steps=(*whole.steps, whole.steps[-1]))))
