"""Steering: whatever the results, every format goes on by its rules and comes to an end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.totals import half_units
from arena.scheduling import stop_rules
from arena.scheduling.controller import Controller, draw_ladder_round
from arena.scheduling.decisions import (
    Cycles,
    Decision,
    DecisionState,
    End,
    RoundDrawn,
    Withdrawal,
    from_json,
    to_json,
)
from arena.scheduling.formats.adaptive_rounds import PairUnits, SetPairs
from arena.scheduling.formats.format_registry import make_format
from arena.scheduling.formats.tournament_format import Format
from arena.scheduling.planning_terms import Terms
from tests.examples import scaled

SECRET = bytes(range(32))
MAX_DECISIONS = 500

rules = st.one_of(
    st.builds(make_format, st.just("round-robin"), st.integers(1, 3)),
    st.builds(make_format, st.just("round-robin"), st.integers(1, 3), sets_each=st.integers(1, 9)),
    st.builds(make_format, st.just("gauntlet"), st.integers(1, 3)),
    st.builds(make_format, st.just("swiss"), rounds=st.none() | st.integers(1, 9)),
    st.builds(make_format, st.just("knockout"), sets=st.none() | st.integers(1, 3)),
    st.builds(make_format, st.just("round-robin"), st.integers(1, 60), stop=st.just(stop_rules.Separated(1))),
    st.builds(make_format, st.just("gauntlet"), st.integers(1, 60), stop=st.just(stop_rules.Separated(2))),
)


sprts = st.builds(stop_rules.Sprt, st.sampled_from([0, -10]), st.sampled_from([1, 10, 50, 200]))


def result(table: tuple[int, ...], random: Random) -> SetPairs:
    """Let chance decide a set of two seats."""
    low, high = sorted(table)
    won = random.choice((0, 1, 2, 3, 4))
    return (PairUnits(low, high, won * half_units(2), (4 - won) * half_units(2)),)


def play(steering: Controller, random: Random, leaves: dict[int, Withdrawal] | None = None) -> list[Decision]:
    """Play to the end; `leaves` says which entry leaves after which decision."""
    log: list[Decision] = []
    played: dict[int, SetPairs] = {}
    while (course := DecisionState.of(log)).over is None:
        log.append(steering.decide(course, played) if log else steering.first())
        assert len(log) < MAX_DECISIONS
        if leaves and len(log) in leaves and not isinstance(log[-1], End):
            log.append(leaves.pop(len(log)))
        course = DecisionState.of(log)
        begun = course.cycles or course.rounds
        tables = steering.rules.schedule(steering.entries, 2, course, SECRET) if begun else ()
        for number in range(len(tables)):
            table = tables[number]
            assert len(set(table)) == 2
            assert set(table) <= set(range(steering.entries))
            if number not in played and not set(course.withdrawn) & set(table):
                played[number] = result(table, random)
    return log


@settings(max_examples=scaled(60), deadline=None)
@given(rules, st.integers(3, 11), st.randoms(use_true_random=False))
def test_every_format_comes_to_an_end(given_rules: Format, entries: int, random: Random) -> None:
    log = play(Controller(given_rules, entries, 2, SECRET), random)
    assert isinstance(log[-1], End)
    assert not any(isinstance(each, End) for each in log[:-1])
    assert sum(each.cycles for each in log if isinstance(each, Cycles)) <= given_rules.cycles


@settings(max_examples=scaled(60), deadline=None)
@given(rules, st.integers(4, 11), st.randoms(use_true_random=False), st.integers(1, 3), st.integers(0, 3))
def test_an_entry_that_leaves_stops_nobody(
    given_rules: Format, entries: int, random: Random, after: int, entry: int
) -> None:
    leaves = {after: Withdrawal(entry, annulled=False, why="withdrawn")}
    log = play(Controller(given_rules, entries, 2, SECRET), random, leaves)
    assert isinstance(log[-1], End)
    if leaves:
        return
    for later in log[log.index(Withdrawal(entry, annulled=False, why="withdrawn")) :]:
        if isinstance(later, RoundDrawn):
            assert entry not in {each for table in later.tables for each in table}


@settings(max_examples=scaled(30), deadline=None)
@given(rules, st.integers(3, 9), st.integers(0, 1 << 30))
def test_the_same_results_give_the_same_decisions(given_rules: Format, entries: int, seed: int) -> None:
    steering = Controller(given_rules, entries, 2, SECRET)
    log = play(steering, Random(seed))
    assert play(steering, Random(seed)) == log
    assert [from_json(to_json(each)) for each in log] == log


tests = st.one_of(
    st.tuples(st.builds(make_format, st.just("round-robin"), st.integers(16, 400), stop=sprts), st.just(2)),
    st.tuples(
        st.builds(
            make_format,
            st.sampled_from(["round-robin", "gauntlet"]),
            st.integers(16, 90),
            stop=st.just(stop_rules.Separated(1)),
        ),
        st.integers(3, 6),
    ),
)


def looks(
    steering: Controller, strength: int, random: Random
) -> Iterator[tuple[Decision, dict[int, SetPairs]]]:
    """Play a test to its end; yields each decision with the sets that it looked at.  A greater strength is entry 0's."""
    played: dict[int, SetPairs] = {}
    log = [steering.first()]
    while not isinstance(log[-1], End):
        course = DecisionState.of(log)
        for number, table in enumerate(steering.rules.schedule(steering.entries, 2, course, SECRET)):
            if number not in played:
                low, high = sorted(table)
                won = min(4, max(0, random.randint(0, 4) + (strength if low == 0 else 0)))
                played[number] = (PairUnits(low, high, won * half_units(2), (4 - won) * half_units(2)),)
        log.append(steering.decide(course, played))
        yield log[-1], dict(played)


@settings(max_examples=scaled(80), deadline=None)
@given(tests, st.integers(-4, 4), st.randoms(use_true_random=False))
def test_nothing_is_planned_after_a_look_that_decides(
    test: tuple[Format, int], strength: int, random: Random
) -> None:
    given_rules, entries = test
    assert given_rules.stop is not None
    for decision, played in looks(Controller(given_rules, entries, 2, SECRET), strength, random):
        shown = stop_rules.verdict(given_rules.stop, (played[number] for number in sorted(played)))
        assert isinstance(decision, End) is (
            shown is not None or len(played) == given_rules.most_sets(entries, 2)
        )


@settings(max_examples=scaled(40), deadline=None)
@given(sprts, st.integers(-1, 1), st.randoms(use_true_random=False))
def test_an_sprt_looks_after_16_sets_and_then_after_each_8_or_an_eighth(
    stop: stop_rules.Sprt, strength: int, random: Random
) -> None:
    steering = Controller(make_format(cycles=400, stop=stop), 2, 2, SECRET)
    at = [len(played) for _, played in looks(steering, strength, random)]
    expected = [
        16,
        24,
        32,
        40,
        48,
        56,
        64,
        72,
        81,
        91,
        102,
        114,
        128,
        144,
        162,
        182,
        204,
        229,
        257,
        289,
        325,
        365,
        400,
    ]
    assert at == expected[: len(at)]


@pytest.mark.parametrize("strength", [4, -4])
def test_an_sprt_of_a_bot_that_always_wins_or_loses_is_over_after_16_sets(strength: int) -> None:
    steering = Controller(make_format(cycles=5000, stop=stop_rules.Sprt(0, 50)), 2, 2, SECRET)
    ((decision, played),) = looks(steering, strength, Random(1))
    assert isinstance(decision, End)
    assert len(played) == 16


def test_an_sprt_of_version_1_looks_after_each_64_matches() -> None:
    steering = Controller(make_format(cycles=90, stop=stop_rules.Sprt(0, 1)), 2, 2, SECRET, Terms(1))
    assert [len(played) for _, played in looks(steering, 0, Random(1))] == [32, 64, 90]


@settings(max_examples=scaled(60), deadline=None)
@given(
    st.lists(st.tuples(st.floats(500, 2500), st.floats(0, 900)), min_size=6, max_size=40),
    st.integers(2, 6),
    st.integers(0, 9),
)
def test_a_ladders_round_seats_only_who_is_there(
    known: list[tuple[float, float]], seats: int, number: int
) -> None:
    gone = set(range(0, len(known) - seats, 3))
    tables = draw_ladder_round(SECRET, number, known, gone, seats)
    assert len(tables) >= 5
    for table in tables:
        assert len(set(table)) == seats
        assert not gone & set(table)
        assert set(table) <= set(range(len(known)))


def test_a_newcomer_is_drawn_more_often_than_those_who_are_known() -> None:
    known = [(1500.0 + 20 * entry, 30.0) for entry in range(20)] + [(1500.0, 800.0)]
    drawn = Counter(entry for table in draw_ladder_round(SECRET, 0, known, (), 2) for entry in table)
    assert drawn[20] == max(drawn.values()) >= 3
