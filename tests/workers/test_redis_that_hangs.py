"""A Redis that hangs, or is gone, while matches are played: play goes on; with real parts."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis

from arena.messaging.redis_connection import connect_quickly
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from tests.parts.redis_server import RunningRedis, running_redis
from tests.patience import wait_until
from tests.workers.conftest import Start
from workers.redis_courier import Courier

Create = Callable[..., TournamentPage]

HUNG_S = 15.0


def done(store: Store) -> int:
    return tournaments.listing(store)[0].matches_done


def is_over(store: Store) -> bool:
    return tournaments.listing(store)[0].state == "finished"


def played_in(store: Store, seconds: float) -> int:
    before, until = done(store), time.monotonic() + seconds
    wait_until(
        lambda: time.monotonic() >= until or is_over(store), "some time has passed", within_s=seconds + 5
    )
    return done(store) - before


@pytest.mark.long
def test_results_are_stored_at_about_the_usual_pace_while_redis_hangs(
    start: Start, store: Store, server: RunningRedis, create: Create, tmp_path: Path
) -> None:
    create(cycles=3000)
    log = tmp_path / "worker.log"
    with log.open("wb") as file:
        start(stderr=file)
        wait_until(lambda: done(store), "it plays", within_s=60)
        usual = played_in(store, HUNG_S)
        server.process.send_signal(signal.SIGSTOP)
        try:
            meanwhile = played_in(store, HUNG_S)
        finally:
            server.process.send_signal(signal.SIGCONT)
        wait_until(lambda: "Redis is there again" in log.read_text(), "it has noticed", within_s=20)
        afterwards = played_in(store, HUNG_S)
    assert meanwhile > min(usual, afterwards) / 2
    text = log.read_text()
    assert text.count("redis_courier: Redis is away") + text.count("outage_log: Redis is away") == 1
    assert "messages to it were dropped" in text
    assert "Traceback" not in text


@pytest.fixture
def hanging() -> Iterator[RunningRedis]:
    """A Redis of the test's own."""
    with running_redis() as server:
        yield server
        server.process.send_signal(signal.SIGCONT)


def test_message_that_fails_is_logged_and_the_next_one_sent(
    hanging: RunningRedis, caplog: pytest.LogCaptureFixture
) -> None:
    courier = Courier(connect_quickly(hanging.url))
    courier.start()
    courier.post(lambda client: client.get("key").nothing)  # type: ignore[union-attr]
    courier.post(lambda client: client.set("other", "sent"))
    with Redis.from_url(hanging.url) as client:
        wait_until(lambda: client.get("other") == b"sent", "the next message has been sent")
    courier.close()
    assert "a message to Redis failed" in caplog.text


def test_whoever_posts_to_a_redis_that_hangs_waits_for_nothing(hanging: RunningRedis) -> None:
    courier = Courier(connect_quickly(hanging.url))
    courier.start()
    hanging.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    for number in range(5000):
        courier.post(lambda client: client.set("key", number))  # noqa: B023 - the last one is as good
    assert time.monotonic() - began < 2
    wait_until(lambda: courier.away, "it has noticed")
    hanging.process.send_signal(signal.SIGCONT)
    courier.post(lambda client: client.set("key", "there"))

    def arrives() -> bool:
        courier.post(lambda client: client.set("key", "there"))
        with Redis.from_url(hanging.url) as client:
            return client.get("key") == b"there"

    wait_until(arrives, "it is tried again")
    wait_until(lambda: not courier.away, "it has noticed that too")
    courier.close()
