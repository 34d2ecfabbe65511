"""Declared versions: what bots that run elsewhere say they are."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import update

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.bot_registry.bot_version import BotVersion
from arena.competition.matches import blocks
from arena.competition.matches.blocks import BlockSeat
from arena.competition.qualification import declared_versions, submissions
from arena.referee_client import DialIn, Endpoint
from arena.storage import Store
from arena.storage.schema import Version
from tests import decided_matches

ADDRESS = "bots.example.org:7001"


@pytest.fixture
def alice(store: Store) -> DialIn:
    """A bot that dials in."""
    return DialIn(bots.add_dial_in(store, OPERATOR, "lost_cities", "alice").token_id)


def active(store: Store, name: str = "alice", game: str = "lost_cities") -> BotVersion:
    return bots.find(store, game, name)


def states(store: Store) -> dict[str, str]:
    return {bot.version: bot.state for bot in bots.listing(store, "lost_cities") if bot.bot == "alice"}


def reasons(store: Store) -> dict[str, str | None]:
    """What the owner is told of each version."""
    rows = submissions.versions(store, OPERATOR, "lost_cities", "alice")
    return {row.version: row.reason for row in rows}


def test_a_new_version_takes_the_place_of_the_one_before(store: Store, alice: DialIn) -> None:
    before = active(store)
    declared_versions.take(store, alice, "2.0-beta")
    now = active(store)
    assert (now.version, now.declared, now.source, now.state) == ("2.0-beta", "2.0-beta", "dial_in", "active")
    assert now.version_id != before.version_id
    assert states(store) == {"1": "superseded", "2.0-beta": "active"}


def test_an_older_version_that_is_declared_again_is_the_active_one_again(store: Store, alice: DialIn) -> None:
    for said in ("7", "8", "8", "7", "1"):
        declared_versions.take(store, alice, said)
        assert active(store).version == said
    assert states(store) == {"1": "active", "7": "superseded", "8": "superseded"}


@pytest.mark.parametrize("said", ["", "8 \x1b[2J", "a b", "1@2", "x" * 200])
def test_what_cannot_be_a_version_changes_nothing(store: Store, alice: DialIn, said: str) -> None:
    declared_versions.take(store, alice, said)
    assert states(store) == {"1": "active"}


def test_an_unknown_token_or_address_harms_nobody(store: Store, alice: DialIn) -> None:
    declared_versions.take(store, DialIn("unknown"), "9")
    declared_versions.take(store, Endpoint(ADDRESS), "9")
    assert states(store) == {"1": "active"}
    assert alice


def test_a_withdrawn_version_stays_withdrawn_and_the_owner_sees_why(store: Store, alice: DialIn) -> None:
    declared_versions.take(store, alice, "7")
    submissions.withdraw(store, OPERATOR, "lost_cities", "alice")
    declared_versions.take(store, alice, "7")
    assert states(store) == {"1": "superseded", "7": "withdrawn"}
    declared_versions.take(store, alice, "8")
    declared_versions.take(store, alice, "7")
    assert states(store) == {"1": "superseded", "7": "withdrawn", "8": "active"}
    assert active(store).declared == "7"
    assert reasons(store)["8"] == "it says it is 7, which was withdrawn; `arena bot restore` brings that back"
    submissions.restore(store, OPERATOR, "lost_cities", "alice@7", most=0)
    assert states(store) == {"1": "superseded", "7": "active", "8": "superseded"}
    assert reasons(store)["8"] is None


def test_new_versions_are_limited_in_a_day_and_the_owner_sees_why(store: Store, alice: DialIn) -> None:
    for number in range(1, declared_versions.MAX_PER_DAY + 3):
        declared_versions.take(store, alice, str(number))
    assert len(states(store)) == declared_versions.MAX_PER_DAY
    assert (active(store).version, active(store).declared) == ("20", "22")
    assert "at most 20 new versions in 24 hours" in str(reasons(store)["20"])
    with store.write() as session:
        session.execute(update(Version).values(created_at=Version.created_at - 86_401))
    declared_versions.take(store, alice, "22")
    assert (active(store).version, active(store).declared) == ("22", "22")
    assert set(reasons(store).values()) == {None}


def test_an_endpoint_is_each_bot_with_its_address_and_secret(store: Store) -> None:
    for game, name, secret in (
        ("lost_cities", "bob", "sesame"),
        ("land_unter", "bob", "sesame"),
        ("lost_cities", "mallory", "guess"),
        ("lost_cities", "open", None),
    ):
        bots.add_endpoint(store, OPERATOR, game, name, ADDRESS, secret)
    declared_versions.take(store, Endpoint(ADDRESS, "sesame"), "7")
    declared_versions.take(store, Endpoint(ADDRESS), "8")
    assert active(store, "bob").version == active(store, "bob", "land_unter").version == "7"
    assert active(store, "bob").program == ADDRESS
    assert active(store, "mallory").version == "1"
    assert active(store, "open").version == "8"
    with store.read() as session:
        number = active(store, "bob").version_id
        assert bots.sources_in(session, [number]) == {number: Endpoint(ADDRESS, "sesame")}


def test_of_many_referees_that_hear_of_a_version_at_once_one_makes_it(store: Store, alice: DialIn) -> None:
    threads = [threading.Thread(target=declared_versions.take, args=(store, alice, "7")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert states(store) == {"1": "superseded", "7": "active"}


def test_what_is_entered_stays_the_version_that_was_entered(store: Store, alice: DialIn) -> None:
    page = decided_matches.new_tournament(store, names=("alice", "greedy"))
    entered = active(store).version_id
    declared_versions.take(store, alice, "7")
    block = blocks.claim(store, "ann", 60)
    assert block is not None
    assert block.tournament_id == page.id
    for match in block.matches:
        assert BlockSeat(entered, "alice", "1", alice) in match.seats
