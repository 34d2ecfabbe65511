"""A worker whose machine is lost in the middle of a transaction, and a database that goes away; on PostgreSQL."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import func, make_url, select

from arena.core import child_process
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store, upgrade
from arena.storage.schema import Block, MatchResult
from tests.parts import postgres_server
from tests.patience import wait_until

pytestmark = pytest.mark.postgres

Start = Callable[..., "subprocess.Popen[bytes]"]
Create = Callable[..., TournamentPage]

CYCLES = 100
TRIES = 3000
INSIDE = """
    SELECT count(*) FROM pg_stat_activity
    WHERE state = 'idle in transaction' AND query LIKE 'INSERT INTO match_result%'
"""


@pytest.fixture(scope="module")
def database() -> Iterator[postgres_server.Server]:
    with postgres_server.running() as server:
        yield server


@pytest.fixture
def url(database: postgres_server.Server) -> str:
    url = database.new_database()
    upgrade(url)
    return url


def done(store: Store) -> int:
    return tournaments.listing(store)[0].matches_done


def is_over(store: Store) -> bool:
    return tournaments.listing(store)[0].state == "finished"


def stop_inside(worker: subprocess.Popen[bytes], url: str) -> bool:
    """Stop a worker until it stands in a transaction, just after it has inserted a result."""
    parsed = make_url(url)
    with psycopg.connect(
        host=str(parsed.query["host"]), user="arena", dbname=parsed.database, autocommit=True
    ) as connection:
        for _ in range(TRIES):
            worker.send_signal(signal.SIGSTOP)
            counts = []
            for _ in range(2):  # a statement that was on its way ends in between
                counts.append(connection.execute(INSIDE).fetchone())
                time.sleep(0.002)
            if all(count == (1,) for count in counts):
                return True
            worker.send_signal(signal.SIGCONT)
            time.sleep(0.005)
    return False


def test_a_worker_lost_inside_a_transaction_holds_nobody_up(
    start: Start, create: Create, store: Store, url: str
) -> None:
    create(CYCLES)
    doomed = start(ARENA_DATABASE_URL=url)
    wait_until(lambda: done(store), "it plays", within_s=60)
    assert stop_inside(doomed, url), "never seen inside a transaction"
    try:
        start()
        wait_until(
            lambda: is_over(store), "another plays all the rest", within_s=30, progress=lambda: done(store)
        )
    finally:
        doomed.send_signal(signal.SIGCONT)
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(MatchResult)) == 2 * CYCLES
    wait_until(lambda: held_by(store, doomed) == 0, "it has given up what it held", within_s=20)
    assert doomed.poll() is None


def held_by(store: Store, worker: subprocess.Popen[bytes]) -> int:
    with store.read() as session:
        mine = (Block.worker == child_process.name(worker.pid), Block.done.is_(False))
        return session.scalar(select(func.count()).select_from(Block).where(*mine)) or 0


@pytest.mark.long
def test_a_database_that_is_started_again_costs_a_line_and_no_result(
    start: Start, create: Create, store: Store, database: postgres_server.Server, tmp_path: Path
) -> None:
    create(CYCLES)
    log = tmp_path / "worker.log"
    with log.open("wb") as file:
        worker = start(stderr=file)
        wait_until(lambda: done(store), "it plays", within_s=60)
        database.restart()
        seen = done(store)
        wait_until(lambda: done(store) > seen, "it plays on", within_s=20)
        wait_until(lambda: is_over(store), "it is over", within_s=30, progress=lambda: done(store))
        child_process.stop(worker, grace_s=5)
    text = log.read_text()
    assert "Traceback" not in text
    assert " ERROR " not in text
    assert text.count("the database is away") == 1
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(MatchResult)) == 2 * CYCLES
