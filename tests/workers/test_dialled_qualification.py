"""Bots that run elsewhere qualify when they are there, and ladders play on among those that are."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import update

from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots
from arena.competition import ladders, plans
from arena.competition.ladders import LadderRequest
from arena.competition.qualification import submissions
from arena.competition.qualification.submissions import VersionRow
from arena.reports import bot_logs, match_views, tournaments
from arena.storage import Store
from arena.storage.schema import Version
from tests.decided_matches import person
from tests.dialling import BOT, dialling_bot, is_admitted, listening_bot
from tests.parts.arena_process import free_port
from tests.patience import wait_until
from tests.workers.conftest import Start
from tests.workers.test_awaited_bots import bots_port

WITHIN_S = 60.0
ILLEGAL = BOT.replace("return decision.legal[0]", "raise RuntimeError('no plan')")


@pytest.fixture
def ada(store: Store) -> Actor:
    return person(store, "ada")


def newest(store: Store, ada: Actor) -> VersionRow:
    return submissions.versions(store, ada, "lost_cities", "mine")[0]


def test_a_bot_that_dials_in_is_active_when_it_has_played_its_qualification(
    store: Store, start: Start, control: str, ada: Actor, tmp_path: Path
) -> None:
    made = bots.add_dial_in(store, ada, "lost_cities", "mine")
    start()
    wait_until(lambda: is_admitted(bots_port(control), made.token), "it is admitted", within_s=WITHIN_S)
    with dialling_bot(tmp_path, bots_port(control), made.token):
        wait_until(lambda: newest(store, ada).state == "active", "it has qualified", within_s=WITHIN_S)
    row = newest(store, ada)
    assert (row.version, row.reason) == ("7", None)
    assert {each.end for each in match_views.of_tournament(store, row.trial or 0)} == {"completed"}


def test_a_bot_that_cannot_play_fails_and_its_author_learns_why(
    store: Store, start: Start, control: str, ada: Actor, tmp_path: Path
) -> None:
    made = bots.add_dial_in(store, ada, "lost_cities", "mine")
    start(ARENA_ABSENCE_S="5")
    wait_until(lambda: is_admitted(bots_port(control), made.token), "it is admitted", within_s=WITHIN_S)
    with dialling_bot(tmp_path, bots_port(control), made.token, ILLEGAL):
        wait_until(lambda: newest(store, ada).state == "failed", "the verdict", within_s=WITHIN_S)
    assert str(newest(store, ada).reason).startswith("It ran out of time in match 1 of 2: ")
    assert bot_logs.recent(store, ada, "lost_cities", "mine")


def test_an_endpoint_is_active_when_it_has_played_its_qualification(
    store: Store, start: Start, ada: Actor, tmp_path: Path
) -> None:
    address = f"127.0.0.1:{free_port()}"
    bots.add_endpoint(store, ada, "lost_cities", "mine", address, "sesame", private=True)
    start()
    with listening_bot(tmp_path, address, "sesame"):
        wait_until(
            lambda: newest(store, ada).state == "active" and newest(store, ada).version == "7",
            "the version that it declares has qualified",
            within_s=2 * WITHIN_S,
        )


def test_a_ladder_plays_on_among_those_that_are_there(
    store: Store, start: Start, control: str, tmp_path: Path
) -> None:
    for number in range(30):
        bots.add_dial_in(store, OPERATOR, "lost_cities", f"away-{number}")
    made = bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    with store.write() as session:  # it thinks for long
        session.execute(
            update(Version).where(Version.program == "house:lost_cities/search").values(state="withdrawn")
        )
    start()
    wait_until(lambda: is_admitted(bots_port(control), made.token), "it is admitted", within_s=WITHIN_S)
    with dialling_bot(tmp_path, bots_port(control), made.token):
        wait_until(
            lambda: bots.find(store, "lost_cities", "mine").version == "7", "it is there", within_s=WITHIN_S
        )
        ladders.start(store, LadderRequest("lost_cities", rest_s=0.0), OPERATOR)
        wait_until(lambda: rounds(store) >= 3, "rounds are drawn", within_s=2 * WITHIN_S)
    entries = {entry.bot for entry in tournaments.page(store, 1).entries}
    assert "mine" in entries
    assert not any(name.startswith("away-") for name in entries)


def rounds(store: Store) -> int:
    with store.read() as session:
        return len(plans.load(store, session, 1).course.rounds) if tournaments.listing(store) else 0
