"""What monitoring reads of the store: backups, and how far the tournaments are that run."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import update

from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.operations import arena_reading, last_backup
from arena.operations.arena_reading import TournamentProgress, read_store
from arena.storage import Store
from arena.storage.schema import Tournament
from tests import decided_matches
from tests.operations.test_public_status import upload
from tests.parts.arena_process import create


@pytest.fixture
def ada(store: Store) -> Actor:
    bots.register_house(store, {"lost_cities": decided_matches.NAMES})
    return decided_matches.person(store, "ada")


def test_the_age_of_a_backup_is_unknown_until_there_is_one(store: Store) -> None:
    assert read_store(store).backup_age_s is None
    last_backup.note(store, time.time() - 100)
    assert read_store(store).backup_age_s == pytest.approx(100, abs=30)


def test_the_progress_of_a_tournament_that_runs_is_read(store: Store, ada: Actor) -> None:
    tournament = create(store, cycles=3)
    (found,) = read_store(store).progress
    assert found == TournamentProgress(tournament, "lost_cities", stored=0, left=6)
    with store.write() as session:
        session.execute(update(Tournament).values(matches_done=4))
    assert [(each.stored, each.left) for each in read_store(store).progress] == [(4, 2)]


def test_one_that_is_over_is_not_read(store: Store, ada: Actor) -> None:
    create(store, cycles=1)
    with store.write() as session:
        session.execute(update(Tournament).values(state="finished"))
    assert read_store(store).progress == ()


def test_trials_are_not_read_since_there_is_one_for_each_upload(store: Store, ada: Actor) -> None:
    upload(store, ada)
    found = read_store(store)
    assert found.running_tournaments == 1
    assert found.progress == ()


def test_only_the_newest_are_read(store: Store, ada: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_reading, "MAX_TOURNAMENTS", 2)
    made = [create(store, cycles=1) for _ in range(3)]
    assert [each.tournament for each in read_store(store).progress] == [made[2], made[1]]
