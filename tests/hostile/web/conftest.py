"""A real web process with authors in its store, for those who would bring it down."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from arena.accounts import tokens
from arena.bot_registry import bots
from arena.storage import Store
from tests import decided_matches
from tests.parts.redis_server import running_redis
from tests.parts.web_process import WebProcess, web_process
from tests.stores import new_sqlite

if TYPE_CHECKING:
    from pathlib import Path

    from tests.parts.redis_server import RunningRedis


@dataclass(frozen=True)
class House:
    """What a web process is started on."""

    data: Path
    redis: RunningRedis
    store: Store

    def token(self, name: str) -> str:
        """Return a token of an author who is made for it."""
        return tokens.create(self.store, decided_matches.person(self.store, name), "test").token


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("data")
    with closing(Store.open(new_sqlite(data / "arena.db"))) as store, running_redis() as redis:
        bots.register_house(store, {"lost_cities": decided_matches.NAMES})
        yield House(data, redis, store)


@pytest.fixture(scope="module")
def web(house: House) -> Iterator[WebProcess]:
    with web_process(house.data, house.redis.url) as web:
        yield web


def connect(web: WebProcess, source: str = "127.0.0.1") -> socket.socket:
    """Open a connection from a loopback address; the web believes 127.0.0.1 alone to be a proxy."""
    return socket.create_connection(("127.0.0.1", web.port), timeout=30, source_address=(source, 0))
