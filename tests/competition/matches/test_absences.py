"""Absences: noted with the uptime, cleared when the bot is there; blocks rest meanwhile, and wake."""

from __future__ import annotations

from typing import Any

import pytest

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition.matches import absences, blocks, uptime
from arena.competition.matches.blocks import BlockKey
from arena.games import registry
from arena.match.record import from_json
from arena.match.verification import verify
from arena.referee_client import DialIn, Endpoint
from arena.reports import match_views, tournaments
from arena.storage import Store
from arena.storage.schema import Absence
from tests.decided_matches import NAMES, claim, new_tournament, play, store_result


def new_waiting(store: Store, **spec: Any) -> list[int]:
    """Create a tournament of two bots that run elsewhere; gives the ids of their versions."""
    for name in ("alice", "bob"):
        bots.add_dial_in(store, OPERATOR, "lost_cities", name)
    new_tournament(store, names=("alice", "bob"), **spec)
    return [bots.find(store, "lost_cities", name).version_id for name in ("alice", "bob")]


def rest(store: Store, number: int = 0) -> None:
    claim(store, key=BlockKey(1, number))
    assert blocks.postpone(store, BlockKey(1, number), "anna", 60)


def test_an_absence_is_as_old_as_the_uptime_since_it_was_noted(store: Store) -> None:
    alice, bob = new_waiting(store)
    uptime.advance(store, 100)
    assert absences.note(store, 1, {alice}) == {alice: 0}
    uptime.advance(store, 2.5)
    assert absences.note(store, 1, {alice, bob}) == {alice: 2.5, bob: 0}


def test_who_was_there_is_away_anew(store: Store) -> None:
    alice, bob = new_waiting(store)
    absences.note(store, 1, {alice, bob})
    uptime.advance(store, 10)
    absences.clear(store, 1, {alice})
    assert absences.note(store, 1, {alice, bob}) == {alice: 0, bob: 10}


def test_an_absence_in_one_tournament_is_none_in_another(store: Store) -> None:
    alice, _ = new_waiting(store)
    new_tournament(store, names=("alice", "bob"))
    absences.note(store, 1, {alice})
    uptime.advance(store, 10)
    absences.note(store, 2, {alice})
    absences.clear(store, 2, {alice})
    assert absences.note(store, 1, {alice}) == {alice: 10}


def test_all_absences_begin_anew_when_there_was_no_referee(store: Store) -> None:
    alice, bob = new_waiting(store)
    absences.note(store, 1, {alice, bob})
    uptime.advance(store, 10)
    absences.forget(store)
    assert absences.note(store, 1, {alice, bob}) == {alice: 0, bob: 0}


def test_a_tournament_says_whom_it_waits_for(store: Store) -> None:
    alice, bob = new_waiting(store)
    absences.note(store, 1, {alice, bob})
    absences.clear(store, 1, {bob})
    assert tournaments.page(store, 1).waiting_for == ("alice@1",)


def test_a_tournament_that_is_over_waits_for_nobody(store: Store) -> None:
    alice, _ = new_waiting(store)
    absences.note(store, 1, {alice})
    play(store, 1)
    with store.read() as session:
        assert session.get(Absence, (1, alice)) is None


def test_blocks_that_rest_are_taken_at_once_when_the_bot_is_there(store: Store) -> None:
    alice, _ = new_waiting(store, cycles=20)
    absences.note(store, 1, {alice})
    rest(store, 0)
    rest(store, 1)
    assert not {BlockKey(1, 0), BlockKey(1, 1)} & set(blocks.reconcile(store))
    absences.clear(store, 1, {alice})
    assert {BlockKey(1, 0), BlockKey(1, 1)} <= set(blocks.reconcile(store))


def test_blocks_of_another_tournament_that_waits_for_the_bot_wake_too(store: Store) -> None:
    alice, _ = new_waiting(store)
    absences.note(store, 1, {alice})
    rest(store)
    new_tournament(store, names=("alice", "greedy"))
    absences.note(store, 2, {alice})
    absences.clear(store, 2, {alice})
    assert BlockKey(1, 0) in blocks.reconcile(store)


def test_a_bot_that_nobody_waits_for_wakes_nothing(store: Store) -> None:
    alice, bob = new_waiting(store)
    absences.note(store, 1, {alice})
    rest(store)
    absences.clear(store, 1, {bob})
    assert blocks.reconcile(store) == ()


def test_waking_leaves_a_block_to_its_worker(store: Store) -> None:
    alice, _ = new_waiting(store)
    absences.note(store, 1, {alice})
    claim(store, "bert")
    absences.clear(store, 1, {alice})
    assert blocks.claim(store, "anna", 60, BlockKey(1, 0)) is None


def test_a_pause_is_longer_the_more_blocks_rest_and_the_longer_it_took_to_look(store: Store) -> None:
    new_waiting(store, cycles=20)
    assert absences.pause_s(store, left_s=1800, looked_s=0.1) == 5
    alone = absences.pause_s(store, left_s=1800, looked_s=3)
    rest(store, 0)
    rest(store, 1)
    assert absences.pause_s(store, left_s=1800, looked_s=3) == 3 * alone


def test_a_pause_ends_when_the_first_absence_is_too_old(store: Store) -> None:
    new_waiting(store)
    assert absences.pause_s(store, left_s=3.5, looked_s=5) == 3.5
    assert absences.pause_s(store, left_s=0.01, looked_s=5) == 1


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_a_forfeit_is_a_record_that_is_stored_and_verified(store: Store, game: str) -> None:
    seats = max(next(iter(registry.find(game).variants.values())))
    bots.add_dial_in(store, OPERATOR, game, "alice")
    new_tournament(store, game, ("alice", *NAMES[: seats - 1]), seats=seats)
    block = claim(store)
    for match in block.matches:
        seat = [each.bot for each in match.seats].index("alice")
        text = absences.forfeit(block, match, seat, limit_s=1800, reason="it is not connected")
        record = from_json(text)
        assert verify(record) is None
        assert not any(step.ms is not None for step in record.steps)
        assert store_result(store, 1, match.set, match.match, match.attempt, text)
        assert not store_result(store, 1, match.set, match.match, match.attempt, text)
    page = tournaments.page(store, 1)
    assert page.state == "finished"
    standing = {row.bot: row for row in page.standings}
    assert (standing["alice"].faults, standing["alice"].points) == (seats, 0)
    # The others won against the one at fault, and their meetings with each other count for nothing.
    assert {(row.faults, row.wins, row.losses) for name, row in standing.items() if name != "alice"} == {
        (0, seats, 0)
    }
    shown = match_views.page(store, 1, 0, 0)
    assert (shown.end, shown.fault_kind) == ("fault", "crash")


@pytest.mark.parametrize(
    ("limit_s", "says"), [(1800, "30 minutes"), (60, "1 minute"), (90, "90 seconds"), (0.5, "0.5 seconds")]
)
def test_a_forfeit_says_how_long_the_bot_was_away_and_why(store: Store, limit_s: float, says: str) -> None:
    new_waiting(store)
    block = claim(store)
    text = absences.forfeit(block, block.matches[0], 1, limit_s=limit_s, reason="it is not connected")
    fault = from_json(text).result.fault
    assert fault is not None
    assert (fault.seat, fault.kind) == (1, "crash")
    assert fault.message == f"was not connected for {says}: it is not connected"


@pytest.mark.parametrize(
    ("source", "reason", "said"),
    [
        (DialIn("id"), "it is not connected", "it is not connected"),
        (
            Endpoint("bots.example.org:7001"),
            "endpoint bots.example.org:7001: UNAVAILABLE: ipv4:10.0.0.9:7001: Failed to connect to remote host",
            "endpoint its address: UNAVAILABLE: its address Failed to connect to remote host",
        ),
        (
            Endpoint("a:7001"),
            "endpoint a:7001: UNAVAILABLE: DNS resolution failed for a:7001: a: no such name",
            "endpoint its address: UNAVAILABLE: DNS resolution failed for its address: its address: no such name",
        ),
        (Endpoint("a:1"), "x" * 1000, f"{'x' * 300}…"),
    ],
)
def test_a_reason_keeps_where_an_endpoint_stands_to_itself(
    source: DialIn | Endpoint, reason: str, said: str
) -> None:
    assert absences.public(reason, source) == said


def test_a_bot_that_connects_wakes_what_waits_for_it_and_is_away_until_it_plays(store: Store) -> None:
    alice, bob = new_waiting(store)
    absences.note(store, 1, {alice})
    rest(store)
    tokens = {
        name: bots.renew_token(store, OPERATOR, "lost_cities", name).token_id for name in ("alice", "bob")
    }
    absences.wake(store, tokens["bob"])
    assert blocks.reconcile(store) == ()
    absences.wake(store, tokens["alice"])
    assert blocks.reconcile(store) == (BlockKey(1, 0),)
    with store.read() as session:
        assert session.get(Absence, (1, alice)) is not None
    assert bob != alice
