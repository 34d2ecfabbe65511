"""Blocks: taken under a lease by one worker, and only what has no result is played."""

from __future__ import annotations

import threading
import time
from collections import defaultdict

import pytest
from sqlalchemy import update

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import plans, settlement
from arena.competition.matches import blocks
from arena.competition.matches.blocks import BlockKey
from arena.competition.plans import NotFound
from arena.referee_client import DialIn, Endpoint, Hosted
from arena.storage import Store
from arena.storage.schema import Block, Tournament
from tests.decided_matches import NAMES, add, alphabetical, claim, matches, new_tournament, person, upload


def keys(store: Store, tournament_id: int) -> list[BlockKey]:
    return [key for key in blocks.reconcile(store) if key.tournament_id == tournament_id]


def test_a_block_says_all_that_its_matches_need(store: Store) -> None:
    page = new_tournament(store, "land_unter", NAMES[:3], seats=3)
    block = claim(store)
    assert (block.game, block.variant, block.pool) == ("land_unter", "standard", "land_unter/standard")
    match = block.matches[0]
    assert {seat.source for seat in match.seats} == {
        Hosted("house:land_unter/greedy", 0),
        Hosted("house:land_unter/random", 0),
        Hosted("house:land_unter/rusher", 0),
    }
    assert len(match.seed) == 32
    assert block.options == page.options


def test_the_matches_of_a_set_share_a_seed_and_play_in_lanes_of_their_own(store: Store) -> None:
    new_tournament(store, "land_unter", NAMES[:3], seats=3)
    block = claim(store)
    assert len({match.seed for match in block.matches}) == 1
    assert [
        {seat.source.lane for seat in match.seats if isinstance(seat.source, Hosted)}
        for match in block.matches
    ] == [{0}, {1}, {2}]
    assert len({match.id for match in block.matches}) == 3


def test_where_a_bot_may_remember_every_match_has_its_own_seed(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    block = claim(store)
    assert len({match.seed for match in block.matches}) == 2


@pytest.mark.parametrize("owned", [True, False], ids=["an author's", "the operator's"])
def test_a_hosted_bot_that_is_not_the_houses_has_a_seed_for_every_match(store: Store, *, owned: bool) -> None:
    upload(store, person(store, "mallory") if owned else None, "mallory")
    new_tournament(store, names=("mallory", "greedy"))
    block = claim(store)
    assert len({match.seed for match in block.matches}) == 2
    assert [
        match.seats[0].source.lane for match in block.matches if isinstance(match.seats[0].source, Hosted)
    ] == [0, 1]


def test_bots_of_the_house_share_seeds_beside_a_strangers(store: Store) -> None:
    upload(store, person(store, "mallory"), "mallory")
    new_tournament(store, names=("mallory", "greedy", "random"))
    seeds = defaultdict(set)
    for _, match in matches(store):
        seeds["mallory" in {seat.bot for seat in match.seats}, match.set].add(match.seed)
    assert sorted((strange, len(found)) for (strange, _), found in seeds.items()) == [
        (False, 1),
        (True, 2),
        (True, 2),
    ]


def test_hosted_bots_of_a_tournament_of_version_1_go_on_sharing_seeds(store: Store) -> None:
    upload(store, person(store, "mallory"), "mallory")
    page = new_tournament(store, names=("mallory", "greedy"))
    with store.write() as session:
        session.execute(update(Tournament).values(plan_version=1))
    plans.forget(store, page.id)
    assert len({match.seed for match in claim(store).matches}) == 1


def test_trusted_bots_share_seeds(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"), trusted=True)
    assert len({match.seed for match in claim(store).matches}) == 1


def test_a_seat_says_how_its_bot_is_reached(store: Store) -> None:
    token = bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    bots.add_endpoint(store, OPERATOR, "lost_cities", "bob", "bots.example.org:7001", "sesame")
    new_tournament(store, names=("alice", "bob"))
    sources = {seat.bot: seat.source for seat in claim(store).matches[0].seats}
    assert sources == {
        "alice": DialIn(token.token_id),
        "bob": Endpoint("bots.example.org:7001", "sesame"),
    }


def test_a_bot_with_a_new_token_is_reached_by_that(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    first = claim(store)
    renewed = bots.renew_token(store, OPERATOR, "lost_cities", "alice")
    again = claim(store, key=BlockKey(first.tournament_id, first.number))
    assert DialIn(renewed.token_id) in {seat.source for seat in again.matches[0].seats}


def test_a_bot_without_a_token_can_be_nobody(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    bots.revoke_token(store, OPERATOR, "lost_cities", "alice")
    assert DialIn("none") in {seat.source for seat in claim(store).matches[0].seats}


def test_a_block_that_is_held_is_nobody_elses(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    block = claim(store, "anna")
    assert blocks.claim(store, "bert", 60) is None
    assert blocks.claim(store, "bert", 60, BlockKey(block.tournament_id, block.number)) is None
    assert blocks.reconcile(store) == ()


def test_its_holder_may_take_a_block_again(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    assert claim(store, "anna") == claim(store, "anna", key=BlockKey(1, 0))


def test_workers_get_different_blocks(store: Store) -> None:
    new_tournament(store, names=NAMES, cycles=2)
    taken = {claim(store, worker).number for worker in ("anna", "bert", "carl")}
    assert len(taken) == 3


def test_a_lease_that_ran_out_frees_the_block(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    first = claim(store, "anna", lease_s=0.05)
    time.sleep(0.1)
    assert blocks.reconcile(store) == (BlockKey(first.tournament_id, 0),)
    assert claim(store, "bert") == first


def test_a_renewed_lease_holds(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    claim(store, "anna", lease_s=0.05)
    assert blocks.renew(store, BlockKey(1, 0), "anna", 60)
    time.sleep(0.1)
    assert blocks.claim(store, "bert", 60) is None


def test_who_lost_a_block_cannot_renew_it(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    claim(store, "anna", lease_s=0.01)
    time.sleep(0.05)
    claim(store, "bert")
    assert not blocks.renew(store, BlockKey(1, 0), "anna", 60)


def test_a_block_that_is_taken_again_plays_only_what_has_no_result(store: Store) -> None:
    new_tournament(store)
    first = claim(store, "anna", lease_s=0.01)
    for match in first.matches[:4]:
        add(store, first, match, alphabetical(match))
    time.sleep(0.05)
    assert claim(store, "bert").matches == first.matches[4:]


def test_giving_back_an_unfinished_block_frees_it(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    claim(store, "anna")
    assert not blocks.finish(store, BlockKey(1, 0), "anna")
    assert blocks.reconcile(store) == (BlockKey(1, 0),)


def test_a_finished_block_is_done(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    block = claim(store, "anna")
    for match in block.matches:
        add(store, block, match, alphabetical(match))
    assert blocks.finish(store, BlockKey(1, 0), "anna")
    assert blocks.claim(store, "bert", 60, BlockKey(1, 0)) is None


def test_giving_back_what_another_holds_changes_nothing(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    claim(store, "bert")
    assert not blocks.finish(store, BlockKey(1, 0), "anna")
    assert blocks.reconcile(store) == ()


def test_the_blocks_of_all_tournaments_take_turns(store: Store) -> None:
    for _ in range(2):
        new_tournament(store, names=NAMES, cycles=2)
    assert [key.tournament_id for key in blocks.reconcile(store)[:4]] == [1, 2, 1, 2]


def test_a_finished_tournament_has_nothing_to_queue(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    block = claim(store, "anna", lease_s=0.01)
    for match in block.matches:
        add(store, block, match, alphabetical(match))
    time.sleep(0.05)
    assert blocks.reconcile(store) == ()


def test_a_worker_that_went_away_costs_an_own_deal_and_no_attempt_that_counts(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    lost = claim(store, "anna", lease_s=0.01)
    time.sleep(0.05)
    again = claim(store, "bert")
    assert [match.attempt for match in again.matches] == [1, 1]
    assert {match.seed for match in again.matches}.isdisjoint(match.seed for match in lost.matches)
    for attempt in range(1, 5):
        assert not settlement.fail_match(store, 1, 0, 0, attempt, "the referee was killed")
    assert settlement.fail_match(store, 1, 0, 0, 5, "the referee was killed")


def test_what_was_given_back_in_order_keeps_its_own_deal(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    first = claim(store, "anna")
    blocks.finish(store, BlockKey(1, 0), "anna")
    assert claim(store, "bert") == first


def test_a_postponed_block_rests_and_keeps_its_own_deals(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    first = claim(store, "anna")
    assert blocks.postpone(store, BlockKey(1, 0), "anna", 60)
    assert blocks.reconcile(store) == ()
    assert blocks.claim(store, "bert", 60, BlockKey(1, 0)) is None
    with store.write() as session:  # As if that time had passed.
        session.get_one(Block, (1, 0)).lease_until = 1.0
    assert claim(store, "bert") == first


def test_who_lost_a_block_cannot_postpone_it(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    claim(store, "bert")
    assert not blocks.postpone(store, BlockKey(1, 0), "anna", 60)
    assert blocks.renew(store, BlockKey(1, 0), "bert", 60)


def test_a_block_that_does_not_exist_is_not_found(store: Store) -> None:
    new_tournament(store)
    with pytest.raises(NotFound, match=r"block 9 of tournament 1: there is none"):
        blocks.claim(store, "anna", 60, BlockKey(1, 9))


def test_workers_in_a_hurry_never_share_a_block(store: Store) -> None:
    new_tournament(store, names=NAMES, cycles=4)
    total = len(keys(store, 1))
    taken: list[int] = []
    threads = [threading.Thread(target=work_once, args=(store, f"w{i}", taken)) for i in range(total)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(total))


def work_once(store: Store, worker: str, taken: list[int]) -> None:
    block = blocks.claim(store, worker, 60)
    if block is not None:
        taken.append(block.number)


def served(store: Store) -> float:
    with store.read() as session:
        return session.get_one(Tournament, 1).served


def test_a_block_that_is_claimed_again_counts_as_service_once(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    claim(store, "anna")
    counted = served(store)
    claim(store, "anna", key=BlockKey(1, 0))
    blocks.expire(store, "anna")
    claim(store, "bert")
    assert served(store) == counted > 0


def test_what_is_given_back_unplayed_is_no_service(store: Store) -> None:
    new_tournament(store, names=NAMES[:2])
    block = claim(store, "anna")
    counted = served(store)
    add(store, block, block.matches[0], alphabetical(block.matches[0]))
    blocks.finish(store, BlockKey(1, 0), "anna")
    assert served(store) == pytest.approx(counted / len(block.matches))
    claim(store, "anna")
    assert served(store) == pytest.approx(counted)
    blocks.postpone(store, BlockKey(1, 0), "anna", 60)
    assert served(store) == pytest.approx(counted / len(block.matches))


def test_an_abandoned_block_is_free_at_once_and_own_deals_that_may_have_been_seen_are_dealt_anew(
    store: Store,
) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new_tournament(store, names=("alice", "greedy"))
    claim(store, "anna", lease_s=60)
    assert not blocks.abandon(store, BlockKey(1, 0), "bert")
    assert blocks.abandon(store, BlockKey(1, 0), "anna")
    assert blocks.reconcile(store) == (BlockKey(1, 0),)
    assert [match.attempt for match in claim(store, "bert").matches] == [1, 1]


def test_a_worker_whose_clock_is_ahead_holds_a_block_no_longer(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_tournament(store, names=NAMES[:2])
    true_time = time.time
    with monkeypatch.context() as ahead:
        ahead.setattr(time, "time", lambda: true_time() + 30)
        claim(store, "anna", lease_s=60)
        assert blocks.renew(store, BlockKey(1, 0), "anna", 0.05)
    time.sleep(0.1)
    assert claim(store, "bert")


def test_a_worker_whose_clock_is_behind_is_not_robbed_and_a_rest_is_as_long_as_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_tournament(store, names=NAMES[:2])
    true_time = time.time
    with monkeypatch.context() as behind:
        behind.setattr(time, "time", lambda: true_time() - 30)
        claim(store, "anna", lease_s=10)
    assert blocks.claim(store, "bert", 60) is None
    with monkeypatch.context() as behind:
        behind.setattr(time, "time", lambda: true_time() - 30)
        assert blocks.postpone(store, BlockKey(1, 0), "anna", 10)
    assert blocks.reconcile(store) == ()
