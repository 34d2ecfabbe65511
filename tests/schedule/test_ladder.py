"""The ladder's pairings."""

from __future__ import annotations

import numpy as np
import pytest

from arena.games.chance import Stream
from arena.schedule.ladder import LOT_EVERY, Known, pairings

LOTS = Stream(bytes(32))


def known(ratings: list[float], errors: list[float]) -> Known:
    return Known(np.array(ratings), np.diag(np.array(errors) ** 2))


def chosen(tables: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    return [table for number, table in enumerate(tables) if number % LOT_EVERY != LOT_EVERY - 1]


def test_a_new_version_plays_first_and_against_those_near_to_it() -> None:
    tables = chosen(pairings(known([2.0, 1.0, 0.1, -1.0, 0.0], [0.1, 0.1, 0.1, 0.1, 2.0]), 2, 5, LOTS))
    assert all(4 in table for table in tables)
    assert tables[0] == (2, 4)


def test_once_all_are_known_alike_the_open_pairs_are_played() -> None:
    tables = chosen(pairings(known([3.0, 2.9, -3.0, -2.9], [0.2] * 4), 2, 10, LOTS))
    assert set(tables) == {(0, 1), (2, 3)}


def test_what_is_chosen_counts_as_played_so_that_all_get_their_turn() -> None:
    tables = chosen(pairings(known([0.0] * 12, [1.0] * 12), 2, 40, LOTS))
    played = [entry for table in tables for entry in table]
    assert {played.count(entry) for entry in range(12)} <= {4, 5, 6}


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_at_more_seats_near_neighbours_sit_together(seats: int) -> None:
    tables = chosen(pairings(known([float(i) for i in range(20)], [1.0] * 20), seats, 20, LOTS))
    assert all(max(table) - min(table) == seats - 1 for table in tables)
    assert set(range(20)) == {entry for table in tables for entry in table}


def test_one_table_of_five_is_drawn_by_lot() -> None:
    near = known([float(4 * i) for i in range(10)], [0.5] * 10)
    tables = pairings(near, 2, 200, LOTS)
    far = [table for table in tables[LOT_EVERY - 1 :: LOT_EVERY] if table[1] - table[0] > 1]
    assert len(far) > 20
    assert all(table[1] - table[0] == 1 for table in chosen(tables))


def test_too_few_entries_for_a_table_are_refused() -> None:
    with pytest.raises(ValueError, match="entries 2: a table has 3 seats"):
        pairings(known([0.0, 0.0], [1.0, 1.0]), 3, 1, LOTS)
