"""Gauntlet, Swiss and knockout: who meets whom, whatever the results are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from math import ceil, log2
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.chance import Stream
from arena.scheduling.formats.adaptive_rounds import PairUnits, PlayedRound, PlayedSet, Round, Rounds, basis
from arena.scheduling.formats.gauntlet import Gauntlet
from arena.scheduling.formats.knockout import MAX_EXTRA_SETS, Knockout
from arena.scheduling.formats.swiss import Swiss
from arena.scheduling.swiss_pairing.scores import standing
from tests.scheduling.numbered_tables import tables_of

LOTS = Stream(bytes(32))
Outcome = Callable[[tuple[int, ...]], tuple[int, ...]]


def better_wins(table: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(4 if entry == min(table) else 0 for entry in table)


def all_even(table: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(2 for _ in table)


def play(
    rounds: Rounds, outcome: Outcome, leave: dict[int, Collection[int]] | None = None
) -> tuple[list[PlayedRound], list[Round]]:
    """Play to the end; `leave` names who is gone before the round with that number is drawn."""
    played: list[PlayedRound] = []
    drawn: list[Round] = []
    gone: set[int] = set()
    while True:
        gone |= set((leave or {}).get(len(played), ()))
        each = rounds.next(played, gone, Stream(len(played).to_bytes(32, "big")))
        if each is None:
            return played, drawn
        assert each.tables
        assert len(played) < 200
        drawn.append(each)
        sets = tuple(PlayedSet(table, outcome(table)) for table in each.tables)
        played.append(PlayedRound(sets, each.byes, tuple(sorted(gone))))


def by_lot(random: Random) -> Outcome:
    def outcome(_table: tuple[int, ...]) -> tuple[int, ...]:
        first = random.randrange(5)
        return first, 4 - first

    return outcome


results = st.randoms(use_true_random=False).map(by_lot)


# --- gauntlet -------------------------------------------------------------------------------------------------


@given(st.integers(2, 30), st.integers(2, 6), st.integers(1, 3))
def test_in_a_gauntlet_the_field_plays_equally_often_and_always_against_the_one(
    entries: int, seats: int, cycles: int
) -> None:
    entries = max(entries, seats)
    tables = tables_of(Gauntlet(entries, seats, cycles))
    assert all(table[0] == 0 and len(set(table)) == seats for table in tables)
    played = Counter(entry for table in tables for entry in table[1:])
    assert set(played) == set(range(1, entries))
    assert len(set(played.values())) == 1


# --- Swiss ----------------------------------------------------------------------------------------------------


@given(st.integers(2, 40), results)
def test_a_swiss_round_pairs_everybody_once_with_at_most_one_bye(entries: int, outcome: Outcome) -> None:
    played, drawn = play(Swiss(entries, Swiss.usual_rounds(entries)), outcome)
    assert len(played) == Swiss.usual_rounds(entries)
    for each in drawn:
        assert sorted([*(entry for table in each.tables for entry in table), *each.byes]) == list(
            range(entries)
        )
        assert len(each.byes) == entries % 2


@given(st.integers(6, 40), results)
def test_in_a_swiss_nobody_meets_the_same_one_twice_or_has_two_byes(entries: int, outcome: Outcome) -> None:
    _, drawn = play(Swiss(entries, min(entries // 2, 6)), outcome)
    met = Counter(frozenset(table) for each in drawn for table in each.tables)
    assert set(met.values()) == {1}
    assert max(Counter(entry for each in drawn for entry in each.byes).values(), default=1) == 1


def test_in_a_swiss_equal_scores_meet_as_far_as_they_can() -> None:
    played, drawn = play(Swiss(16, 4), better_wins)
    for number, each in enumerate(drawn):
        scores = standing(played[:number], 16)
        assert all(scores[a] == scores[b] for a, b in each.tables)


def test_who_left_a_swiss_is_paired_no_more() -> None:
    _, drawn = play(Swiss(9, 4), better_wins, {2: {0, 3}})
    assert {0, 3}.isdisjoint(entry for each in drawn[2:] for table in each.tables for entry in table)


# --- knockout -------------------------------------------------------------------------------------------------


@given(st.integers(2, 40), st.integers(1, 3), results)
def test_a_knockout_ends_with_one_champion_who_lost_no_tie(entries: int, sets: int, outcome: Outcome) -> None:
    knockout = Knockout(tuple(range(entries)), sets)
    played, _ = play(knockout, outcome)
    assert knockout.champion(played) in range(entries)


@given(st.integers(2, 64))
def test_if_the_better_seed_always_wins_the_two_best_meet_in_the_last_of_the_fewest_rounds(
    entries: int,
) -> None:
    knockout = Knockout(tuple(range(entries)))
    played, drawn = play(knockout, better_wins)
    assert len(drawn) == ceil(log2(entries))
    assert set(drawn[-1].tables[0]) == {0, 1}
    assert knockout.champion(played) == 0


def test_byes_go_to_the_best_seeds() -> None:
    _, drawn = play(Knockout(tuple(range(6))), better_wins)
    assert set(drawn[0].byes) == {0, 1}


def test_an_even_tie_gets_one_set_more_at_a_time_and_at_last_the_better_seed_goes_on() -> None:
    knockout = Knockout((4, 3, 2, 1))
    played, drawn = play(knockout, all_even)
    assert len(drawn) == 2 * (1 + MAX_EXTRA_SETS)
    assert knockout.champion(played) == 4


def test_who_leaves_loses_the_tie_without_play() -> None:
    knockout = Knockout((0, 1, 2, 3))
    played, drawn = play(knockout, better_wins, {1: {0}})
    assert len(drawn) == 1
    assert knockout.champion(played, {0}) == 1


def test_a_winner_who_leaves_later_does_not_bring_back_whom_it_beat() -> None:
    knockout = Knockout(tuple(range(8)))
    played, drawn = play(knockout, better_wins, {1: {0}, 2: {3}})
    # 0 beat 7 and left: 3, who would have met it, went on, and left too.
    assert not any({0, 3} & set(table) for each in drawn[2:] for table in each.tables)
    assert knockout.champion(played, {0, 3}) == 1


# --- what a decision was based on -----------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [Swiss(8, 3), Knockout(tuple(range(8)))])
def test_the_same_results_give_the_same_round(rounds: Rounds) -> None:
    played, drawn = play(rounds, better_wins)
    for number, each in enumerate(drawn):
        again = rounds.next(played[:number], (), Stream(number.to_bytes(32, "big")))
        assert again == each


def test_a_hash_says_what_was_played_and_who_had_left() -> None:
    played = {0: (PairUnits(0, 1, 280, 0),), 1: (PairUnits(1, 2, 140, 140),)}
    hashes = {basis(played, ()), basis({0: played[0]}, ()), basis(played, {2}), basis({}, ())}
    assert len(hashes) == 4
    assert basis(dict(reversed(played.items())), ()) in hashes
