"""Matches: what may be known of them, and when."""

from __future__ import annotations

import json
import time

import pytest

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import settlement
from arena.competition.plans import NotFound
from arena.games import chance
from arena.reports import match_views
from arena.storage import Store
from tests.decided_matches import NAMES, add, claim, fault, new_tournament, record, store_result


def test_a_match_that_was_not_played_shows_its_seats_and_its_commitment(store: Store) -> None:
    new_tournament(store)
    page = match_views.page(store, 1, 0, 1)
    match = claim(store).matches[1]
    assert (page.state, page.seed, page.record, page.end) == ("open", None, None, None)
    assert page.commitment == chance.commitment(match.id, match.seed).hex()
    assert [(seat.bot, seat.place, seat.score) for seat in page.seats] == [
        (seat.bot, None, None) for seat in match.seats
    ]


def test_a_match_whose_set_is_not_over_shows_who_won_and_not_the_deal(store: Store) -> None:
    new_tournament(store)
    block = claim(store)
    add(store, block, block.matches[0], [2, 1])
    page = match_views.page(store, 1, 0, 0)
    assert (page.state, page.seed, page.record) == ("hidden", None, None)
    assert [(seat.place, seat.score) for seat in page.seats] == [(2, 0), (1, 10)]


def test_when_its_set_is_over_a_match_shows_its_record_and_its_seed(store: Store) -> None:
    new_tournament(store)
    block = claim(store)
    for match in block.matches[:2]:
        add(store, block, match, [2, 1])
    page = match_views.page(store, 1, 0, 0)
    assert (page.state, page.end) == ("finished", "completed")
    assert page.seed == block.matches[0].seed.hex()
    assert page.record == record(block, block.matches[0], [2, 1])


def test_a_deal_of_its_own_appears_when_its_match_is_over(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    block = claim(store)
    add(store, block, block.matches[0], [2, 1])
    assert match_views.page(store, 1, 0, 0).seed == block.matches[0].seed.hex()
    assert match_views.page(store, 1, 0, 1).seed is None


def test_a_fault_names_its_seat_and_kind(store: Store) -> None:
    new_tournament(store)
    block = claim(store)
    add(store, block, block.matches[0], [2, 1], result=fault(2, 0, "illegal action"))
    page = match_views.page(store, 1, 0, 0)
    assert (page.end, page.fault_seat, page.fault_kind) == ("fault", 0, "illegal action")
    assert [(seat.place, seat.score) for seat in page.seats] == [(2, None), (1, None)]


def test_deals_that_were_given_up_stay_published_as_void(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    first = claim(store, lease_s=0.01)
    settlement.fail_match(store, 1, 0, 0, 0, "the referee was killed")
    assert match_views.page(store, 1, 0, 0).voids == ()
    time.sleep(0.05)
    block = claim(store, "bert")
    for match in block.matches:
        add(store, block, match, [1, 2])
    voids = match_views.page(store, 1, 0, 0).voids
    assert [void.attempt for void in voids] == list(range(block.matches[0].attempt))
    assert (voids[0].id, voids[0].seed) == (first.matches[0].id, first.matches[0].seed.hex())
    assert voids[0].commitment == chance.commitment(first.matches[0].id, first.matches[0].seed).hex()


def test_an_annulled_match_says_so(store: Store) -> None:
    new_tournament(store)
    for attempt in range(5):
        settlement.fail_match(store, 1, 0, 0, attempt, "no luck")
    page = match_views.page(store, 1, 0, 0)
    assert (page.state, page.end, page.record) == ("annulled", "annulled", None)


@pytest.mark.parametrize(("tournament", "set_number", "match"), [(2, 0, 0), (1, 3, 0), (1, 0, 2), (1, -1, 0)])
def test_a_match_that_does_not_exist_is_not_found(
    store: Store, tournament: int, set_number: int, match: int
) -> None:
    new_tournament(store)
    with pytest.raises(NotFound):
        match_views.page(store, tournament, set_number, match)


def test_recent_matches_come_newest_first(store: Store) -> None:
    new_tournament(store)
    block = claim(store)
    for match in block.matches[:3]:
        add(store, block, match, [1, 2])
    rows = match_views.recent(store, 2)
    assert [(row.set, row.match, row.state) for row in rows] == [(1, 0, "hidden"), (0, 1, "finished")]
    assert rows[0].tournament == "Lost Cities, 3 bots, 2 seats"


def test_the_matches_of_a_tournament_stand_in_order(store: Store) -> None:
    new_tournament(store, names=NAMES[:3])
    block = claim(store)
    add(store, block, block.matches[0], [1, 2])
    rows = match_views.of_tournament(store, 1)
    assert [(row.set, row.match) for row in rows] == [(s, m) for s in range(3) for m in range(2)]
    assert [row.state for row in rows] == ["hidden", "open", "open", "open", "open", "open"]
    assert rows[4:] == match_views.of_tournament(store, 1, first_set=2, sets=5)


def test_a_record_at_rest_is_given_back_as_it_was(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    block = claim(store)
    texts = [record(block, match, [1, 2], note="äöü ♠") for match in block.matches]
    for match, text in zip(block.matches, texts, strict=True):
        store_result(store, 1, match.set, match.match, match.attempt, text)
    shown = match_views.page(store, 1, 0, 1).record
    assert shown == texts[1]
    assert json.loads(shown)["note"] == "äöü ♠"
