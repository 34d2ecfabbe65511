"""The client has a method for each operation of the API, and asks for just that operation with it."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.client import ArenaClient, Refused
from arena.match.record import from_json
from arena.match.verification import verify
from arena.messaging.redis_connection import connect, connect_async
from arena.web.app import create_app
from arena.web.server.web_address import listen
from tests import random_tournaments
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until
from tests.web.access import ACCESS
from tests.web.conftest import opened, redis_server
from tests.web.named_users import PASSWORD, House, furnished

ROOT = Path(__file__).parent.parent.parent
__all__ = ["furnished", "redis_server"]

DOCS = ROOT / "docs" / "api.md"


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


def test_a_record_comes_as_dictionaries_and_lists_or_as_its_bytes(arena: tuple[FastAPI, str, str]) -> None:
    with ArenaClient(arena[1]) as client:
        record = client.show_record(1, 0, 0)
        data = client.download_record(1, 0, 0)
    assert sorted(record["result"]["places"]) == [1, 2]
    assert json.loads(data) == record
    assert verify(from_json(data.decode())) is None


def test_who_signs_in_by_password_is_signed_in_until_he_signs_out(arena: tuple[FastAPI, str, str]) -> None:
    with ArenaClient(arena[1]) as client:
        with pytest.raises(Refused, match="token: is missing") as refused:
            client.me()
        assert (refused.value.status, refused.value.code) == (401, "not_signed_in")
        assert client.login("olga", PASSWORD)["role"] == "organiser"
        made = client.create_token("laptop", scopes=["read"])
        assert [row["id"] for row in client.list_tokens()] == [made["id"]]
        client.logout()
        with pytest.raises(Refused):
            client.me()


def test_a_stream_is_read_to_its_end(arena: tuple[FastAPI, str, str]) -> None:
    with ArenaClient(arena[1]) as client:
        events = list(client.follow_tournament(1))
        assert [event.name for event in events] == ["progress", "end"]
        assert events[0].data["state"] == "finished"
        with pytest.raises(Refused, match="tournament 99"):
            list(client.follow_tournament(99))


def test_the_example_of_the_docs_runs(
    arena: tuple[FastAPI, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = DOCS.read_text().partition("```python\n")[2].partition("```")[0]
    exec(compile(text, str(DOCS), "exec"), {"URL": arena[1], "TOKEN": arena[2]})  # noqa: S102 - our own page
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("4")
    assert len(said) == 3
