"""More than two seats: all subsets, or cyclic designs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arena.scheduling.table_designs import FEW_TABLES, TableDesign, meetings
from tests.scheduling.numbered_tables import tables_of

GRID = [(entries, seats) for seats in (3, 4, 5, 6) for entries in (8, 9, 11, 13, 16, 21, 30, 50)]


def spread(tables: TableDesign) -> int:
    met = meetings(tables_of(tables))
    counts = [met.get(pair, 0) for pair in combinations(range(tables.entries), 2)]
    return max(counts) - min(counts)


@pytest.mark.parametrize(("entries", "seats"), [(3, 3), (4, 3), (5, 3), (5, 4), (6, 4), (7, 3), (8, 6)])
def test_few_bots_form_all_tables_there_are(entries: int, seats: int) -> None:
    tables = [frozenset(table) for table in tables_of(TableDesign(entries, seats))]
    assert len(tables) <= FEW_TABLES
    assert sorted(map(sorted, tables)) == sorted(map(sorted, combinations(range(entries), seats)))


@pytest.mark.parametrize(("entries", "seats"), GRID)
def test_every_bot_sits_at_equally_many_tables(entries: int, seats: int) -> None:
    tables = tables_of(TableDesign(entries, seats, 2))
    assert len(set(Counter(entry for table in tables for entry in table).values())) == 1


@pytest.mark.parametrize(("entries", "seats"), GRID)
def test_a_table_never_has_a_bot_twice(entries: int, seats: int) -> None:
    assert all(len(set(table)) == seats for table in tables_of(TableDesign(entries, seats, 2)))


@pytest.mark.parametrize(("entries", "seats"), GRID)
def test_everybody_meets_everybody_equally_often_within_one(entries: int, seats: int) -> None:
    assert len(meetings(tables_of(TableDesign(entries, seats)))) == entries * (entries - 1) // 2
    assert spread(TableDesign(entries, seats)) <= 1


@pytest.mark.parametrize(("entries", "seats"), [(8, 3), (13, 4), (25, 4), (40, 5)])
def test_more_cycles_even_out_what_the_first_left(entries: int, seats: int) -> None:
    assert spread(TableDesign(entries, seats, 3)) <= 2


def test_a_longer_schedule_begins_like_a_shorter_one() -> None:
    short = tables_of(TableDesign(13, 4, 1))
    assert tables_of(TableDesign(13, 4, 3))[: len(short)] == short


@pytest.mark.parametrize("number", [-1, 10])
def test_there_is_no_table_outside_the_schedule(number: int) -> None:
    with pytest.raises(IndexError):
        TableDesign(5, 3)[number]
