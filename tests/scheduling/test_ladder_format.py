"""The ladder's pairings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from operator import itemgetter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from arena.games.chance import Stream
from arena.scheduling.formats.ladder import LOT_EVERY, LadderStanding, pairings
from tests.examples import scaled

LOTS = Stream(bytes(32))


def known(ratings: list[float], errors: list[float]) -> LadderStanding:
    return LadderStanding(np.array(ratings), np.array(errors) ** 2)


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


@pytest.mark.parametrize(
    ("variances", "message"),
    [
        ([1.0], "one for each of"),
        ([1.0, float("inf")], "finite"),
        ([1.0, -0.5], r"-0\.5: must not be negative"),
    ],
)
def test_variances_that_cannot_be_are_refused(variances: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LadderStanding(np.zeros(2), np.array(variances))


# --- whatever is known ----------------------------------------------------------------------------------------

entries = st.lists(
    st.tuples(st.floats(-8, 8), st.floats(0, 4)),
    min_size=6,
    max_size=40,
    unique_by=(lambda e: e[0], lambda e: e[1]),
)


def from_pairs(pairs: list[tuple[float, float]]) -> LadderStanding:
    return LadderStanding(
        np.array([rating for rating, _ in pairs]), np.array([variance for _, variance in pairs])
    )


def gains(one: LadderStanding) -> np.ndarray:
    p = 1 / (1 + np.exp(one.ratings[None, :] - one.ratings[:, None]))
    return np.triu(p * (1 - p) * (one.variances[:, None] + one.variances[None, :]), 1)


@given(entries, st.integers(2, 6), st.integers(0, 40), st.binary(min_size=32, max_size=32))
def test_every_table_has_distinct_entries_that_there_are(
    pairs: list[tuple[float, float]], seats: int, count: int, seed: bytes
) -> None:
    tables = pairings(from_pairs(pairs), seats, count, Stream(seed))
    assert len(tables) == count
    for table in tables:
        assert list(table) == sorted(set(table))
        assert len(table) == seats
        assert 0 <= table[0] <= table[-1] < len(pairs)


@given(entries, st.integers(2, 6), st.binary(min_size=32, max_size=32))
def test_the_same_lots_give_the_same_tables(
    pairs: list[tuple[float, float]], seats: int, seed: bytes
) -> None:
    one, again = (pairings(from_pairs(pairs), seats, 20, Stream(seed)) for _ in range(2))
    assert one == again


@given(entries, st.binary(min_size=32, max_size=32))
def test_the_first_pair_is_one_that_tells_most(pairs: list[tuple[float, float]], seed: bytes) -> None:
    one = from_pairs(pairs)
    ((i, j),) = pairings(one, 2, 1, Stream(seed))
    assert gains(one)[i, j] == pytest.approx(gains(one).max())


@given(entries, st.integers(3, 6), st.binary(min_size=32, max_size=32))
def test_at_more_seats_the_first_table_is_of_the_least_known_and_those_nearest_to_it(
    pairs: list[tuple[float, float]], seats: int, seed: bytes
) -> None:
    one = from_pairs(pairs)
    (table,) = pairings(one, seats, 1, Stream(seed))
    least = int(np.argmax(one.variances))
    assert least in table
    far = np.abs(one.ratings - one.ratings[least])
    assert max(far[list(table)]) == sorted(far)[seats - 1]


@given(entries, st.integers(2, 6), st.randoms(use_true_random=False), st.binary(min_size=32, max_size=32))
def test_how_entries_are_numbered_does_not_matter_where_lots_do_not_decide(
    pairs: list[tuple[float, float]], seats: int, random: object, seed: bytes
) -> None:
    numbers = list(range(len(pairs)))
    random.shuffle(numbers)  # type: ignore[attr-defined]
    if seats == 2:
        best = np.sort(gains(from_pairs(pairs)), axis=None)
        assume(best[-1] > best[-2] * (1 + 1e-9))
    else:
        least = max(pairs, key=itemgetter(1))
        far = sorted(abs(rating - least[0]) for rating, _ in pairs)
        assume(len(far) == seats or far[seats - 1] < far[seats])
    one = pairings(from_pairs(pairs), seats, 1, Stream(seed))
    other = pairings(from_pairs([pairs[number] for number in numbers]), seats, 1, Stream(seed))
    assert [sorted(numbers[entry] for entry in table) for table in other] == [list(table) for table in one]


@given(st.integers(2, 6), st.binary(min_size=32, max_size=32))
@examples(max_examples=scaled(10))
def test_of_equals_lots_choose(seats: int, seed: bytes) -> None:
    firsts = {
        pairings(known([0.0] * 30, [1.0] * 30), seats, 1, Stream(seed[:-1] + bytes([number])))
        for number in range(20)
    }
    assert len(firsts) > 5


def test_one_table_of_five_meets_anybody_alike() -> None:
    near = known([float(6 * i) for i in range(6)], [0.5] * 6)
    drawn = Counter(pairings(near, 2, 3000, LOTS)[LOT_EVERY - 1 :: LOT_EVERY])
    assert set(drawn) == set(combinations(range(6), 2))
    assert 20 < min(drawn.values()) <= max(drawn.values()) < 65
