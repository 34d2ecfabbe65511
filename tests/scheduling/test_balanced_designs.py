"""Schedules of a chosen length."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from arena.games.chance import Stream
from arena.scheduling import balanced_designs
from arena.scheduling.table_designs import TableDesign, evenly, meetings
from tests.examples import scaled
from tests.scheduling.numbered_tables import tables_of

sizes = st.integers(2, 6).flatmap(lambda seats: st.tuples(st.integers(seats, 60), st.just(seats)))
lengths = st.integers(1, 24)


def spread(tables: TableDesign) -> int:
    met = meetings(tables_of(tables))
    counts = [met.get(pair, 0) for pair in combinations(range(tables.entries), 2)]
    return max(counts) - min(counts)


@given(sizes, lengths)
@examples(max_examples=scaled(60))
def test_everybody_sits_at_as_many_tables_as_were_asked_for(size: tuple[int, int], length: int) -> None:
    entries, seats = size
    per_bot = evenly(entries, seats, length)
    tables = tables_of(TableDesign(entries, seats, per_bot=per_bot))
    assert Counter(entry for table in tables for entry in table) == dict.fromkeys(range(entries), per_bot)
    assert all(len(set(table)) == seats for table in tables)


@given(sizes, lengths)
@examples(max_examples=scaled(40))
def test_pairs_meet_equally_often_within_two(size: tuple[int, int], length: int) -> None:
    entries, seats = size
    assert spread(TableDesign(entries, seats, per_bot=evenly(entries, seats, length))) <= 2


def mean(entries: int, seats: int) -> float:
    return evenly(entries, seats, 10) * (seats - 1) / (entries - 1)


ROOMY = [
    (entries, seats)
    for seats in (2, 3, 4, 5, 6)
    for entries in (9, 16, 25, 40, 75, 120)
    if 0.1 < mean(entries, seats) % 1 < 0.8
]
"""Where pairs meet about n times on the average, a design within 1 is a rare thing, or there is none."""


@pytest.mark.parametrize(("entries", "seats"), ROOMY)
def test_of_ten_tables_each_pairs_meet_equally_often_within_one(entries: int, seats: int) -> None:
    assert spread(TableDesign(entries, seats, per_bot=evenly(entries, seats, 10))) <= 1


@given(sizes, lengths)
def test_the_numbers_that_come_out_even_are_those_that_fill_the_tables(
    size: tuple[int, int], length: int
) -> None:
    entries, seats = size
    found = evenly(entries, seats, length)
    assert found == next(each for each in range(length, length + seats) if entries * each % seats == 0)


@given(sizes, lengths)
@examples(max_examples=scaled(30))
def test_the_same_wish_gives_the_same_schedule(size: tuple[int, int], length: int) -> None:
    entries, seats = size
    before, per_bot = balanced_designs.no_meetings(entries, seats), evenly(entries, seats, length)
    one, again = (balanced_designs.design(seats, per_bot, before, Stream(bytes(32))) for _ in range(2))
    assert one == again
    assert not before.any()


@given(sizes, st.integers(1, 6), st.integers(2, 4))
@examples(max_examples=scaled(20))
def test_more_cycles_begin_like_fewer(size: tuple[int, int], length: int, cycles: int) -> None:
    entries, seats = size
    per_bot = evenly(entries, seats, length)
    short = tables_of(TableDesign(entries, seats, per_bot=per_bot))
    long = tables_of(TableDesign(entries, seats, cycles, per_bot))
    assert long[: len(short)] == short
    assert len(long) == cycles * len(short)
    assert set(Counter(entry for table in long for entry in table).values()) == {cycles * per_bot}


def test_more_cycles_even_out_what_the_first_left() -> None:
    once, often = TableDesign(30, 4, 1, 6), TableDesign(30, 4, 20, 6)
    assert len(meetings(tables_of(once))) < 30 * 29 // 2
    assert spread(once) == 1
    assert spread(often) <= 2


def test_a_thousand_bots_play_forty_matches_each() -> None:
    tables = tables_of(TableDesign(1000, 4, per_bot=10))
    assert len(tables) == 2500
    assert set(meetings(tables).values()) == {1}


def test_a_number_that_does_not_come_out_even_is_refused_and_the_next_one_named() -> None:
    with pytest.raises(ValueError, match=r"per_bot 10: 999 entries at 4 seats .* 12 is possible"):
        TableDesign(999, 4, per_bot=10)


def test_the_thousandth_cycle_is_found_without_those_before_it_being_searched_again() -> None:
    tables = TableDesign(9, 3, 1000)
    assert len(set(tables[len(tables) - 1])) == 3
    assert spread(tables) <= 2
