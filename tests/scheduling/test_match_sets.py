"""Sets and plans."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import chance
from arena.scheduling import seeds
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.format_registry import make_format
from arena.scheduling.match_sets import Plan, PlannedMatch, rotated, series, shuffled
from arena.scheduling.planning_terms import Terms

SECRET = bytes(range(32))
secrets = st.binary(min_size=32, max_size=32)


def new_plan(entries: int = 5, seats: int = 3, **arguments: object) -> Plan:
    given = {"may_share": (True,) * entries, "cycles": 1, "secret": SECRET, **arguments}
    course = DecisionState(cycles=given.pop("cycles"))  # type: ignore[arg-type]
    schedule = make_format().schedule(entries, seats, course, given["secret"])  # type: ignore[arg-type]
    return Plan(inputs=bytes(32), seats=seats, schedule=schedule, **given)  # type: ignore[arg-type]


def everything(plan: Plan) -> list[PlannedMatch]:
    return [match for number in range(plan.sets_total) for match in plan.set(number)]


def test_the_bots_of_a_set_are_rotated_as_the_rules_say() -> None:
    assert [rotated((7, 8, 9), k) for k in range(3)] == [(7, 8, 9), (9, 7, 8), (8, 9, 7)]


@given(secrets, st.integers(2, 9), st.integers(2, 6), st.integers(1, 2))
def test_every_bot_plays_every_seat_equally_often(
    secret: bytes, entries: int, seats: int, cycles: int
) -> None:
    plan = new_plan(max(entries, seats), seats, secret=secret, cycles=cycles)
    sat = Counter((entry, seat) for match in everything(plan) for seat, entry in enumerate(match.seats))
    assert len(sat) == max(entries, seats) * seats
    assert len(set(sat.values())) == 1


@given(secrets)
def test_the_same_inputs_give_the_same_plan(secret: bytes) -> None:
    assert everything(new_plan(secret=secret)) == everything(new_plan(secret=secret))


def test_other_secrets_give_other_orders() -> None:
    orders = {tuple(new_plan(secret=bytes([i]) * 32).order(0)) for i in range(40)}
    assert len(orders) > 20


def test_the_order_is_shuffled_per_set() -> None:
    assert len({shuffled(SECRET, number, range(4)) for number in range(200)}) == 24


def test_a_set_of_bots_that_may_share_has_one_seed_in_lanes_of_its_matches() -> None:
    matches = new_plan().set(4)
    assert {match.seed for match in matches} == {seeds.shared_seed(SECRET, 4)}
    assert [match.lane for match in matches] == [0, 1, 2]


def test_a_set_with_a_bot_that_may_not_share_has_seeds_of_its_matches() -> None:
    plan = new_plan(may_share=(True, True, False, True, True))
    for number in range(plan.sets_total):
        stranger = 2 in plan.order(number)
        matches = plan.set(number)
        assert len({match.seed for match in matches}) == (3 if stranger else 1)
        assert [match.lane for match in matches] == [0, 1, 2]


def test_matches_with_deals_of_their_own_are_played_in_one_lane_under_version_1() -> None:
    plan = new_plan(may_share=(False,) * 5, one_lane=True)
    assert {match.lane for match in everything(plan)} == {0}
    assert [match.lane for match in new_plan(one_lane=True).set(0)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("terms", "may_share"),
    [
        (Terms(1, hosted=(True, True, False)), (True, True, False)),
        (Terms(2, hosted=(True, True, False), groups=(None, 0, 1)), (True, False, False)),
        (Terms(2, hosted=(True, True), groups=(None, None)), (True, True)),
    ],
    ids=["all hosted bots did under version 1", "a stranger's do not", "the house's do"],
)
def test_only_bots_of_the_house_share_deals(terms: Terms, may_share: tuple[bool, ...]) -> None:
    assert terms.may_share == may_share


def test_trusted_bots_share_seeds_from_wherever_they_come() -> None:
    plan = new_plan(may_share=(False,) * 5, trusted=True)
    assert all(match.shared for match in everything(plan))


def test_another_attempt_at_a_shared_deal_is_the_same_match() -> None:
    first, again = (new_plan().match(0, 1, attempt) for attempt in (0, 3))
    assert (first.id, first.seed, first.seats) == (again.id, again.seed, again.seats)


def test_another_attempt_at_an_own_deal_is_another_match() -> None:
    plan = new_plan(may_share=(False,) * 5)
    first, again = (plan.match(0, 1, attempt) for attempt in (0, 3))
    assert first.seed == seeds.own_seed(SECRET, 0, 1, 0)
    assert again.seed == seeds.own_seed(SECRET, 0, 1, 3)
    assert first.id != again.id
    assert first.seats == again.seats


def test_the_commitment_binds_the_match_to_its_seed() -> None:
    match = new_plan().match(0, 0)
    assert match.commitment == chance.commitment(match.id, match.seed)


def test_match_ids_are_unique_in_a_tournament() -> None:
    matches = everything(new_plan(9, 3, cycles=3))
    assert len({match.id for match in matches}) == len(matches)


@pytest.mark.parametrize(("set_number", "match"), [(10, 0), (-1, 0), (0, 3), (0, -1)])
def test_there_is_no_match_outside_the_plan(set_number: int, match: int) -> None:
    with pytest.raises(IndexError):
        new_plan().match(set_number, match)


def test_a_series_gives_every_bot_every_seat_with_one_deal_a_set() -> None:
    matches = list(series(SECRET, bytes(32), 3, 2))
    assert [(match.set, match.match, match.lane) for match in matches] == [
        (s, m, m) for s in range(2) for m in range(3)
    ]
    assert [match.seed for match in matches] == [SECRET] * 3 + [seeds.series_seed(SECRET, 1)] * 3
    for first in (0, 3):
        for bot in range(3):
            assert sorted(match.seats.index(bot) for match in matches[first : first + 3]) == [0, 1, 2]


def test_a_longer_series_begins_like_a_shorter_one() -> None:
    long = series(SECRET, bytes(32), 3, 9)
    assert list(islice(long, 6)) == list(series(SECRET, bytes(32), 3, 2))
