"""The public status comes from the store and from Redis as they are."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from redis import Redis
from sqlalchemy import update

from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.bundle_format.bundle import read_upload
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import blocks
from arena.competition.qualification import submissions
from arena.messaging import part_presence, presence
from arena.messaging.part_presence import RunningPart
from arena.messaging.redis_connection import connect, connect_quickly
from arena.operations import last_backup, match_pace, public_status
from arena.operations.public_status import StatusFacts
from arena.storage import Store
from arena.storage.schema import MatchResult, Tournament, Trial
from tests import decided_matches
from tests.bundle_format.uploads import BOT, TOML, project
from tests.parts.redis_server import RunningRedis, running_redis


@pytest.fixture(scope="module")
def redis_server() -> Iterator[RunningRedis]:
    with running_redis() as server:
        yield server


@pytest.fixture
def client(redis_server: RunningRedis) -> Iterator[Redis]:
    with connect(redis_server.url) as client:
        client.flushall()
        yield client


@pytest.fixture
def ada(store: Store) -> Actor:
    bots.register_house(store, {"lost_cities": decided_matches.NAMES})
    return decided_matches.person(store, "ada")


def upload(store: Store, actor: Actor, number: int = 0) -> int:
    """Upload a version; give the tournament that qualifies it."""
    (row,) = submissions.submit(
        store, actor, read_upload(project(TOML, f"{BOT}# {number}\n"), "mine.zip"), allowed=(), most=10
    )
    assert row.trial is not None
    return row.trial


def waited(store: Store, trial: int, seconds: float) -> None:
    """Move the beginning of a trial into the past."""
    with store.write() as session:
        session.execute(
            update(Trial).where(Trial.tournament_id == trial).values(created_at=Trial.created_at - seconds)
        )


def play(store: Store, trial: int) -> None:
    for key in blocks.reconcile(store):
        if key.tournament_id == trial:
            block = decided_matches.claim(store, key=key)
            for match in block.matches:
                assert decided_matches.add(store, block, match, decided_matches.alphabetical(match))
            assert blocks.finish(store, key, "anna")


def read(store: Store, client: Redis) -> StatusFacts:
    return public_status.read(store, client, writable=True)


def test_the_oldest_upload_that_waits_is_found(store: Store, client: Redis, ada: Actor) -> None:
    waited(store, upload(store, ada), 300)
    upload(store, ada, 1)
    found = read(store, client).uploads
    assert found.waiting == 2
    assert found.oldest_s == pytest.approx(300, abs=30)


def test_times_from_upload_to_verdict_are_those_of_verdicts(store: Store, client: Redis, ada: Actor) -> None:
    for number, seconds in enumerate((100, 200, 4000)):
        trial = upload(store, ada, number)
        play(store, trial)
        waited(store, trial, seconds)
    found = read(store, client).uploads
    assert (found.waiting, found.oldest_s, found.verdicts) == (0, None, 3)
    assert found.median_s == pytest.approx(200, abs=30)
    assert found.percentile_99_s == pytest.approx(4000, abs=30)


def test_verdicts_of_weeks_ago_do_not_count(store: Store, client: Redis, ada: Actor) -> None:
    trial = upload(store, ada)
    play(store, trial)
    with store.write() as session:
        session.execute(update(Tournament).values(finished_at=time.time() - 8 * 86_400))
    assert read(store, client).uploads.verdicts == 0


def test_parts_that_run_are_counted(store: Store, client: Redis) -> None:
    for name in ("one-1", "two-1"):
        part_presence.announce(client, RunningPart("web", name))
    presence.show(client, "r-1", "", {}, "full: all holds")
    presence.show(client, "r-2", "", {})  # its registrar says that it is away
    parts = read(store, client).parts
    assert (parts.webs, parts.workers, parts.referees) == (2, 0, 1)


def test_what_redis_alone_knows_is_unknown_while_it_is_away(store: Store) -> None:
    found = read(store, connect_quickly("redis://127.0.0.1:1/0"))
    assert not found.redis
    assert (found.parts.webs, found.parts.workers, found.parts.referees) == (None, None, None)


def test_blocks_that_wait_are_counted(store: Store, client: Redis) -> None:
    bots.register_house(store, {"lost_cities": decided_matches.NAMES})
    creation.create(store, TournamentSpec("lost_cities", ("random", "greedy"), cycles=40))
    assert decided_matches.claim(store).matches
    queue = read(store, client).queue
    assert queue.playing == 1
    assert queue.waiting > 0


def test_results_that_workers_cannot_store_are_seen_though_this_process_can_write(
    store: Store, client: Redis
) -> None:
    presence.set_full(client, "w-1")
    assert not read(store, client).writable


def test_the_last_backup_is_remembered_by_the_store(store: Store, client: Redis) -> None:
    assert read(store, client).backup_at is None
    last_backup.note(store, 1000.5)
    last_backup.note(store, 2000.5)
    assert read(store, client).backup_at == 2000.5


def ended(store: Store, number: int, at: float, end: str = "regular") -> None:
    with store.write() as session:
        session.add(
            MatchResult(
                tournament_id=session.query(Tournament.id).limit(1).scalar(),
                set_number=number,
                match_number=0,
                attempt=0,
                match=f"m{number}",
                end=end,
                places="1 2",
                stored_at=at,
            )
        )


@pytest.fixture
def cup(store: Store) -> Store:
    bots.register_house(store, {"lost_cities": decided_matches.NAMES})
    creation.create(store, TournamentSpec("lost_cities", ("random", "greedy")))
    return store


NOW = 1_000_000 * match_pace.STEP_S + 100.0


def test_matches_are_counted_by_step_and_for_the_last_five_minutes(cup: Store) -> None:
    for number, age_s in enumerate((10, 20, 250, 350, 4000)):
        ended(cup, number, NOW - age_s)
    pace = match_pace.read(cup, NOW)
    assert pace.per_minute == 0.6
    assert [step.matches for step in pace.steps if step.matches] == [1, 2, 2]
    assert (len(pace.steps), pace.steps[-1].at) == (match_pace.STEPS, NOW - 100)


def test_what_was_never_played_is_not_counted(cup: Store) -> None:
    ended(cup, 0, NOW - 10, "absent")
    ended(cup, 1, NOW - 10, "annulled")
    assert match_pace.read(cup, NOW).per_minute == 0
    assert sum(step.matches for step in match_pace.read(cup, NOW).steps) == 0


def test_steps_that_are_over_are_counted_once_and_newer_ones_again(cup: Store) -> None:
    ended(cup, 0, NOW - 4000)
    ended(cup, 1, NOW - 10)
    match_pace.read(cup, NOW)
    ended(cup, 2, NOW - 3900)
    ended(cup, 3, NOW - 5)
    later = match_pace.read(cup, NOW + match_pace.STEP_S)
    assert [step.matches for step in later.steps if step.matches] == [1, 2]
