"""An app that is served, for clients of its API."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.messaging.redis_connection import connect, connect_async
from arena.web.app import create_app
from arena.web.server.web_address import listen
from tests import random_tournaments
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until
from tests.web.access import ACCESS
from tests.web.conftest import opened, redis_server
from tests.web.named_users import House, furnished

__all__ = ["furnished", "redis_server"]


class Noting:
    """ASGI middleware that notes each request's operation."""

    asked: list[str] = []  # noqa: RUF012 - one app, one list

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)
        if scope["type"] == "http" and "route" in scope:
            self.asked.append(scope["route"].name)


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    import uvicorn

    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        wait_until(lambda: server.started, "the web serves")
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="module")
def arena(
    tmp_path_factory: pytest.TempPathFactory, furnished: Path, redis_server: RunningRedis
) -> Iterator[tuple[FastAPI, str, str]]:
    """An app, its address, and a token of its admin; the first tournament is over."""
    folder = tmp_path_factory.mktemp("client")
    shutil.copytree(furnished, folder, dirs_exist_ok=True)
    with connect(redis_server.url) as client:
        client.flushdb()
    with opened(folder) as store:
        random_tournaments.play(
            store, random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious").id
        )
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        app.user_middleware.append(Middleware(Noting))  # the innermost: others hand on a scope of their own
        with serving(app) as url:
            yield app, url, House(store, redis_server).token("root")
