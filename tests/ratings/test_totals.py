"""Totals: integers, so that order cannot be seen in them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.totals import UNITS_PER_POINT, PairTotal, half_units, pair_results, total
from tests.examples import scaled

Match = tuple[Sequence[str], Sequence[int], Collection[int]]
BOTS = [f"bot{i}@1" for i in range(7)]


@st.composite
def some_match(draw: st.DrawFn) -> Match:
    seats = draw(st.integers(2, 6))
    names = draw(st.lists(st.sampled_from(BOTS), min_size=seats, max_size=seats))
    places = draw(st.lists(st.integers(1, seats), min_size=seats, max_size=seats))
    return names, places, draw(st.sets(st.integers(0, seats - 1)))


@pytest.mark.parametrize(("seats", "half"), [(2, 140), (3, 105), (4, 84), (5, 70), (6, 60)])
def test_half_a_win_is_a_whole_number_of_units(seats: int, half: int) -> None:
    assert half_units(seats) == half
    assert 2 * half * (seats + 1) == 3 * UNITS_PER_POINT


@pytest.mark.parametrize("seats", [1, 7])
def test_other_seat_counts_have_no_weight(seats: int) -> None:
    with pytest.raises(ValueError, match=f"seats {seats}: pairs of 2 to 6"):
        half_units(seats)


def test_a_win_is_one_point() -> None:
    assert total([(("a", "b"), (1, 2), ())]) == (PairTotal("a", "b", 280, 0),)


def test_a_shared_place_is_half_a_win() -> None:
    assert total([(("b", "a"), (1, 1), ())]) == (PairTotal("a", "b", 140, 140),)


def test_all_pairs_of_a_table_count_with_its_weight() -> None:
    assert total([(("c", "a", "b"), (3, 1, 1), ())]) == (
        PairTotal("a", "b", 105, 105),
        PairTotal("a", "c", 210, 0),
        PairTotal("b", "c", 210, 0),
    )


def test_a_fault_rates_the_seat_at_fault_and_nobody_else() -> None:
    assert total([(("a", "b", "c"), (1, 3, 1), (1,))]) == (
        PairTotal("a", "b", 210, 0),
        PairTotal("b", "c", 0, 210),
    )


def test_who_forfeits_loses_to_all_who_do_not_and_takes_nothing_from_the_others() -> None:
    assert total([(("a", "b", "c"), (1, 3, 3), {1, 2})]) == (
        PairTotal("a", "b", 210, 0),
        PairTotal("a", "c", 210, 0),
    )
    assert total([(("a", "b"), (2, 2), {0, 1})]) == ()


def test_pairs_of_one_version_are_never_rated() -> None:
    assert total([(("a", "a", "b"), (1, 2, 3), ())]) == (PairTotal("a", "b", 420, 0),)
    assert total([(("a", "a"), (1, 2), ())]) == ()


def test_every_pair_of_seats_is_there_once() -> None:
    pairs = {(result.seat, result.other) for result in pair_results((1, 2, 3, 4))}
    assert pairs == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}


@given(st.lists(some_match(), max_size=8), st.randoms())
@settings(max_examples=scaled(40))
def test_the_order_of_the_matches_does_not_matter(matches: list[Match], random: object) -> None:
    shuffled = sorted(matches, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert total(shuffled) == total(matches)


@given(some_match(), st.randoms())
@settings(max_examples=scaled(40))
def test_the_order_of_the_seats_does_not_matter(match: Match, random: object) -> None:
    names, places, forfeits = match
    seats = sorted(range(len(names)), key=lambda _: random.random())  # type: ignore[attr-defined]
    turned = (
        [names[seat] for seat in seats],
        [places[seat] for seat in seats],
        {seats.index(seat) for seat in forfeits},
    )
    assert total([turned]) == total([match])
