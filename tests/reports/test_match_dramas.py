"""How exciting matches were: measured once, of open matches alone, a bounded number at once, gone with the records."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from arena.competition import retention
from arena.competition.retention import RetentionPolicy
from arena.match import drama, score_series
from arena.match.drama import Drama
from arena.match.record import from_json
from arena.reports import match_views
from arena.reports.insights import drama_measurement, stored_dramas
from arena.storage.schema import MatchDrama
from tests import random_tournaments

if TYPE_CHECKING:
    import pytest

    from arena.storage import Store

SOME = Drama((3, 8), 5, 8, 2, 4, 9)
OTHER = Drama((), 1, 1, 7, 0, 7)


def count(store: Store) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(MatchDrama)) or 0


def played(store: Store, sets: int = 1) -> int:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious", hands=1).id
    random_tournaments.play(store, number, limit=2 * sets)
    return number


def test_open_matches_are_measured_once(store: Store) -> None:
    number = played(store)
    assert drama_measurement.measure_newest(store, time.time()) == 2
    assert drama_measurement.measure_newest(store, time.time()) == 0
    assert count(store) == 2
    text = match_views.page(store, number, 0, 1).record
    assert text is not None
    whole = drama.measure(score_series.of_record(from_json(text)))
    assert stored_dramas.load(store, [(number, 0, 1)]) == {(number, 0, 1): whole}


def test_sets_that_a_page_lists_are_measured(store: Store) -> None:
    number = played(store, 2)
    assert drama_measurement.measure_sets(store, number, [0]) == 2
    found = stored_dramas.load(store, [(number, 0, 0), (number, 1, 0)])
    assert found[number, 0, 0] is not None
    assert found[number, 1, 0] is None


def test_sets_that_do_not_exist_are_nothing_to_measure(store: Store) -> None:
    number = played(store)
    assert drama_measurement.measure_sets(store, number, [10**6]) == 0
    assert drama_measurement.measure_sets(store, 999, [0]) == 0


def test_match_that_is_not_open_is_not_measured(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious", hands=1).id
    random_tournaments.play(store, number, limit=3)  # the last one shares its deal with a match to come
    assert drama_measurement.measure_sets(store, number, [0, 1]) == 2
    assert count(store) == 2


def test_match_that_a_delay_hides_is_not_measured(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1, delay_s=3600).id
    random_tournaments.play(store, number)
    assert drama_measurement.measure_sets(store, number, [0]) == 0
    assert drama_measurement.measure_newest(store, time.time()) == 0


def test_match_that_a_fault_ended_is_not_measured(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
    random_tournaments.play(store, number, limit=2, fault=True)
    assert drama_measurement.measure_sets(store, number, [0]) == 1


def test_work_at_once_is_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    played(store, 2)
    monkeypatch.setattr(drama_measurement, "MOST", 3)
    assert drama_measurement.measure_newest(store, time.time()) == 3
    assert drama_measurement.measure_newest(store, time.time()) == 1


def test_drama_that_is_stored_is_not_overwritten(store: Store) -> None:
    number = played(store)
    stored_dramas.save(store, {(number, 0, 0): SOME})
    stored_dramas.save(store, {(number, 0, 0): OTHER})
    assert stored_dramas.load(store, [(number, 0, 0)]) == {(number, 0, 0): SOME}


def test_drama_that_an_older_release_measured_is_measured_again(store: Store) -> None:
    number = played(store)
    stored_dramas.save(store, {(number, 0, 0): SOME})
    with store.write() as session:
        session.get_one(MatchDrama, (number, 0, 0)).measure -= 1
    assert stored_dramas.load(store, [(number, 0, 0)]) == {(number, 0, 0): None}
    stored_dramas.save(store, {(number, 0, 0): OTHER})
    assert stored_dramas.load(store, [(number, 0, 0)]) == {(number, 0, 0): OTHER}


def test_drama_goes_with_the_records(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
    random_tournaments.play(store, number)
    drama_measurement.measure_newest(store, time.time())
    retention.prune(store, RetentionPolicy(records_days=1e-9))
    assert count(store) == 0
    assert stored_dramas.load(store, [(number, 0, 0)]) == {}
    stored_dramas.save(store, {(number, 0, 0): SOME})  # by a worker that had read the record before
    assert count(store) == 0


def test_what_was_measured_after_a_moment_is_not_known_then(store: Store) -> None:
    number = played(store)
    before = time.time() - 1
    stored_dramas.save(store, {(number, 0, 0): SOME})
    assert stored_dramas.load(store, [(number, 0, 0)], before=before) == {(number, 0, 0): None}
