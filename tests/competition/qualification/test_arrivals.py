"""Arrivals: how many bots an author may have, and that those that run elsewhere qualify before they play."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import update

from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots
from arena.bundle_format.bundle import read_upload
from arena.competition.matches import blocks
from arena.competition.matches.blocks import BlockKey
from arena.competition.qualification import arrivals, declared_versions, submissions
from arena.core.errors import Refusal
from arena.referee_client import DialIn
from arena.storage import Store
from arena.storage.schema import Version
from tests import decided_matches
from tests.bundle_format.uploads import project
from tests.decided_matches import NAMES, person, play_on

NOW = 1_800_000_000.0


@pytest.fixture
def ada(store: Store) -> Actor:
    bots.register_house(store, dict.fromkeys(("lost_cities", "land_unter"), NAMES))
    return person(store, "ada")


def add(store: Store, actor: Actor, name: str, game: str = "lost_cities") -> None:
    bots.add_dial_in(store, actor, game, name)


def test_an_author_has_ten_bots_of_a_game_and_no_more(store: Store, ada: Actor) -> None:
    for number in range(10):
        add(store, ada, f"bot-{number}")
    with pytest.raises(Refusal) as refused:
        add(store, ada, "one-more")
    assert refused.value.code == "too_many_bots"
    assert refused.value.field == "name"
    assert str(refused.value) == (
        "name 'one-more': ada has 10 of at most 10 bots of lost_cities already; withdraw one first"
    )


def test_bots_of_another_game_another_author_and_the_operator_are_counted_apart(
    store: Store, ada: Actor
) -> None:
    for number in range(10):
        add(store, ada, f"bot-{number}")
    add(store, ada, "other", "land_unter")
    add(store, person(store, "bob"), "bobs")
    for number in range(12):
        add(store, OPERATOR, f"operators-{number}")


def test_of_many_bots_that_are_added_at_once_no_more_than_ten_are_taken(store: Store, ada: Actor) -> None:
    refused: list[str] = []

    def attempt(number: int) -> None:
        try:
            add(store, ada, f"bot-{number}")
        except Refusal as refusal:
            refused.append(refusal.code)

    threads = [threading.Thread(target=attempt, args=(number,)) for number in range(14)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["too_many_bots"] * 4
    assert sum(found.owner == "ada" for found in bots.listing(store, "lost_cities")) == 10


def check_enterable(store: Store, name: str) -> None:
    with store.read() as session:
        bots.check_enterable(session, bots.find_in(session, "lost_cities", name), superseded=False)


def test_a_bot_that_runs_elsewhere_waits_for_its_qualification(store: Store, ada: Actor) -> None:
    add(store, ada, "mine")
    bots.add_endpoint(store, ada, "lost_cities", "far", "bots.example.org:7001")
    for name in ("mine", "far"):
        (row,) = submissions.versions(store, ada, "lost_cities", name)
        assert row.state == "waiting"
        with pytest.raises(Refusal, match="waits for its qualification"):
            check_enterable(store, name)


def test_withdrawing_a_bot_makes_room_for_another_one_that_was_withdrawn(store: Store, ada: Actor) -> None:
    for number in range(2):
        add(store, ada, f"bot-{number}")
    submissions.withdraw(store, ada, "lost_cities", "bot-0")
    with pytest.raises(Refusal, match="ada has 1 of at most 1 bots of lost_cities already"):
        submissions.restore(store, ada, "lost_cities", "bot-0", most=50, most_bots=1)
    submissions.withdraw(store, ada, "lost_cities", "bot-1")
    row = submissions.restore(store, ada, "lost_cities", "bot-0", most=50, most_bots=1)
    assert row.state == "waiting"


def test_names_cannot_be_taken_without_number_by_adding_and_withdrawing(store: Store, ada: Actor) -> None:
    for number in range(10):
        add(store, ada, f"bot-{number}")
        submissions.withdraw(store, ada, "lost_cities", f"bot-{number}")
    with pytest.raises(Refusal, match="ada has added 10 bots of lost_cities in the last 24 hours"):
        add(store, ada, "one-more")


def test_a_bot_that_was_withdrawn_does_not_come_back_by_declaring_a_new_version(
    store: Store, ada: Actor
) -> None:
    made = DialIn(bots.add_dial_in(store, ada, "lost_cities", "mine").token_id)
    submissions.withdraw(store, ada, "lost_cities", "mine")
    declared_versions.take(store, made, "2")
    (row,) = submissions.versions(store, ada, "lost_cities", "mine")
    assert (row.state, row.reason) == (
        "withdrawn",
        "it says it is 2, but the bot was withdrawn; `arena bot restore` brings it back",
    )


def test_uploads_are_bots_too(store: Store, ada: Actor) -> None:
    add(store, ada, "far")
    upload = read_upload(project(), "mine.zip")
    with pytest.raises(Refusal, match="ada has 1 of at most 1 bots of lost_cities"):
        submissions.submit(store, ada, upload, allowed=(), most=50, most_bots=1)
    submissions.submit(store, ada, upload, allowed=(), most=50, most_bots=2)
    again = read_upload(project(extra="x"), "mine.zip")
    submissions.submit(store, ada, again, allowed=(), most=50, most_bots=2)


@pytest.fixture
def mine(store: Store, ada: Actor) -> DialIn:
    """A bot of ada's that dials in."""
    return DialIn(bots.add_dial_in(store, ada, "lost_cities", "mine").token_id)


def states(store: Store, ada: Actor) -> dict[str, str]:
    rows = submissions.versions(store, ada, "lost_cities", "mine")
    return {row.version: row.state for row in reversed(rows)}


def qualify(store: Store, now: float = NOW, most: int = 50) -> int:
    return arrivals.qualify(store, now, most)


def test_a_bot_that_dials_in_qualifies_when_it_is_there(store: Store, ada: Actor, mine: DialIn) -> None:
    assert qualify(store) == 0
    arrivals.note(store, [mine], NOW)
    assert qualify(store, NOW + arrivals.SEEN_S + 1) == 0, "it has gone again"
    assert qualify(store) == 1
    assert qualify(store) == 0, "it is being played"
    assert states(store, ada) == {"1": "waiting"}
    play_on(store)
    assert states(store, ada) == {"1": "active"}


def test_an_endpoint_is_dialled_for_its_qualification(store: Store, ada: Actor) -> None:
    bots.add_endpoint(store, ada, "lost_cities", "mine", "bots.example.org:7001")
    assert qualify(store) == 1
    play_on(store)
    assert states(store, ada) == {"1": "active"}


def test_one_that_fails_stays_out_until_its_author_has_it_tried_again(
    store: Store, ada: Actor, mine: DialIn
) -> None:
    arrivals.note(store, [mine], NOW)
    qualify(store)
    fail(store)
    assert states(store, ada) == {"1": "failed"}
    declared_versions.take(store, mine, "1")
    assert qualify(store) == 0
    assert states(store, ada) == {"1": "failed"}
    submissions.restore(store, ada, "lost_cities", "mine", most=50)
    assert qualify(store) == 1
    play_on(store)
    assert states(store, ada) == {"1": "active"}


def fail(store: Store) -> None:
    """Play what there is, all of it lost by the fault of `mine`."""
    while (block := blocks.claim(store, "anna", 60.0)) is not None:
        for match in block.matches:
            seat = [seat.bot for seat in match.seats].index("mine")
            assert decided_matches.add(store, block, match, [1, 2], result=decided_matches.fault(2, seat))
        assert blocks.finish(store, BlockKey(block.tournament_id, block.number), "anna")


def test_a_new_version_qualifies_while_the_one_before_stays_active(
    store: Store, ada: Actor, mine: DialIn
) -> None:
    arrivals.note(store, [mine], NOW)
    qualify(store)
    play_on(store)
    declared_versions.take(store, mine, "2")
    assert states(store, ada) == {"1": "active", "2": "waiting"}
    assert qualify(store) == 1
    play_on(store)
    assert states(store, ada) == {"1": "superseded", "2": "active"}
    declared_versions.take(store, mine, "1")
    assert states(store, ada) == {"1": "active", "2": "superseded"}


def test_a_version_that_waits_gives_way_to_the_one_that_is_declared_next(
    store: Store, ada: Actor, mine: DialIn
) -> None:
    declared_versions.take(store, mine, "2")
    assert states(store, ada) == {"1": "superseded", "2": "waiting"}
    declared_versions.take(store, mine, "1")
    assert states(store, ada) == {"1": "waiting", "2": "superseded"}


def test_a_suspended_version_does_not_come_back_by_being_declared(
    store: Store, ada: Actor, mine: DialIn
) -> None:
    with store.write() as session:
        session.execute(
            update(Version).where(Version.source == "dial_in").values(state="suspended", reason="faults")
        )
    declared_versions.take(store, mine, "1")
    (row,) = submissions.versions(store, ada, "lost_cities", "mine")
    assert (row.state, row.reason) == ("suspended", "faults")


def test_beyond_the_days_quota_a_bot_waits_and_its_author_sees_why(
    store: Store, ada: Actor, mine: DialIn
) -> None:
    arrivals.note(store, [mine], NOW)
    assert qualify(store, most=0) == 0
    (row,) = submissions.versions(store, ada, "lost_cities", "mine")
    assert "qualifications: ada has begun 0 in the last 24 hours, at most 0 are possible" in str(row.reason)
    written = store.written
    assert qualify(store, most=0) == 0
    assert store.written == written, "nothing new is written"
    assert qualify(store) == 1
    assert submissions.versions(store, ada, "lost_cities", "mine")[0].reason is None


def test_what_the_operator_adds_needs_no_qualification(store: Store, ada: Actor) -> None:
    add(store, OPERATOR, "vouched-for")
    check_enterable(store, "vouched-for")
    bots.add_dial_in(store, OPERATOR, "lost_cities", "hers", owner="ada")
    found = bots.find(store, "lost_cities", "hers")
    assert (found.owner, found.state) == ("ada", "waiting")
    with pytest.raises(Refusal, match="owner 'nobody': there is no user of that name"):
        bots.add_dial_in(store, OPERATOR, "lost_cities", "his", owner="nobody")
    with pytest.raises(Refusal, match="admin"):
        bots.add_dial_in(store, ada, "lost_cities", "his", owner="ada")
