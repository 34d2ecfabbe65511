"""The Host of requests: exactly one, and the site's own where that is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from arena.core.errors import UsageError
from arena.core.settings import read
from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from tests.web.access import ACCESS
from tests.web.served_app import served
from tests.web.server.test_open_connections import Web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

STRANGER = "203.0.113.7"
SITE = frozenset({"arena.example.org", "www.example.org"})


@pytest.fixture(scope="module")
def origin(cast: Cast, redis_server: RunningRedis) -> Iterator[str]:
    with served(cast.store, redis_server) as found:
        yield found


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: test\r\n", 200),
        (b"GET / HTTP/1.1\r\nHost: [2001:db8::1]:8000\r\n", 200),
        (b"GET / HTTP/1.0\r\n", 200),
        (b"GET / HTTP/1.1\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: test\r\nHost: test\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: test\r\nhost: other\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost:\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: me@test\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: test/path\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a, b\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: test:80:80\r\n", 400),
    ],
)
def test_request_without_exactly_one_host_is_refused(origin: str, head: bytes, status: int) -> None:
    with Web(origin).connect() as line:
        line.sendall(head + b"\r\n")
        answer = line.recv(1 << 16)
    assert int(answer.split()[1]) == status
    assert b"x-content-type-options: nosniff" in answer.lower()


def ask(cast: Cast, redis: RunningRedis, host: str, path: str = "/", client: str = STRANGER) -> int:
    app = create_app(cast.store, connect_async(redis.url), ACCESS, hosts=SITE)
    with TestClient(app, client=(client, 5000)) as asking:
        return asking.get(path, headers={"Host": host}).status_code


@pytest.mark.parametrize("host", ["arena.example.org", "Arena.Example.org:443", "www.example.org"])
def test_site_is_answered_under_its_own_names(cast: Cast, redis_server: RunningRedis, host: str) -> None:
    assert ask(cast, redis_server, host) == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "arena.example.org.evil.example", "203.0.113.1", "localhost"]
)
def test_site_that_is_named_is_not_answered_under_other_names(
    cast: Cast, redis_server: RunningRedis, host: str
) -> None:
    assert ask(cast, redis_server, host) == 421
    assert ask(cast, redis_server, host, "/api/v1/games") == 421


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_probes_are_answered_under_any_name(cast: Cast, redis_server: RunningRedis, path: str) -> None:
    assert ask(cast, redis_server, "10.0.0.7:8000", path) != 421


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_this_machine_may_use_its_own_names(cast: Cast, redis_server: RunningRedis, host: str) -> None:
    assert ask(cast, redis_server, host, client="127.0.0.1") == 200


@pytest.mark.parametrize("wrong", ["https://arena.example.org", "arena.example.org:443", "a b", "a/b"])
def test_site_that_is_no_host_name_is_refused(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(UsageError, match="ARENA_SITE"):
        read(data=tmp_path, site=wrong)
    assert read(data=tmp_path, site="Arena.example.org, www.example.org").hosts == SITE
