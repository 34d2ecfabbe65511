"""Bulk downloads: few at once, in all and from one address."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from arena.web.http.web_limits import Limits
from tests.web.access import ACCESS

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import Message

    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

ONE_EACH = replace(Limits(), max_downloads_per_address=1)
ONE_IN_ALL = replace(Limits(), max_downloads=1)
GAME = "/api/v1/games/lost_cities/records"


class Download:
    """A download by a client that takes nothing beyond the head of the answer until it is let."""

    def __init__(self, app: FastAPI, path: str, client: str, *, question: bytes = b"") -> None:
        self.began = asyncio.Event()
        self._let = asyncio.Event()
        self._asked = False
        self._head: Message = {}
        self._size = 0
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": question,
            "headers": [(b"host", b"test")],
            "client": (client, 4000),
            "server": ("test", 80),
            "scheme": "http",
            "http_version": "1.1",
        }
        self._task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> Message:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await asyncio.Event().wait()  # it never leaves
        raise AssertionError

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._head = message
            self.began.set()
        else:
            await self._let.wait()
            self._size += len(message["body"])

    async def status(self) -> int:
        await asyncio.wait_for(self.began.wait(), 20)
        return int(self._head["status"])

    def header(self, name: str) -> str | None:
        return {key.decode(): value.decode() for key, value in self._head["headers"]}.get(name)

    async def end(self) -> int:
        """Take the rest; its bytes."""
        self._let.set()
        await self._task
        return self._size


def app_of(cast: Cast, redis: RunningRedis, limits: Limits) -> FastAPI:
    return create_app(cast.store, connect_async(redis.url), ACCESS, limits=limits)


def test_second_download_of_one_address_is_told_when_to_come_again(
    cast: Cast, redis_server: RunningRedis
) -> None:
    async def run() -> None:
        app = app_of(cast, redis_server, ONE_EACH)
        first = Download(app, GAME, "192.0.2.1")
        assert await first.status() == 200
        for address in (GAME, f"/api/v1/tournaments/{cast.finished}/records"):
            second = Download(app, address, "192.0.2.1")
            assert await second.status() == 429
            assert second.header("retry-after") == "10"
            await second.end()
        assert await first.end() > 0

    asyncio.run(run())


def test_download_of_another_address_is_not_kept_out(cast: Cast, redis_server: RunningRedis) -> None:
    async def run() -> None:
        app = app_of(cast, redis_server, ONE_EACH)
        downloads = [Download(app, GAME, f"192.0.2.{number}") for number in range(1, 4)]
        assert [await each.status() for each in downloads] == [200, 200, 200]
        for each in downloads:
            await each.end()

    asyncio.run(run())


def test_downloads_of_all_addresses_together_are_bounded(cast: Cast, redis_server: RunningRedis) -> None:
    async def run() -> None:
        app = app_of(cast, redis_server, ONE_IN_ALL)
        first = Download(app, GAME, "192.0.2.1")
        assert await first.status() == 200
        second = Download(app, GAME, "192.0.2.2")
        assert (await second.status(), second.header("retry-after")) == (503, "10")
        await second.end()
        await first.end()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (GAME, 200),
        ("/api/v1/tournaments/99/records", 404),
    ],
)
def test_place_of_a_download_that_is_over_is_free(
    cast: Cast, redis_server: RunningRedis, path: str, status: int
) -> None:
    async def run() -> list[int]:
        app = app_of(cast, redis_server, ONE_IN_ALL)
        found = []
        for _ in range(2):
            download = Download(app, path, "192.0.2.1")
            found.append(await download.status())
            await download.end()
        return found

    assert asyncio.run(run()) == [status, status]


def test_archive_takes_a_place(cast: Cast, redis_server: RunningRedis) -> None:
    async def run() -> None:
        app = app_of(cast, redis_server, ONE_EACH)
        first = Download(app, GAME, "192.0.2.1")
        assert await first.status() == 200
        second = Download(
            app, f"/api/v1/tournaments/{cast.finished}/export", "192.0.2.1", question=b"format=zip"
        )
        assert await second.status() == 429
        await second.end()
        await first.end()

    asyncio.run(run())
