"""A client with write access to Redis cannot have workers run anything but the arena's jobs; with a real Redis and worker."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis
from rq import Callback, Queue, Repeat
from rq.serializers import JSONSerializer

from arena.messaging import queue_status
from arena.messaging.job_queue import BLOCKS, CHANCES, RATINGS
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store, leases
from tests.patience import wait_until
from tests.workers.conftest import Start

Create = Callable[..., TournamentPage]

FUNCTION = "arena.jobs_1.refresh_ratings"


def queue(client: Redis, name: str = RATINGS) -> Queue:
    return Queue(name, connection=client, serializer=JSONSerializer)


def hashed(client: Redis, job_id: str | bytes, fields: dict[str, str | bytes], name: str = RATINGS) -> None:
    """Put a job into a queue as RQ would not."""
    key = b"rq:job:" + (job_id if isinstance(job_id, bytes) else job_id.encode())
    client.hset(key, mapping=fields)  # type: ignore[arg-type]
    client.sadd("rq:queues", f"rq:queue:{name}")
    client.rpush(f"rq:queue:{name}", job_id)


def data(function: str, *arguments: object, instance: object = None) -> bytes:
    return zlib.compress(json.dumps([function, instance, arguments, {}]).encode())


@pytest.fixture
def poisoned(client: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A queue full of foreign jobs, each of which would make a file in a folder or end the worker."""
    folder = tmp_path / "owned"
    folder.mkdir()
    module = tmp_path / "path" / "evil_module.py"
    module.parent.mkdir()
    module.write_text(
        f"import pathlib\npathlib.Path({str(folder)!r}, 'imported').touch()\n"
        f"def touch(*_, **__):\n    pathlib.Path({str(folder)!r}, 'called').touch()\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{module.parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    touch = f"touch {folder}/system"
    queue(client).enqueue_call("os.system", args=(touch,), job_id="foreign-1")
    queue(client, BLOCKS).enqueue_call("evil_module.touch", job_id="foreign-2")
    callback = Callback("evil_module.touch")
    queue(client).enqueue_call(
        FUNCTION, args=("a/b",), on_success=callback, on_failure=callback, job_id="foreign-3"
    )
    queue(client).enqueue(FUNCTION, "a/b", repeat=Repeat(times=100), job_id="foreign-4")
    hashed(client, "foreign-5", {"data": data("join", ["a"], instance="x")})
    hashed(client, "foreign-6", {"data": data(FUNCTION, ["a/b"])})
    hashed(client, "foreign-7", {"data": data(FUNCTION, "a" * 5000)})
    hashed(client, "foreign-8", {"data": zlib.compress(b"[" * (1 << 24))})
    hashed(client, "foreign-9", {"data": data(FUNCTION, "a/b"), "created_at": "<b>yesterday</b>"})
    hashed(
        client,
        "foreign-10",
        {"data": data(FUNCTION, "a/b"), "webhooks": json.dumps([{"url": "http://127.0.0.1"}])},
    )
    hashed(client, "foreign-11", {"data": b"\x80\x04cos\nsystem\n."})
    hashed(client, "an id, with; all sorts", {"data": data(FUNCTION, "a/b")})
    hashed(client, b"\xff\xfe", {"data": data(FUNCTION, "a/b")})
    client.publish("rq:pubsub:all", "shutdown")
    client.set("rq:suspended", 1)
    return folder


def test_foreign_jobs_are_refused_and_shown_to_admins_and_the_arena_s_are_done(
    start: Start, client: Redis, store: Store, create: Create, poisoned: Path
) -> None:
    create(cycles=2, rated=True)
    log = poisoned.parent / "worker.log"
    with log.open("wb") as file:
        worker = start(stderr=file)
        wait_until(
            lambda: tournaments.listing(store)[0].state == "finished", "the tournament is over", within_s=60
        )
        wait_until(lambda: queue(client).count == 0, "all jobs were taken", within_s=20)
    assert list(poisoned.iterdir()) == [], "nothing was imported or called"
    assert worker.poll() is None
    text = log.read_text()
    assert text.count("a foreign job was refused") == 13
    assert "Traceback" not in text
    refused = [job for job in queue_status.failed(client) if job.refused]
    assert len(refused) == 13
    assert len(queue_status.failed(client)) == 13
    assert any("os.system" in job.work for job in refused)
    assert all(len(job.work) <= 201 and len(job.reason) <= 210 for job in refused)
    assert not queue_status.retry(client, refused[0].id)
    assert queue_status.forget(client, refused[0].id)
    assert len(queue_status.failed(client)) == 12


def test_jobs_that_another_release_queued_are_dropped_and_queued_anew(
    start: Start, client: Redis, store: Store, create: Create
) -> None:
    page = create(cycles=2, rated=True)
    outdated = [
        (f"block-{page.id}-0", data("workers.jobs.play_block", page.id, 0), BLOCKS),
        (f"block-{page.id}-1", data("arena.jobs_2.play_block", page.id, 1), BLOCKS),
        ("ratings-lost_cities-0123abcd", data("workers.jobs.refresh_ratings", "lost_cities"), RATINGS),
        ("chances-1-0-0", data("arena.jobs_1.compute_chances", 1, 0, 0), CHANCES),
    ]
    for job_id, fields, name in outdated:
        hashed(client, job_id, {"data": fields}, name)
    worker = start()
    wait_until(
        lambda: tournaments.listing(store)[0].state == "finished", "the tournament is over", within_s=60
    )
    wait_until(
        lambda: not any(queue(client, name).count for name in (RATINGS, BLOCKS, CHANCES)),
        "all jobs were taken",
        within_s=20,
    )
    assert worker.poll() is None
    assert queue_status.failed(client) == ()


@pytest.mark.parametrize(
    "function", ["workers.job_functions.play_next_block", "arena.jobs_9.play_next_block"]
)
def test_a_hint_that_the_reconciler_of_another_release_has_queued_is_played(
    start: Start, store: Store, client: Redis, create: Create, function: str
) -> None:
    page = create(cycles=1)
    assert leases.take(store, "reconciler", "of-another-release", 600)
    hashed(client, f"block-{page.id}-0", {"data": data(function)}, BLOCKS)
    start()
    wait_until(lambda: tournaments.listing(store)[0].matches_done == 2, "it is played", within_s=60)
    assert queue_status.failed(client) == ()
