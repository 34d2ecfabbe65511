"""Swiss: no repeat that can be avoided, byes shared out, whatever the results, the owners and who leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.chance import Stream
from arena.scheduling.decisions import DecisionState, RoundDrawn
from arena.scheduling.formats.adaptive_rounds import PlayedRound, PlayedSet, Round
from arena.scheduling.formats.swiss import Swiss, SwissFormat
from arena.scheduling.planning_terms import STANDARD, Terms
from arena.scheduling.swiss_pairing.cheapest_matching import Matching, Pair, cheapest_matching, lots
from arena.scheduling.swiss_pairing.earlier_plans import EarlierSwiss
from arena.scheduling.swiss_pairing.history import BYE, History
from arena.scheduling.swiss_pairing.look_ahead import all_pairs, berger_table, find_rounds, is_safe
from arena.scheduling.swiss_pairing.scores import standing
from tests.scheduling.test_formats import better_wins, play, results

FIELDS = st.integers(3, 40)
SMALL = st.integers(3, 6)


def repeats(drawn: Sequence[Round]) -> int:
    met = Counter(frozenset(table) for each in drawn for table in each.tables)
    return sum(met.values()) - len(met)


def needed(entries: int, rounds: int) -> int:
    return max(0, rounds * (entries // 2) - entries * (entries - 1) // 2)


def byes(drawn: Sequence[Round], entries: Sequence[int]) -> list[int]:
    had = Counter(entry for each in drawn for entry in each.byes)
    return [had[entry] for entry in entries]


def all_matchings(vertices: Sequence[int], pairs: frozenset[Pair]) -> Iterator[Matching]:
    """Yield every perfect matching, by brute force."""
    if not vertices:
        yield ()
        return
    first, *others = sorted(vertices)
    for other in others:
        if (first, other) in pairs:
            for rest in all_matchings([each for each in others if each != other], pairs):
                yield ((first, other), *rest)


def longest(vertices: Sequence[int], pairs: frozenset[Pair], rounds: int) -> int:
    """Return how many of `rounds` can be played without a repeat, by brute force."""
    if not rounds:
        return 0
    best = 0
    for matching in all_matchings(vertices, pairs):
        best = max(best, 1 + longest(vertices, pairs.difference(matching), rounds - 1))
        if best == rounds:
            break
    return best


# --- no repeat that can be avoided ----------------------------------------------------------------------------


@settings(max_examples=15)
@given(FIELDS, st.floats(0.01, 2.2), results)
def test_no_more_bots_meet_again_than_the_number_of_rounds_makes_necessary(
    entries: int, share: float, outcome: object
) -> None:
    rounds = max(1, round(share * entries))
    _, drawn = play(Swiss(entries, rounds), outcome)  # type: ignore[arg-type]
    assert len(drawn) == rounds
    assert repeats(drawn) == needed(entries, rounds)
    shared = byes(drawn, range(entries))
    assert max(shared) - min(shared) <= 1


@given(st.integers(3, 12), results)
def test_the_usual_number_of_rounds_has_no_repeat(entries: int, outcome: object) -> None:
    _, drawn = play(Swiss(entries, Swiss.usual_rounds(entries)), outcome)  # type: ignore[arg-type]
    assert repeats(drawn) == 0


@pytest.mark.parametrize("entries", range(3, 21))
def test_everybody_meets_everybody_where_the_rounds_allow_it(entries: int) -> None:
    _, drawn = play(Swiss(entries, entries - 1 + entries % 2), better_wins)
    assert repeats(drawn) == 0


def test_bots_meet_a_third_time_only_when_all_have_met_twice() -> None:
    _, drawn = play(Swiss(6, 13), better_wins)
    met = Counter(frozenset(table) for each in drawn for table in each.tables)
    assert sorted(met.values()) == [2] * 6 + [3] * 9


def test_nine_rounds_of_three_bots_have_three_byes_each() -> None:
    _, drawn = play(Swiss(3, 9), better_wins)
    assert byes(drawn, range(3)) == [3, 3, 3]


def test_the_bye_is_for_the_last_of_those_with_the_fewest() -> None:
    played, drawn = play(Swiss(9, 4), better_wins)
    for number, each in enumerate(drawn[1:], 1):
        scores = standing(played[:number], 9)
        had = [entry for before in drawn[:number] for entry in before.byes]
        assert scores[each.byes[0]] == min(scores[entry] for entry in range(9) if entry not in had)


# --- owners, and who leaves -----------------------------------------------------------------------------------


@settings(max_examples=15)
@given(FIELDS, st.floats(0.01, 1.2), results, st.integers(1, 8), st.randoms(use_true_random=False))
def test_owners_never_make_a_repeat_necessary(
    entries: int, share: float, outcome: object, owners: int, random: Random
) -> None:
    rounds = max(1, round(share * entries))
    groups = tuple(random.choice([None, *range(owners)]) for _ in range(entries))
    _, drawn = play(Swiss(entries, rounds, groups), outcome)  # type: ignore[arg-type]
    assert repeats(drawn) == needed(entries, rounds)


@settings(max_examples=15)
@given(FIELDS, st.floats(0.1, 1.2), results, st.randoms(use_true_random=False))
def test_when_bots_leave_byes_are_shared_and_a_round_repeats_only_what_it_must(
    entries: int, share: float, outcome: object, random: Random
) -> None:
    rounds = max(1, round(share * entries))
    leave: dict[int, set[int]] = {}
    for _ in range(random.randrange(4)):
        leave.setdefault(random.randrange(rounds), set()).add(random.randrange(entries))
    played, drawn = play(Swiss(entries, rounds), outcome, leave)  # type: ignore[arg-type]
    gone: set[int] = set()
    for number, each in enumerate(drawn):
        gone |= leave.get(number, set())
        here = tuple(entry for entry in range(entries) if entry not in gone)
        shared = byes(drawn[: number + 1], here)
        assert max(shared) - min(shared) <= 1
        history = History(here, tuple(played[:number]))
        again = [table for table in each.tables if history.meetings[min(table), max(table)]]
        fresh = {pair: 1 for pair, met in history.meetings.items() if not met or pair[0] == BYE}
        assert not again or cheapest_matching(history.vertices, fresh) is None


@settings(max_examples=20)
@given(SMALL, st.floats(0.2, 1.0), results, st.randoms(use_true_random=False))
def test_when_bots_have_left_as_many_rounds_as_possible_go_without_a_repeat(
    entries: int, share: float, outcome: object, random: Random
) -> None:
    rounds = max(2, round(share * entries))
    leaves = random.randrange(1, rounds)
    gone = set(random.sample(range(entries), random.randint(1, max(1, entries - 4))))
    played, drawn = play(Swiss(entries, rounds), outcome, {leaves: gone})  # type: ignore[arg-type]
    if len(drawn) < rounds:
        return  # one bot was left
    here = tuple(entry for entry in range(entries) if entry not in gone)
    history = History(here, tuple(played[:leaves]))
    if history.fewest_meetings:
        return  # all who are left have met
    possible = longest(history.vertices, history.unmet(), rounds - leaves)
    met = {frozenset(one.table) for each in played[:leaves] for one in each.sets}
    without = 0
    for each in drawn[leaves:]:
        tables = {frozenset(table) for table in each.tables}
        if tables & met:
            break
        met |= tables
        without += 1
    assert without >= possible


@given(SMALL, results, st.randoms(use_true_random=False))
def test_bots_of_one_owner_meet_only_where_fewer_rounds_would_be_possible_otherwise(
    entries: int, outcome: object, random: Random
) -> None:
    groups = tuple(random.choice([None, 0, 1]) for _ in range(entries))
    rounds = Swiss.usual_rounds(entries)
    played, drawn = play(Swiss(entries, rounds, groups), outcome)  # type: ignore[arg-type]
    for number, each in enumerate(drawn):
        history = History(tuple(range(entries)), tuple(played[:number]), groups)
        if any((min(table), max(table)) in history.kin() for table in each.tables):
            apart = history.unmet() - history.kin()
            left = rounds - number
            assert longest(history.vertices, apart, left) < longest(history.vertices, history.unmet(), left)


# --- good pairings --------------------------------------------------------------------------------------------


def test_a_round_has_the_smallest_differences_in_score() -> None:
    played, drawn = play(Swiss(8, 3), better_wins)
    for number, each in enumerate(drawn):
        scores = standing(played[:number], 8)
        unmet = History(tuple(range(8)), tuple(played[:number])).unmet()
        best = min(
            sum((scores[a] - scores[b]) ** 2 for a, b in matching)
            for matching in all_matchings(range(8), unmet)
        )
        assert sum((scores[a] - scores[b]) ** 2 for a, b in each.tables) == best


def test_a_large_field_is_paired_like_a_small_one() -> None:
    played, drawn = play(Swiss(151, 12), better_wins)
    assert repeats(drawn) == 0
    for number, each in enumerate(drawn[:7]):
        scores = standing(played[:number], 151)
        assert sum(scores[a] != scores[b] for a, b in each.tables) <= 2 * number


def test_rounds_follow_a_table_where_no_search_is_quick_enough() -> None:
    swiss, played = Swiss(104, 60), list[PlayedRound]()
    for number in range(3):
        drawn = swiss.next(played, (), Stream(number.to_bytes(32, "big")))
        assert drawn is not None
        row = tuple(sorted(tuple(sorted(table)) for table in drawn.tables))
        assert row in berger_table(range(104))
        played.append(PlayedRound(tuple(PlayedSet(table, better_wins(table)) for table in drawn.tables)))


@given(SMALL, st.binary(min_size=1, max_size=8))
def test_a_matching_is_the_cheapest(half: int, seed: bytes) -> None:
    vertices = range(2 * min(half, 4))
    pairs = all_pairs(vertices)
    costs = lots(seed, sorted(pairs))
    best = min(all_matchings(vertices, pairs), key=lambda matching: sum(costs[pair] for pair in matching))
    assert cheapest_matching(vertices, costs) == best
    dear = {pair: cost + (1 << 120) for pair, cost in costs.items()}
    assert cheapest_matching(vertices, dear) == best


def test_there_is_no_matching_of_two_odd_halves() -> None:
    pairs = all_pairs(range(3)) | all_pairs(range(3, 6))
    assert cheapest_matching(range(6), dict.fromkeys(pairs, 1)) is None
    assert find_rounds(range(6), pairs, 2) == ()
    assert not is_safe(range(6), pairs, 1)


@pytest.mark.parametrize("entries", [2, 4, 6, 10, 40])
def test_in_a_berger_table_everybody_meets_everybody_once(entries: int) -> None:
    table = berger_table(range(entries))
    assert sorted(pair for each in table for pair in each) == sorted(all_pairs(range(entries)))
    assert all(len({entry for pair in each for entry in pair}) == entries for each in table)


# --- the same for everybody -----------------------------------------------------------------------------------

_ROUNDS_OF_A_SWISS = """
from arena.scheduling.formats.swiss import Swiss
from tests.scheduling.test_formats import better_wins, play
for entries, rounds in ((9, 9), (24, 20), (120, 6)):
    print([(each.tables, each.byes) for each in play(Swiss(entries, rounds), better_wins)[1]])
"""


def test_rounds_are_the_same_in_each_process() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", _ROUNDS_OF_A_SWISS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "random")
    }
    assert len(said) == 1
    assert said != {""}


def test_a_tournament_is_paired_by_the_plan_that_it_began_with() -> None:
    form = SwissFormat()
    assert isinstance(form.rounds(6, 2, 0, STANDARD), Swiss)
    for version in (1, 2):
        assert form.rounds(6, 2, 0, Terms(version)) == EarlierSwiss(6, 5)


def test_the_swiss_of_earlier_plans_forgets_all_meetings_where_it_finds_no_pairing() -> None:
    _, drawn = play(EarlierSwiss(3, 9), better_wins)
    assert repeats(drawn) > 0
    assert len(drawn) == 9


def test_a_repeat_is_named() -> None:
    _, drawn = play(Swiss(4, 4), better_wins)
    rounds = [RoundDrawn(each.tables, each.byes, (), "") for each in drawn]
    form = SwissFormat()
    assert [len(form.repeated(rounds[: number + 1])) for number in range(4)] == [0, 0, 0, 2]
    first, last = DecisionState(rounds=tuple(rounds)).rounds[0], rounds[-1]
    assert all(form.repeated([first, each]) == () for _, each in pairwise(rounds[:3]))
    assert set(form.repeated(rounds)) == set(last.tables)


def test_a_round_follows_from_what_was_played() -> None:
    played: list[PlayedRound]
    played, drawn = play(Swiss(11, 9), better_wins)
    for number, each in enumerate(drawn):
        again = Swiss(11, 9).next(played[:number], (), Stream(number.to_bytes(32, "big")))
        assert again == each
