"""A worker as a process of its own, with a real Redis, store and referee."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from redis import Redis
from sqlalchemy import select

from arena.core import child_process
from arena.core.release import release
from arena.messaging import progress_events, queue_status
from arena.messaging.stream_reader import entries_by_stream
from arena.rankings import public_ratings
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from arena.storage.schema import Block, MatchResult, Meta, Pool
from tests.parts.notify import listening
from tests.parts.redis_server import RunningRedis
from tests.patience import patient, wait_until
from workers.block_runner import LEASE_S

Start = Callable[..., "subprocess.Popen[bytes]"]
Create = Callable[..., TournamentPage]

BLOCKS, SETS = 16, 8
"""A tournament of so many blocks, the smallest that there are, each of so many sets of two matches."""


def held(store: Store) -> list[str]:
    with store.read() as session:
        return [row.worker for row in session.scalars(select(Block)) if row.worker and not row.done]


def done(store: Store) -> int:
    return tournaments.listing(store)[0].matches_done


def is_over(store: Store) -> bool:
    return tournaments.listing(store)[0].state == "finished"


def events(client: Redis, stream: str) -> tuple[progress_events.Event, ...]:
    return progress_events.events_of(entries_by_stream(client.xread({stream: "0"})).get(stream, ()))


def test_a_worker_plays_a_tournament_and_tells_of_it(
    start: Start, store: Store, client: Redis, create: Create
) -> None:
    page = create(cycles=4)
    start()
    wait_until(lambda: is_over(store), "the tournament is over", within_s=40, progress=lambda: done(store))
    stream = progress_events.tournament_stream(page.id)
    wait_until(
        lambda: any(event.kind == progress_events.EventKind.STATE for event in events(client, stream)),
        "the end is told",
    )
    told = [event.data for event in events(client, stream) if event.kind == progress_events.EventKind.RESULT]
    assert sorted((data["set"], data["match"]) for data in told) == [
        (n, k) for n in range(4) for k in range(2)
    ]


def test_a_job_that_was_queued_anew_while_it_ran_has_not_failed(
    start: Start, store: Store, client: Redis, create: Create
) -> None:
    create(cycles=100)
    start()
    wait_until(lambda: held(store), "a block is played", within_s=40, progress=lambda: done(store))
    entries = list(client.scan_iter("rq:job:block-*"))
    running = [entry for entry in entries if client.hget(entry, "status") == b"started"]
    for entry in running:
        client.delete(entry)
    assert running
    wait_until(lambda: is_over(store), "the tournament is over", within_s=120, progress=lambda: done(store))
    wait_until(
        lambda: all(row.running == 0 for row in queue_status.queues(client)),
        "all jobs have ended",
        within_s=20,
    )
    assert queue_status.failed(client) == ()


def test_a_job_plays_several_blocks_of_quick_bots(
    start: Start, store: Store, client: Redis, create: Create
) -> None:
    create(cycles=BLOCKS * SETS)
    worker = start()
    wait_until(lambda: is_over(store), "the tournament is over", within_s=120, progress=lambda: done(store))
    with store.read() as session:
        blocks = len(session.scalars(select(Block)).all())
    key = f"rq:worker:{child_process.name(worker.pid)}"
    wait_until(lambda: client.hget(key, "state") == b"idle", "its last job has ended", within_s=20)
    assert blocks == BLOCKS
    assert int(client.hget(key, "successful_job_count") or 0) <= blocks / 2


def test_a_worker_claims_the_next_block_while_the_last_matches_of_one_still_run(
    start: Start, store: Store, create: Create
) -> None:
    create(cycles=BLOCKS * SETS)
    start()
    while len(held(store)) < 2:
        assert not is_over(store), "it has never held two blocks"
    wait_until(lambda: is_over(store), "the tournament is over", within_s=120, progress=lambda: done(store))
    wait_until(lambda: not held(store), "it has given them back")


def test_an_elo_table_is_computed_after_the_last_block(start: Start, store: Store, create: Create) -> None:
    create(cycles=2, rated=True)
    start()
    wait_until(lambda: is_over(store), "the tournament is over", within_s=40, progress=lambda: done(store))
    wait_until(
        lambda: [row.matches for row in public_ratings.table(store, "lost_cities").rows] == [4, 4],
        "the table is there",
    )


def test_an_elo_table_is_computed_before_the_next_tournament_is_played(
    start: Start, store: Store, create: Create
) -> None:
    create(cycles=2, rated=True)
    other = create(cycles=20).id
    start()
    wait_until(lambda: is_over(store), "both are over", within_s=60, progress=lambda: done(store))
    with store.read() as session:
        computed_at = session.scalars(select(Pool.computed_at)).one()
        stored_at = session.scalars(select(MatchResult.stored_at).where(MatchResult.tournament_id == other))
        assert computed_at is not None
        assert computed_at < min(stored_at)


def test_a_worker_that_is_told_to_stop_hands_its_blocks_back(
    start: Start, store: Store, create: Create
) -> None:
    create(cycles=500)
    worker = start()
    wait_until(lambda: done(store), "it plays", within_s=40)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(patient(5)) == 0
    assert held(store) == []


def test_the_supervisor_of_a_worker_hears_that_it_is_ready_that_it_lives_and_that_it_stops(
    start: Start, tmp_path: Path
) -> None:
    with listening(tmp_path) as supervisor:
        worker = start(NOTIFY_SOCKET=supervisor.address)
        supervisor.hear("READY=1")
        supervisor.hear("WATCHDOG=1")
        worker.terminate()
        supervisor.hear("STOPPING=1")


def test_a_worker_that_says_it_is_ready_can_be_stopped_in_good_order(start: Start, tmp_path: Path) -> None:
    with listening(tmp_path) as supervisor:
        worker = start(NOTIFY_SOCKET=supervisor.address)
        supervisor.hear("READY=1")
        status = Path(f"/proc/{worker.pid}/status").read_text()
    caught = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigCgt:"))
    assert caught & 1 << (signal.SIGTERM - 1)


def test_a_worker_tells_its_release(start: Start, client: Redis) -> None:
    start()
    wait_until(lambda: queue_status.workers(client), "it is there", within_s=20)
    assert [row.release for row in queue_status.workers(client)] == [release()]


def test_a_worker_that_is_idle_stops_at_once(start: Start, store: Store, client: Redis) -> None:
    worker = start()
    key = f"rq:worker:{child_process.name(worker.pid)}"
    wait_until(lambda: client.hget(key, "state") == b"idle", "it waits for a job", within_s=20)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(patient(5)) == 0


def test_the_block_of_a_worker_that_was_killed_is_played_by_another_within_ten_seconds(
    start: Start, store: Store, create: Create
) -> None:
    create(cycles=100)  # Blocks of a second or two: the other worker is soon free.
    victim, _ = start(), start()
    name = child_process.name(victim.pid)
    wait_until(lambda: name in held(store), "it holds a block", within_s=40)
    victim.kill()
    wait_until(lambda: name not in held(store), "another has its block", within_s=10)


AHEAD = "import runpy, time; now = time.time; time.time = lambda: now() + 30; runpy.run_module('workers', run_name='__main__')"


def test_a_worker_whose_clock_is_ahead_holds_leases_no_longer_than_others(
    url: str, server: RunningRedis, control: str, store: Store, create: Create
) -> None:
    create(cycles=200)
    environment = {"ARENA_DATABASE_URL": url, "ARENA_REDIS_URL": server.url, "ARENA_CONTROL": control}
    worker = child_process.start([sys.executable, "-c", AHEAD], environment=environment)
    try:
        wait_until(lambda: held(store), "it holds a block", within_s=40)
        with store.read() as session:
            until = [row.lease_until or 0.0 for row in session.scalars(select(Block)) if row.worker]
            leases = session.scalars(select(Meta.value).where(Meta.key.startswith("lease/"))).all()
        longest = max(*until, *(float(value.split()[0]) for value in leases))
        assert longest - time.time() <= LEASE_S
    finally:
        child_process.stop(worker, grace_s=5)


def test_a_second_signal_finds_a_worker_ending_and_does_no_harm(
    start: Start, client: Redis, tmp_path: Path
) -> None:
    with (tmp_path / "stderr").open("wb") as stderr:
        worker = start(stderr=stderr)
        entry = f"rq:worker:{child_process.name(worker.pid)}"
        wait_until(lambda: client.hget(entry, "state") == b"idle", "it waits for a job", within_s=40)
        worker.send_signal(signal.SIGTERM)
        while worker.poll() is None:
            worker.send_signal(signal.SIGTERM)
            time.sleep(0.01)
    assert worker.returncode == 0
    assert "Traceback" not in (tmp_path / "stderr").read_text()
