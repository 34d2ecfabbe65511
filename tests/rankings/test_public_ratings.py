"""Ratings: pools and their Elo tables."""

from __future__ import annotations

import threading
from itertools import chain

import pytest
from sqlalchemy import delete, update

from arena.bot_registry import bots
from arena.competition.matches.blocks import Block, BlockMatch
from arena.core.errors import UsageError
from arena.rankings import public_ratings
from arena.ratings.elo_table import rate
from arena.ratings.model import ALGORITHM
from arena.ratings.rating_data import Inputs, of
from arena.ratings.set_clusters import count
from arena.ratings.totals import total
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import PairTotal, SetTotal
from tests import decided_matches
from tests.decided_matches import NAMES, add, alphabetical, claim, matches, new_tournament, person, play
from tests.ratings.test_totals import Match

POOL = "lost_cities/standard"


def inputs_of(todo: list[tuple[Block, BlockMatch]]) -> Inputs:
    """What must come of matches that were won in the order of the alphabet."""
    sets: dict[tuple[int, int], list[Match]] = {}
    for block, match in todo:
        names = [f"{seat.bot}@1" for seat in match.seats]
        sets.setdefault((block.tournament_id, match.set), []).append((names, alphabetical(match), ()))
    return of(total(chain.from_iterable(sets.values())), count(map(total, sets.values())))


def test_a_refreshed_table_is_computed_from_all_results_by_their_sets(store: Store) -> None:
    new_tournament(store, cycles=3)
    new_tournament(store, "land_unter", seats=3, cycles=2)
    todo = matches(store)
    for block, match in todo:
        add(store, block, match, alphabetical(match))
    for game in ("lost_cities", "land_unter"):
        expected = inputs_of([each for each in todo if each[0].game == game])
        assert public_ratings.refresh(store, f"{game}/standard")
        table = public_ratings.table(store, game)
        assert [
            (f"{row.bot}@{row.version}", row.elo, row.error, row.rank_low, row.rank_high)
            for row in table.rows
        ] == [
            (row.name, row.elo, row.error, row.rank_low, row.rank_high)
            for row in rate(expected, anchor="greedy@1").rows
        ]
        assert (table.algorithm, table.input_sha256) == (ALGORITHM, expected.sha256)
        assert table.computed_at is not None


def test_results_of_several_tournaments_make_one_table(store: Store) -> None:
    for names in (NAMES[:2], NAMES[1:3]):
        play(store, new_tournament(store, names=names).id)
    public_ratings.refresh(store, POOL)
    table = public_ratings.table(store, "lost_cities")
    assert [(row.rank, row.bot, row.matches) for row in table.rows] == [
        (1, "greedy", 2),
        (2, "random", 4),
        (3, "rusher", 2),
    ]
    assert table.components == 1


def test_seat_counts_share_a_pool(store: Store) -> None:
    for seats in (3, 4):
        play(store, new_tournament(store, "land_unter", NAMES[:4], seats=seats).id)
    public_ratings.refresh(store, "land_unter/standard")
    assert [row.matches for row in public_ratings.table(store, "land_unter").rows] == [13, 13, 13, 13]


def test_a_table_whose_sums_have_not_changed_is_not_computed_again(store: Store) -> None:
    new_tournament(store)
    play(store, 1)
    assert public_ratings.refresh(store, POOL)
    before = public_ratings.table(store, "lost_cities")
    assert not public_ratings.refresh(store, POOL)
    assert public_ratings.table(store, "lost_cities") == before


def test_few_matches_are_provisional(store: Store) -> None:
    new_tournament(store, names=NAMES[:2], cycles=15)
    todo = matches(store)
    for block, match in todo[:-1]:
        add(store, block, match, alphabetical(match))
    public_ratings.refresh(store, POOL)
    assert {row.provisional for row in public_ratings.table(store, "lost_cities").rows} == {True}
    add(store, *todo[-1], alphabetical(todo[-1][1]))
    public_ratings.refresh(store, POOL)
    assert {row.provisional for row in public_ratings.table(store, "lost_cities").rows} == {False}


def test_a_wide_error_bar_is_provisional_however_many_the_matches(store: Store) -> None:
    # Of twenty sets all but one are won: who is the stronger is plain, by how much is not.
    page = new_tournament(store, names=NAMES[:2], cycles=20)
    play(store, page.id, lambda match: alphabetical(match)[:: 1 if match.set else -1])
    public_ratings.refresh(store, POOL)
    rows = public_ratings.table(store, "lost_cities").rows
    assert {(row.matches, row.error > 100, row.provisional) for row in rows} == {(40, True, True)}
    assert {row.provisional for row in tournaments.page(store, page.id).standings} == {True}


def test_matches_of_one_owners_bots_are_clusters_of_the_tournament_only(store: Store) -> None:
    anna = person(store, "anna")
    for name in ("left", "right"):
        decided_matches.dial_in(store, anna, "lost_cities", name)
    bots.register_house(store, {"lost_cities": NAMES})
    page = new_tournament(store, names=("greedy", "left", "right"), cycles=3)
    play(store, page.id)
    public_ratings.refresh(store, POOL)
    assert [(row.bot, row.matches) for row in public_ratings.table(store, "lost_cities").rows] == [
        ("greedy", 12),
        ("left", 6),
        ("right", 6),
    ]
    assert [row.error is not None for row in tournaments.page(store, page.id).standings] == [True] * 3


def test_sets_of_an_earlier_version_are_counted_when_the_table_is_refreshed(store: Store) -> None:
    new_tournament(store, cycles=3)
    todo = matches(store)
    for block, match in todo[:9]:
        add(store, block, match, alphabetical(match))
    with store.write() as session:
        session.execute(delete(SetTotal))
    assert {row.error for row in tournaments.page(store, 1).standings} == {None}
    for block, match in todo[9:]:
        add(store, block, match, alphabetical(match))
    assert public_ratings.refresh(store, POOL)
    assert public_ratings.table(store, "lost_cities").input_sha256 == inputs_of(todo).sha256
    assert None not in {row.error for row in tournaments.page(store, 1).standings}


def test_sums_that_contradict_the_results_are_an_error_and_leave_the_table(store: Store) -> None:
    new_tournament(store)
    play(store, 1)
    public_ratings.refresh(store, POOL)
    before = public_ratings.table(store, "lost_cities")
    play(store, new_tournament(store).id)
    with store.write() as session:
        session.execute(
            update(PairTotal).where(PairTotal.scope == "pool/1").values(low_units=PairTotal.low_units + 280)
        )
    with pytest.raises(
        public_ratings.Inconsistent, match="pool lost_cities/standard: its sets do not add up"
    ):
        public_ratings.refresh(store, POOL)
    assert public_ratings.table(store, "lost_cities") == before


def test_groups_that_never_met_are_told_apart_and_ranked_apart(store: Store) -> None:
    for names in (NAMES[:2], NAMES[2:4]):
        play(store, new_tournament(store, names=names).id)
    public_ratings.refresh(store, POOL)
    table = public_ratings.table(store, "lost_cities")
    assert table.components == 2
    assert [(row.component, row.rank, row.bot) for row in table.rows] == [
        (0, 1, "greedy"),
        (0, 2, "random"),
        (1, 1, "counter"),
        (1, 2, "rusher"),
    ]


def test_equal_bots_share_a_rank(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    block = claim(store)
    for match in block.matches:
        add(store, block, match, [1, 2])
    public_ratings.refresh(store, POOL)
    assert [(row.rank, row.elo) for row in public_ratings.table(store, "lost_cities").rows] == [
        (1, 1500.0),
        (1, 1500.0),
    ]


def test_before_the_first_refresh_a_table_is_empty(store: Store) -> None:
    table = public_ratings.table(store, "land_unter")
    assert (table.variant, table.rows, table.computed_at) == ("standard", (), None)


def test_the_list_of_pools_counts_their_versions(store: Store) -> None:
    new_tournament(store)
    new_tournament(store, "land_unter", seats=3)
    play(store, 1)
    public_ratings.refresh(store, POOL)
    assert [(pool.key, pool.versions) for pool in public_ratings.pools(store)] == [
        ("land_unter/standard", 0),
        (POOL, 3),
    ]


def test_refreshes_at_the_same_time_leave_the_newest_table(store: Store) -> None:
    new_tournament(store, cycles=4)
    todo = matches(store)

    def work(part: int) -> None:
        for block, match in todo[part::3]:
            add(store, block, match, alphabetical(match))
            public_ratings.refresh(store, POOL)

    threads = [threading.Thread(target=work, args=(part,)) for part in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    table = public_ratings.table(store, "lost_cities")
    assert [row.matches for row in table.rows] == [16, 16, 16]
    assert not public_ratings.refresh(store, POOL)


@pytest.mark.parametrize(
    ("key", "says"),
    [("lost_cities", r"must be GAME/VARIANT"), ("lost_cities/fast", r"nothing has been played in it yet")],
)
def test_an_unknown_pool_is_refused(store: Store, key: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        public_ratings.refresh(store, key)


def test_an_unknown_game_or_variant_has_no_table(store: Store) -> None:
    with pytest.raises(UsageError, match=r"game 'chess': this arena has"):
        public_ratings.table(store, "chess")
    with pytest.raises(UsageError, match=r"variant 'fast': lost_cities has standard"):
        public_ratings.table(store, "lost_cities", "fast")
