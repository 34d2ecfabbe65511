"""Two seats: the circle method."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.scheduling.formats.round_robin import RoundRobin
from tests.scheduling.numbered_tables import tables_of

entries = st.integers(2, 40)


@given(entries, st.integers(1, 3))
def test_every_pair_meets_once_in_every_cycle(count: int, cycles: int) -> None:
    met = Counter(frozenset(pair) for pair in tables_of(RoundRobin(count, cycles)))
    assert met == dict.fromkeys(map(frozenset, combinations(range(count), 2)), cycles)


@given(entries)
def test_nobody_plays_twice_in_a_round(count: int) -> None:
    schedule, per_round = RoundRobin(count), count // 2
    for first in range(0, len(schedule), per_round):
        players = [entry for number in range(first, first + per_round) for entry in schedule[number]]
        assert len(set(players)) == 2 * per_round


@given(st.integers(1, 12).map(lambda half: 2 * half + 1))
def test_of_an_odd_number_everybody_has_one_bye(count: int) -> None:
    schedule, per_round = RoundRobin(count), count // 2
    byes: list[int] = []
    for first in range(0, len(schedule), per_round):
        players = {entry for number in range(first, first + per_round) for entry in schedule[number]}
        byes += set(range(count)) - players
    assert sorted(byes) == list(range(count))


def test_a_longer_schedule_begins_like_a_shorter_one() -> None:
    assert tables_of(RoundRobin(7, 3))[:21] == tables_of(RoundRobin(7))


@pytest.mark.parametrize("number", [-1, 15])
def test_there_is_no_pair_outside_the_schedule(number: int) -> None:
    with pytest.raises(IndexError):
        RoundRobin(6)[number]
