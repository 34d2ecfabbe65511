"""A worker and its referees: one that is gone pins nothing, and is noticed when it comes back; with real parts."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from redis import Redis
from sqlalchemy import select

from arena.core import child_process
from arena.messaging.redis_connection import connect_async
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from arena.storage.schema import Block, Tournament
from arena.web.app import create_app
from tests.dialling import RunningReferee
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until
from tests.web.access import ACCESS

Create = Callable[..., TournamentPage]

MANY = 300
"""Cycles of a tournament that takes a while: 600 matches, blocks of 37."""


@pytest.fixture
def referees(tmp_path: Path) -> Iterator[tuple[RunningReferee, RunningReferee]]:
    """Two referees that a test may kill."""
    pair = (RunningReferee(tmp_path / "one"), RunningReferee(tmp_path / "two"))
    with ExitStack() as closing:
        for referee in pair:
            referee.start()
            closing.callback(referee.close)
        yield pair


class RunningWorker:
    """A worker with its log in a file."""

    def __init__(self, log: Path, environment: dict[str, str]) -> None:
        self._log = log
        self._file = log.open("wb")
        self.process = child_process.start(
            [sys.executable, "-m", "workers"], environment=environment, stderr=self._file
        )
        self.name = child_process.name(self.process.pid)

    def lines(self, *words: str) -> list[str]:
        """The lines of its log that have all of these words."""
        return [line for line in self._log.read_text().splitlines() if all(word in line for word in words)]

    def cpu_s(self) -> float:
        """The processor time it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def close(self) -> None:
        child_process.stop(self.process, grace_s=5)
        self._file.close()


Start = Callable[[str], RunningWorker]


@pytest.fixture
def work(url: str, server: RunningRedis, client: Redis, tmp_path: Path) -> Iterator[Start]:
    """Start workers, each with what it has for ARENA_CONTROL."""
    with ExitStack() as closing:

        def work(control: str) -> RunningWorker:
            environment = {"ARENA_DATABASE_URL": url, "ARENA_REDIS_URL": server.url, "ARENA_CONTROL": control}
            worker = RunningWorker(tmp_path / f"worker-{len(list(tmp_path.glob('*.log')))}.log", environment)
            closing.callback(worker.close)
            return worker

        yield work


def holders(store: Store) -> set[str]:
    with store.read() as session:
        held = (Block.done.is_(False), Block.lease_until > time.time())
        return {row.worker or "" for row in session.scalars(select(Block).where(*held))}


def served(store: Store) -> float:
    with store.read() as session:
        return session.get_one(Tournament, 1).served


def done(store: Store) -> int:
    return tournaments.listing(store)[0].matches_done


def is_over(store: Store) -> bool:
    return tournaments.listing(store)[0].state == "finished"


def test_a_referee_that_is_gone_for_good_pins_no_block(
    store: Store, client: Redis, work: Start, create: Create, referees: tuple[RunningReferee, RunningReferee]
) -> None:
    one, two = referees
    first, second = work(one.control), work(two.control)
    for worker in (first, second):
        entry = f"rq:worker:{worker.name}"
        wait_until(lambda: client.hget(entry, "state") == b"idle", "it waits for a job", within_s=40)  # noqa: B023 - it is called here
    create(MANY // 3)
    wait_until(lambda: {first.name, second.name} <= holders(store), "both play", within_s=40)
    one.kill()
    wait_until(lambda: first.name not in holders(store), "its block is given back", within_s=15)
    wait_until(
        lambda: is_over(store), "the other plays all the rest", within_s=30, progress=lambda: done(store)
    )
    assert first.process.poll() is None


def test_a_worker_that_names_two_referees_goes_on_at_the_other(
    store: Store, work: Start, create: Create, referees: tuple[RunningReferee, RunningReferee]
) -> None:
    one, two = referees
    create(MANY)
    worker = work(f"{one.control},{two.control}")
    wait_until(lambda: done(store), "it plays", within_s=40)
    one.kill()
    seen = done(store)
    wait_until(lambda: done(store) > seen + 40, "it plays at the other", within_s=20)
    assert len(worker.lines("WARNING", one.control)) == 1


def test_a_worker_without_a_referee_waits_cheaply_says_so_once_and_goes_on(
    store: Store, work: Start, create: Create, referees: tuple[RunningReferee, RunningReferee]
) -> None:
    one, _ = referees
    create(MANY)
    worker = work(one.control)
    wait_until(lambda: done(store), "it plays", within_s=40)
    one.kill()
    wait_until(lambda: not holders(store), "its block is given back", within_s=15)
    used_s, said = worker.cpu_s(), len(worker.lines("referee"))
    took_s = wait_until(_after(8.0), "some time has passed", within_s=30)
    assert worker.cpu_s() - used_s < 0.2 * took_s
    assert len(worker.lines("referee")) == said, "nothing more is said while it waits"
    assert not holders(store), "it takes nothing"
    assert len(worker.lines("WARNING", "is away")) == 1
    one.start()
    seen = done(store)
    wait_until(lambda: done(store) > seen, "it goes on", within_s=15)
    assert len(worker.lines("outage_log: referee", "is there again")) == 1


def test_a_block_that_is_taken_again_counts_as_service_once(
    store: Store, work: Start, create: Create, referees: tuple[RunningReferee, RunningReferee]
) -> None:
    one, two = referees
    create(MANY // 4)
    worker = work(f"{one.control},{two.control}")
    for referee in (one, two):
        wait_until(lambda: holders(store), "it plays", within_s=40)
        seen = done(store)
        wait_until(lambda: done(store) > seen, "it plays on", within_s=20)  # noqa: B023 - it is called here
        referee.kill()
        wait_until(lambda: done(store) > seen + 20 or not holders(store), "it has noticed", within_s=20)  # noqa: B023
        referee.start()
    wait_until(lambda: is_over(store), "it is over", within_s=30, progress=lambda: done(store))
    matches, priority = 2 * (MANY // 4), 10
    assert served(store) == pytest.approx(matches / priority)
    assert worker.process.poll() is None


def test_a_worker_that_waits_for_a_referee_stops_at_once(work: Start, client: Redis, tmp_path: Path) -> None:
    control = f"unix:{tmp_path / 'nobody'}"
    worker = work(control)
    wait_until(lambda: worker.lines("WARNING", "is away"), "it has noticed", within_s=40)
    worker.process.send_signal(signal.SIGTERM)
    try:
        assert worker.process.wait(10) == 0
    except subprocess.TimeoutExpired:
        pytest.fail("it did not stop")


def test_workers_without_a_referee_and_referees_that_are_missing_are_known(
    store: Store, work: Start, server: RunningRedis, referees: tuple[RunningReferee, RunningReferee]
) -> None:
    one, two = referees
    one.kill()
    waiting, _ = work(one.control), work(two.control)
    app = create_app(store, connect_async(server.url), ACCESS)
    with TestClient(app, "http://127.0.0.1", client=("127.0.0.1", 50000)) as web:

        def health() -> dict[str, Any]:
            found: dict[str, Any] = web.get("/health").json()
            return found

        wait_until(lambda: health()["waiting_workers"] == [waiting.name], "who waits is known", within_s=40)
        wait_until(lambda: health()["missing_referees"], "what is missing is known", within_s=20)
        found = health()
        assert (found["status"], len(found["missing_referees"])) == ("degraded", 1)
        assert one.control in found["missing_referees"][0]
        one.start()
        wait_until(lambda: health()["status"] == "ok", "all is well again", within_s=30)


def _after(seconds: float) -> Callable[[], bool]:
    """A condition that holds after some time."""
    until = time.monotonic() + seconds
    return lambda: time.monotonic() >= until
