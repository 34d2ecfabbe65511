"""What results tell beside the Elo: superiority, histories, seats, what sets saved."""

from __future__ import annotations

import itertools
import time

import pytest
from sqlalchemy import select, update

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition.matches.blocks import BlockMatch
from arena.competition.plans import NotFound
from arena.core.errors import UsageError
from arena.rankings import public_ratings, rating_history, set_measures, superiority
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import RatingPoint
from tests.decided_matches import NAMES, add, alphabetical, fault, matches, new_tournament, play

POOL = ("lost_cities", "standard")


def first_seat(match: BlockMatch) -> list[int]:
    """Who sits first wins, then who sits next, and so on."""
    return list(range(1, len(match.seats) + 1))


def test_chances_of_superiority_stand_in_the_tables_order(store: Store) -> None:
    tournament = new_tournament(store, cycles=20)
    play(store, tournament.id)
    for found in (
        superiority.superiority_of_pool(store, *POOL),
        superiority.superiority_of_tournament(store, tournament.id),
    ):
        assert found.bots == ("greedy@1", "random@1", "rusher@1")
        assert [found.chances[i][i] for i in range(3)] == [0.5] * 3
        assert found.chances[0][2] is not None
        assert found.chances[0][2] > 0.99
    page = tournaments.page(store, tournament.id)
    assert superiority.superiority_of_tournament(store, tournament.id).input_sha256 == page.input_sha256


def test_bots_that_never_met_have_no_chance_of_superiority(store: Store) -> None:
    for names in (NAMES[:2], NAMES[2:4]):
        play(store, new_tournament(store, names=names).id)
    found = superiority.superiority_of_pool(store, *POOL)
    assert found.bots == ("greedy@1", "random@1", "counter@1", "rusher@1")
    assert found.chances[0][2] is None


def test_chances_of_superiority_follow_new_results(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=10)
    todo = matches(store)
    seen = []
    for block, match in todo:
        add(store, block, match, alphabetical(match))
        seen.append(superiority.superiority_of_pool(store, *POOL).input_sha256)
    assert len(set(seen)) == len(todo)


def test_before_the_first_result_there_is_nothing_to_tell(store: Store) -> None:
    assert superiority.superiority_of_pool(store, *POOL).bots == ()
    assert set_measures.seat_advantages(store, *POOL) == ()
    assert rating_history.history_of_best(store, *POOL, 10, 24) == ()
    tournament = new_tournament(store)
    assert superiority.superiority_of_tournament(store, tournament.id).bots == ()
    assert set_measures.set_savings(store, tournament.id) is None
    assert set_measures.seat_advantages(store, *POOL) == ()


def test_what_does_not_exist_is_refused(store: Store) -> None:
    new_tournament(store)
    with pytest.raises(UsageError, match=r"variant 'fast': lost_cities has standard"):
        superiority.superiority_of_pool(store, "lost_cities", "fast")
    with pytest.raises(UsageError, match=r"game 'chess': this arena has"):
        set_measures.seat_advantages(store, "chess", "standard")
    with pytest.raises(UsageError, match=r"bot 'nobody': lost_cities has none of that name"):
        rating_history.history_of_bot(store, *POOL, "nobody", 24)
    for ask in (set_measures.set_savings, superiority.superiority_of_tournament):
        with pytest.raises(NotFound, match="tournament 9"):
            ask(store, 9)


def test_the_present_hour_has_one_point_with_the_newest_values(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=10)
    todo = matches(store)
    for block, match in todo:
        add(store, block, match, alphabetical(match))
        public_ratings.refresh(store, "lost_cities/standard")
    (history,) = rating_history.history_of_bot(store, *POOL, "random", 2)
    row = next(row for row in public_ratings.table(store, "lost_cities").rows if row.bot == "random")
    newest = history.points[-1]
    assert len(history.points) <= 2  # an hour may end meanwhile
    assert (newest.elo, newest.error, newest.matches) == (row.elo, row.error, row.matches)


def test_a_point_of_the_history_has_the_time_at_which_its_rating_was_computed(store: Store) -> None:
    play(store, new_tournament(store, names=NAMES[:2]).id)
    before = time.time()
    public_ratings.refresh(store, "lost_cities/standard")
    after = time.time()
    (history,) = rating_history.history_of_bot(store, *POOL, "random", 2)
    assert before <= history.points[-1].at <= after


def test_a_point_whose_time_was_not_stored_stands_at_the_end_of_its_hour(store: Store) -> None:
    play(store, new_tournament(store, names=NAMES[:2]).id)
    public_ratings.refresh(store, "lost_cities/standard")
    with store.write() as session:
        session.execute(update(RatingPoint).values(hour=RatingPoint.hour - 1, computed_at=None))
        hour = session.scalars(select(RatingPoint.hour)).first()
    (history,) = rating_history.history_of_bot(store, *POOL, "random", 2)
    assert hour is not None
    assert [point.at for point in history.points] == [(hour + 1) * 3600]


def test_hours_before_are_kept_and_a_history_goes_back_as_far_as_asked(store: Store) -> None:
    for places in (first_seat, alphabetical, first_seat):
        play(store, new_tournament(store, names=NAMES[:2]).id, places)
        with store.write() as session:
            session.execute(
                update(RatingPoint).values(
                    hour=RatingPoint.hour - 10, computed_at=RatingPoint.computed_at - 36000
                )
            )
        public_ratings.refresh(store, "lost_cities/standard")

    def lengths(hours: int) -> list[int]:
        return [len(history.points) for history in rating_history.history_of_best(store, *POOL, 10, hours)]

    assert (lengths(5), lengths(15), lengths(25)) == ([1, 1], [2, 2], [3, 3])
    (history,) = rating_history.history_of_bot(store, *POOL, "random", 100)
    assert [point.matches for point in history.points] == [2, 4, 6]
    times = [point.at for point in history.points]
    assert [second - first >= 36000 for first, second in itertools.pairwise(times)] == [True, True]


def test_a_version_that_nothing_changes_for_gets_no_new_point(store: Store) -> None:
    play(store, new_tournament(store, names=NAMES[:2]).id)
    public_ratings.refresh(store, "lost_cities/standard")
    with store.write() as session:
        session.execute(update(RatingPoint).values(hour=RatingPoint.hour - 1))
    play(store, new_tournament(store, names=NAMES[2:4]).id)
    public_ratings.refresh(store, "lost_cities/standard")
    histories = rating_history.history_of_best(store, *POOL, 10, 24)
    assert [(history.bot, len(history.points)) for history in histories] == [
        ("greedy", 1),
        ("random", 1),
        ("counter", 1),
        ("rusher", 1),
    ]
    assert histories[2].points[0].at > histories[0].points[0].at


def test_the_best_of_a_pool_come_first_and_no_more_than_asked(store: Store) -> None:
    play(store, new_tournament(store).id)
    public_ratings.refresh(store, "lost_cities/standard")
    assert [each.bot for each in rating_history.history_of_best(store, *POOL, 2, 24)] == ["greedy", "random"]


def test_a_seat_that_always_wins_has_all_its_pairs_by_seat_count(store: Store) -> None:
    for seats in (3, 4):
        play(store, new_tournament(store, "land_unter", NAMES[:4], seats=seats, cycles=10).id, first_seat)
    three, four = set_measures.seat_advantages(store, "land_unter", "standard")
    assert (three.seats, three.shares) == (3, (1.0, 0.5, 0.0))
    assert (four.seats, four.shares) == (4, (1.0, 0.6667, 0.3333, 0.0))
    assert set(four.errors) == {0.0}
    assert (three.sets, four.sets) == (40, 10)


def test_seats_are_measured_on_whole_sets_without_faults(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=12)
    todo = matches(store)
    for block, match in todo[:-1]:
        add(store, block, match, first_seat(match), **({"result": fault(2, 0)} if match.set == 3 else {}))
    assert [(row.sets, row.shares) for row in set_measures.seat_advantages(store, *POOL)] == [
        (10, (1.0, 0.0))
    ]
    add(store, *todo[-1], first_seat(todo[-1][1]))
    assert [row.sets for row in set_measures.seat_advantages(store, *POOL)] == [11]


def test_sets_in_which_the_seat_decides_have_saved_many_matches(store: Store) -> None:
    tournament = new_tournament(store, names=NAMES[:2], cycles=40)

    def places(match: BlockMatch) -> list[int]:
        return alphabetical(match) if match.set % 10 == 0 else first_seat(match)

    play(store, tournament.id, places)
    saved = set_measures.set_savings(store, tournament.id)
    assert saved is not None
    assert saved.sets == 40
    assert saved.low > 1
    assert saved.saved == pytest.approx((saved.ratio - 1) * 80, abs=0.5)


def test_sets_whose_matches_have_deals_of_their_own_have_saved_nothing(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    tournament = new_tournament(store, names=("greedy", "mine"), cycles=40)
    play(store, tournament.id, first_seat)
    assert set_measures.set_savings(store, tournament.id) is None
