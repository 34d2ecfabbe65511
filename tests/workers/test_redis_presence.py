"""Who runs is known again soon after Redis has lost it, or could not take it: a real Redis, with real parts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from redis import Redis

from arena.core import child_process
from arena.messaging import part_presence, presence, queue_status
from arena.operations import public_status
from arena.operations.status_headline import judge
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from tests.messaging import refusing
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until
from tests.workers.conftest import Start

Create = Callable[..., TournamentPage]
Way = Callable[[RunningRedis], AbstractContextManager[None]]

HEARTBEAT_S = 3.0
"""An idle worker waits two seconds for a job between two heartbeats; a worker that plays beats once a second."""


def done(store: Store) -> int:
    return tournaments.listing(store)[0].matches_done


def is_over(store: Store) -> bool:
    return tournaments.listing(store)[0].state == "finished"


def codes(store: Store, client: Redis) -> tuple[str, ...]:
    """Return what the status page says is wrong."""
    return tuple(problem.code for problem in judge(public_status.read(store, client, writable=True)).problems)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "worker.log"
    file.touch()
    return file


def test_an_idle_worker_is_listed_again_within_a_heartbeat_after_redis_was_emptied(
    start: Start, client: Redis
) -> None:
    worker = start()
    wait_until(lambda: queue_status.workers(client), "it is listed", within_s=40)
    (before,) = queue_status.workers(client)
    client.flushall()
    wait_until(lambda: queue_status.workers(client), "it is listed again", within_s=HEARTBEAT_S)
    (after,) = queue_status.workers(client)
    assert (after.name, after.release, after.state) == (before.name, before.release, "idle")
    assert after.born_at == before.born_at
    assert client.ttl(f"rq:worker:{child_process.name(worker.pid)}") > 0


def test_a_worker_that_plays_is_listed_again_and_so_is_everything_else_that_is_written_at_the_start(
    start: Start, store: Store, client: Redis, create: Create
) -> None:
    create(cycles=2000)
    start()
    wait_until(lambda: done(store), "it plays", within_s=60)
    wait_until(lambda: presence.overview(client), "its referee is listed", within_s=20)
    client.flushall()
    wait_until(lambda: queue_status.workers(client), "it is listed again", within_s=HEARTBEAT_S)
    wait_until(lambda: part_presence.listing(client), "its setup is announced again", within_s=10)
    wait_until(
        lambda: any(row.present for row in presence.overview(client)), "its referee is listed", within_s=10
    )
    assert codes(store, client) == ()


def test_a_worker_that_has_stopped_is_listed_no_more(start: Start, client: Redis) -> None:
    worker = start()
    wait_until(lambda: queue_status.workers(client), "it is listed", within_s=40)
    worker.terminate()
    worker.wait()
    assert queue_status.workers(client) == ()
    assert client.keys("rq:worker:*") == []


def test_a_worker_begins_under_the_name_of_one_that_was_killed(start: Start, client: Redis) -> None:
    """A container has the same host name and process number each time."""
    worker = start()
    key = f"rq:worker:{child_process.name(worker.pid)}"
    client.hset(key, "birth", "2026-01-01T00:00:00.000000Z")
    wait_until(lambda: queue_status.workers(client), "it is listed", within_s=40)
    assert worker.poll() is None


@pytest.mark.parametrize(
    "way", [refusing.full, refusing.replica, refusing.unsaved], ids=lambda way: way.__name__
)
def test_play_goes_on_where_redis_refuses_writes_which_is_named_and_heals_by_itself(
    start: Start, store: Store, server: RunningRedis, client: Redis, create: Create, log: Path, way: Way
) -> None:
    create(cycles=2000)
    with log.open("wb") as file:
        start(stderr=file)
        wait_until(lambda: done(store), "it plays", within_s=60)
        with way(server):
            wait_until(lambda: codes(store, client) == ("redis_refuses_writes",), "it is named", within_s=5)
            wait_until(lambda: "Redis refuses writes" in log.read_text(), "it is logged", within_s=10)
            before = done(store)
            wait_until(lambda: done(store) > before + 20 or is_over(store), "it plays on", within_s=30)
            assert codes(store, client) == ("redis_refuses_writes",)
        wait_until(lambda: codes(store, client) == (), "all is well", within_s=15)
        wait_until(lambda: "Redis takes writes again" in log.read_text(), "it is logged", within_s=15)
    assert (
        log.read_text().count("redis_courier: Redis refuses")
        + log.read_text().count("outage_log: Redis refuses")
        <= 3
    ), "once by each of courier, reconciler and registrar"
    assert "Traceback" not in log.read_text()


def test_a_worker_begins_and_plays_where_redis_refuses_writes_from_the_start(
    start: Start, store: Store, server: RunningRedis, client: Redis, create: Create
) -> None:
    create(cycles=2)
    with refusing.full(server):
        start()
        wait_until(lambda: is_over(store), "it has played", within_s=60, progress=lambda: done(store))
        assert queue_status.workers(client) == ()
    wait_until(lambda: queue_status.workers(client), "it is listed", within_s=15)
