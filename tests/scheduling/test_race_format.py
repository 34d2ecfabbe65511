"""A race: who can no longer be the best plays no more, and the sets go to the others."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import Refusal
from arena.games.chance import Stream
from arena.scheduling.decisions import DecisionState, End
from arena.scheduling.formats.adaptive_rounds import PlayedRound, PlayedSet, Round
from arena.scheduling.formats.format_registry import make_format
from arena.scheduling.formats.race import Race

SECRET = bytes(31)


def stream(number: int) -> Stream:
    return Stream(SECRET + bytes((number,)))


def results(drawn: Round, random: Random, strength: float) -> PlayedRound:
    """Play a round: at each table, in each match, the entry with the lower number is better by so much luck."""
    sets = []
    for table in drawn.tables:
        halves = dict.fromkeys(table, 0)
        for _ in table:
            order = sorted(table, key=lambda entry: random.gauss(entry * strength, 1))
            for place, entry in enumerate(order):
                halves[entry] += 2 * (len(order) - 1 - place)
        sets.append(PlayedSet(table, tuple(halves[entry] for entry in table)))
    return PlayedRound(tuple(sets), drawn.byes)


def run(race: Race, strength: float, seed: int = 1) -> list[PlayedRound]:
    """Play to the end."""
    played: list[PlayedRound] = []
    random = Random(seed)
    while drawn := race.next(played, (), stream(len(played))):
        played.append(results(drawn, random, strength))
    return played


def without(played: PlayedRound, entry: int) -> PlayedRound:
    """Annul what an entry has played."""
    sets = tuple(
        PlayedSet(one.table, (0,) * len(one.table)) if entry in one.table else one for one in played.sets
    )
    return PlayedRound(sets, played.byes, played.gone)


@given(st.integers(2, 30), st.integers(2, 6), st.integers(0, 255))
def test_in_a_round_everybody_plays_once_but_for_who_fills_the_last_table(
    entries: int, seats: int, number: int
) -> None:
    entries = max(entries, seats)
    drawn = Race(entries, seats, rounds=1).next((), (), stream(number))
    assert drawn is not None
    assert all(len(set(table)) == seats for table in drawn.tables)
    sat = Counter(entry for table in drawn.tables for entry in table)
    assert set(sat) == set(range(entries))
    assert sum(sat.values()) - entries < seats
    assert max(sat.values()) <= 2


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_a_race_ends_when_only_the_best_is_left(seats: int) -> None:
    race = Race(12, seats)
    played = run(race, strength=0.3)
    state = race.state(played)
    assert state.still_in == (0,)
    assert sorted(each for left in state.left for each in left) == list(range(1, 12))


def test_who_has_left_plays_no_more() -> None:
    race = Race(12, 2)
    played = run(race, strength=0.3)
    left: set[int] = set()
    for each, leaves in zip(played, race.state(played).left, strict=True):
        here = {entry for one in each.sets for entry in one.table}
        assert not here & left
        left |= set(leaves)


def test_fewer_than_a_table_has_seats_are_joined_by_some_who_have_left() -> None:
    race = Race(6, 4)
    played = run(race, strength=0.3)
    last = {entry for one in played[-1].sets for entry in one.table}
    assert len(last) >= 4


def test_a_race_undecided_ends_after_its_rounds() -> None:
    race = Race(4, 2, rounds=30)
    state = race.state(run(race, strength=0.0))
    assert sum(state.rounds) == 30
    assert len(state.still_in) > 1


def test_rounds_grow_with_what_has_been_played() -> None:
    race = Race(2, 2, rounds=400)
    rounds = race.state(run(race, strength=0.0)).rounds
    assert rounds[0] == 8
    assert max(rounds) > 30
    assert list(rounds[:-1]) == sorted(rounds[:-1])


def test_who_is_gone_is_not_drawn() -> None:
    race = Race(6, 2)
    drawn = race.next((), {2}, stream(0))
    assert drawn is not None
    assert all(2 not in table for table in drawn.tables)
    played = PlayedRound(results(drawn, Random(3), 0.3).sets, gone=(2,))
    assert race.state([played]).rounds == (8,)


def test_a_race_with_too_few_left_for_a_table_is_over() -> None:
    assert Race(3, 3).next((), {1}, stream(0)) is None


def test_the_champion_is_who_is_left() -> None:
    form = make_format("race", rounds=1000)
    played = run(form.rounds(5, 2), strength=0.6)  # type: ignore[attr-defined]
    over = DecisionState(over=End("enough"))
    assert form.champion(5, over, played) == 0
    assert form.champion(5, DecisionState(), played) is None
    assert form.champion(5, DecisionState(over=End("stop", cancelled=True)), played) is None
    assert form.why_over(5, over, played).endswith("one bot may still be the best (error at most 5 %)")


def test_bots_of_one_owner_cannot_race_where_they_may_not_meet() -> None:
    with pytest.raises(Refusal, match="Make the tournament unrated"):
        make_format("race").check_entries(4, 3, (1, 1, 2, 3))


def test_a_race_takes_no_cycles() -> None:
    with pytest.raises(Refusal, match="a race has none"):
        make_format("race", cycles=2).check(2)


def test_a_race_goes_on_when_results_that_decided_who_left_are_annulled() -> None:
    race = Race(12, 2)
    played = [without(each, 0) for each in run(race, strength=0.3)]
    state = race.state(played)
    assert 0 in state.still_in
    assert sum(state.rounds) == sum(race.state(run(race, strength=0.3)).rounds)
    drawn = race.next(played, {0}, stream(99))
    assert drawn is None or all(0 not in table for table in drawn.tables)


def drop_out(race: Race, *, after: int, entries: set[int]) -> list[tuple[Round, PlayedRound]]:
    """Play to the end; some entries are withdrawn after so many looks."""
    played: list[PlayedRound] = []
    both: list[tuple[Round, PlayedRound]] = []
    random = Random(1)
    while drawn := race.next(played, gone := entries if len(played) >= after else set(), stream(len(played))):
        one = results(drawn, random, 0.3)
        played.append(PlayedRound(one.sets, one.byes, tuple(sorted(gone))))
        both.append((drawn, played[-1]))
    return both


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_who_has_left_sits_out_and_who_was_withdrawn_does_not(seats: int, after: int) -> None:
    race = Race(9, seats)
    both = drop_out(race, after=after, entries={0, 8})
    assert len(both) > after
    for at, (drawn, one) in enumerate(both):
        left = {entry for look in race.state([each for _, each in both[:at]]).left for entry in look}
        assert set(drawn.byes) == left - set(one.gone)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_rounds_are_counted_by_who_was_there_to_play_them(seats: int, after: int) -> None:
    race = Race(9, seats, rounds=200)
    rounds = race.state([one for _, one in drop_out(race, after=after, entries={0, 8})]).rounds
    for had, each in zip(accumulate(rounds, initial=0), rounds, strict=False):
        assert each == min(200 - had, max(8, had // 8))


def test_who_sits_out_and_fills_a_table_adds_no_round() -> None:
    race = Race(9, 4)
    both = drop_out(race, after=1, entries={0, 8})
    filled = [
        (drawn, rounds)
        for (drawn, _), rounds in zip(both, race.state([one for _, one in both]).rounds, strict=True)
        if any(set(table) & set(drawn.byes) for table in drawn.tables)
    ]
    assert filled
    for drawn, rounds in filled:
        assert len(drawn.tables) == rounds
