"""Tournaments: creating, listing, showing."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import func, select

from arena.competition.matches import blocks
from arena.competition.matches.blocks import BlockMatch
from arena.competition.plans import NotFound
from arena.core.errors import UsageError
from arena.match.clock import parse_time_control
from arena.rankings.standings import CrosstableCell
from arena.reports import exports, tournaments
from arena.storage import Store
from arena.storage.schema import Block, MatchResult
from tests.decided_matches import NAMES, SECRET, alphabetical, new_tournament, play


def test_a_new_tournament_shows_its_commitment_and_not_its_secret(store: Store) -> None:
    page = new_tournament(store)
    assert page.commitment == sha256(SECRET).hexdigest()
    assert page.secret is None
    assert page.state == "running"


def test_the_secret_is_shown_when_the_tournament_is_over(store: Store) -> None:
    page = new_tournament(store)
    play(store, page.id)
    page = tournaments.page(store, page.id)
    assert (page.state, page.secret) == ("finished", SECRET.hex())
    assert page.finished_at is not None


def test_every_tournament_without_a_secret_gets_one_of_its_own(store: Store) -> None:
    pages = [new_tournament(store, secret=None) for _ in range(2)]
    assert pages[0].commitment != pages[1].commitment


def test_two_seats_play_each_pair_in_both_seats_in_every_cycle(store: Store) -> None:
    page = new_tournament(store, names=NAMES[:4], cycles=3)
    assert (page.sets_total, page.matches_total) == (18, 36)


def test_more_seats_play_rotated_tables(store: Store) -> None:
    page = new_tournament(store, "land_unter", NAMES[:5], seats=4)
    assert (page.seats, page.sets_total, page.matches_total) == (4, 5, 20)


def test_standard_options_are_filled_in(store: Store) -> None:
    assert new_tournament(store).options == {"hands": 3}


def test_standard_options_and_a_listed_time_count_for_the_pool(store: Store) -> None:
    assert new_tournament(store).pool == "lost_cities/standard"


@pytest.mark.parametrize("special", [{"options": {"hands": 1}}, {"time": parse_time_control("3+0.1")}])
def test_other_options_or_times_count_for_no_pool(store: Store, special: dict[str, Any]) -> None:
    assert new_tournament(store, **special).pool is None


def test_standings_are_of_all_entries_before_the_first_match(store: Store) -> None:
    page = new_tournament(store)
    assert [(row.bot, row.elo, row.matches) for row in page.standings] == [
        ("greedy", None, 0),
        ("random", None, 0),
        ("rusher", None, 0),
    ]


def test_standings_and_crosstable_add_up(store: Store) -> None:
    page = new_tournament(store)
    play(store, page.id)
    page = tournaments.page(store, page.id)
    assert [(row.rank, row.bot, row.points, row.wins, row.draws, row.losses) for row in page.standings] == [
        (1, "greedy", 4.0, 4, 0, 0),
        (2, "random", 2.0, 2, 0, 2),
        (3, "rusher", 0.0, 0, 0, 4),
    ]
    assert page.crosstable == (
        (None, CrosstableCell(2, 0, 0), CrosstableCell(2, 0, 0)),
        (CrosstableCell(0, 0, 2), None, CrosstableCell(2, 0, 0)),
        (CrosstableCell(0, 0, 2), CrosstableCell(0, 0, 2), None),
    )


def test_greedy_stands_at_1500_where_it_takes_part(store: Store) -> None:
    page = new_tournament(store)
    play(store, page.id)
    elo = {row.bot: row.elo for row in tournaments.page(store, page.id).standings}
    assert elo["greedy"] == 1500.0
    assert elo["rusher"] is not None
    assert elo["rusher"] < 1500.0


def test_without_greedy_the_mean_is_1500(store: Store) -> None:
    page = new_tournament(store, names=NAMES[1:4])
    play(store, page.id)
    elo = [row.elo or 0.0 for row in tournaments.page(store, page.id).standings]
    assert sum(elo) / 3 == pytest.approx(1500.0, abs=0.1)


def test_shared_places_share_points_and_rank(store: Store) -> None:
    page = new_tournament(store)

    def all_equal(match: BlockMatch) -> Sequence[int]:
        return [1] * len(match.seats)

    play(store, page.id, all_equal)
    rows = tournaments.page(store, page.id).standings
    assert {(row.rank, row.points, row.draws, row.elo) for row in rows} == {(1, 2.0, 4, 1500.0)}


def test_a_table_of_four_counts_every_seat_that_was_met(store: Store) -> None:
    page = new_tournament(store, "land_unter", NAMES[:4], seats=4)
    play(store, page.id)
    rows = tournaments.page(store, page.id).standings
    assert [(row.bot, row.matches, row.wins, row.losses) for row in rows] == [
        ("counter", 4, 12, 0),
        ("greedy", 4, 8, 4),
        ("random", 4, 4, 8),
        ("rusher", 4, 0, 12),
    ]


def test_the_list_has_the_newest_first(store: Store) -> None:
    first, second = new_tournament(store), new_tournament(store, name="The second")
    play(store, first.id)
    rows = tournaments.listing(store)
    assert [(row.id, row.state, row.matches_done, row.matches_total) for row in rows] == [
        (second.id, "running", 0, 6),
        (first.id, "finished", 6, 6),
    ]
    assert rows[0] == tournaments.row(store, second.id)
    assert rows[0].name == "The second"


def test_the_list_comes_in_parts(store: Store) -> None:
    numbers = [new_tournament(store).id for _ in range(3)]
    first = tournaments.listing(store, most=2)
    assert [row.id for row in first] == numbers[:0:-1]
    assert [row.id for row in tournaments.listing(store, before=first[-1].id, most=2)] == numbers[:1]


def test_tournaments_by_number_come_with_those_that_are_newer(store: Store) -> None:
    numbers = [new_tournament(store).id for _ in range(4)]
    found = tournaments.with_newer(store, numbers[:1], numbers[2])
    assert [row.id for row in found] == [numbers[3], numbers[0]]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"game": "chess"}, r"game 'chess': this arena has lost_cities"),
        ({"variant": "fast"}, r"variant 'fast': lost_cities has standard"),
        ({"seats": 3}, r"seats 3: lost_cities \(standard\) is played with 2"),
        ({"options": {"hands": 99}}, r"option hands=99: must be 1 to 9"),
        ({"options": {"cards": 1}}, r"option 'cards': lost_cities \(standard\) has hands"),
        ({"names": ("greedy", "deep")}, r"bot 'deep': lost_cities has cautious, counter, greedy"),
        ({"names": ("greedy",)}, r"bots greedy: a table has 2 seats, so name at least 2 bots"),
        ({"names": ()}, r"bots none: a table has 2 seats"),
        ({"names": ("greedy", "random", "greedy@1")}, r"bots: greedy@1 is named twice"),
        ({"cycles": 0}, r"cycles 0: must be 1 to"),
        ({"cycles": 100_000, "names": NAMES}, r"cycles 100000: 3000000 matches; at most 1000000"),
        ({"secret": b"short"}, r"secret of 5 bytes: must be 32"),
        ({"name": " "}, r"name ' ': must be 1 to 200 characters"),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_nothing(store: Store, wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        new_tournament(store, **wrong)
    assert tournaments.listing(store) == ()


def test_a_tournament_that_does_not_exist_is_not_found(store: Store) -> None:
    for act in (tournaments.page, tournaments.row, exports.export):
        with pytest.raises(NotFound, match=r"tournament 7: there is none; `arena tournament list`"):
            act(store, 7)


def test_a_hundred_thousand_matches_are_created_as_blocks_alone(store: Store) -> None:
    page = new_tournament(store, names=NAMES, cycles=3334)
    assert page.matches_total == 100_020
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(Block)) == 1563
        assert session.scalar(select(func.count()).select_from(MatchResult)) == 0


def test_blocks_cover_every_set_once(store: Store) -> None:
    page = new_tournament(store, names=NAMES, cycles=14)
    with store.read() as session:
        rows = session.scalars(select(Block).order_by(Block.number)).all()
    sets = [number for row in rows for number in range(row.first_set, row.first_set + row.sets)]
    assert sets == list(range(page.sets_total))
    assert len(blocks.reconcile(store)) == len(rows) > 10


def test_an_export_is_the_same_whatever_the_store_held_before(store: Store) -> None:
    written = []
    for noise in range(2):
        for _ in range(noise):
            new_tournament(store, names=NAMES[3:])
        page = new_tournament(store, cycles=2)
        play(store, page.id, alphabetical)
        written.append(exports.export(store, page.id))
    assert written[0] == written[1]


def test_an_export_of_a_running_tournament_has_no_secret(store: Store) -> None:
    page = new_tournament(store)
    assert SECRET.hex() not in exports.export(store, page.id)
    play(store, page.id)
    assert SECRET.hex() in exports.export(store, page.id)
