"""A part announces itself as long as it runs, with what is wrong with its set-up."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from redis import Redis

from arena.messaging import part_presence
from arena.messaging.part_presence import RunningPart
from arena.messaging.redis_connection import connect, connect_quickly
from arena.operations.part_announcer import PartAnnouncer
from tests.parts.redis_server import running_redis
from tests.patience import wait_until

HERE = RunningPart("web", "here-1", 5)


@pytest.fixture(scope="module")
def client() -> Iterator[Redis]:
    with running_redis() as server, connect(server.url) as client:
        yield client


def _warnings(client: Redis) -> list[tuple[str, ...]]:
    return [part.warnings for part in part_presence.listing(client)]


def test_a_part_is_announced_with_its_warnings_until_it_is_closed(client: Redis) -> None:
    announcer = PartAnnouncer(client, HERE, lambda: ("the clock is wrong",))
    announcer.start()
    wait_until(lambda: _warnings(client) == [("the clock is wrong",)], "the announcement")
    announcer.close()
    assert part_presence.listing(client) == ()


def test_a_part_whose_warnings_cannot_be_found_is_announced(
    client: Redis, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.operations.part_announcer.EVERY_S", 0.05)

    def examine() -> tuple[str, ...]:
        raise ValueError("a library's own error")

    announcer = PartAnnouncer(client, HERE, examine)
    announcer.start()
    wait_until(lambda: "looking for warnings failed" in caplog.text, "the error is logged")
    client.flushall()
    wait_until(lambda: _warnings(client) == [()], "the announcement is repeated")
    announcer.close()


def test_a_warning_is_logged_once(client: Redis, caplog: pytest.LogCaptureFixture) -> None:
    announcer = PartAnnouncer(client, HERE, lambda: ("the clock is wrong",))
    with caplog.at_level(logging.WARNING):
        announcer._look()
        announcer._look()
    assert [record.getMessage() for record in caplog.records] == ["the clock is wrong"]


def test_a_part_runs_on_while_redis_is_away() -> None:
    looked = []

    def examine() -> tuple[str, ...]:
        looked.append(1)
        return ()

    announcer = PartAnnouncer(connect_quickly("redis://127.0.0.1:1/0"), HERE, examine)
    announcer.start()
    wait_until(lambda: looked, "a look at the set-up")
    announcer.close()
    assert len(looked) == 1
