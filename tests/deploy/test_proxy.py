"""The proxies' configurations of `deploy/proxy`, in the real nginx and the real Caddy before two real web processes."""

from __future__ import annotations

import os
import re
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any, cast

import httpx
import pytest
from redis import Redis

from arena.accounts import tokens, users
from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.client import Refused, RemoteArena
from arena.storage import Store
from tests import decided_matches
from tests.bundle_format.uploads import TOML, project
from tests.deploy import proxies
from tests.deploy.proxies import Proxy
from tests.parts.arena_process import create
from tests.parts.redis_server import running_redis
from tests.parts.web_process import WebProcess, web_process
from tests.patience import wait_until
from tests.stores import new_sqlite

PROXIES = {"nginx": proxies.nginx, "caddy": proxies.caddy}
NGINX_ONLY = pytest.mark.parametrize("kind", ["nginx"], indirect=True)
"""What Caddy as Debian ships it cannot do, which its configuration says."""
PASSWORD = "three or four words"


@dataclass(frozen=True)
class Arena:
    """Two web processes of one store."""

    webs: tuple[WebProcess, WebProcess]
    store: Store
    redis_url: str

    def token(self, name: str) -> str:
        return tokens.create(self.store, decided_matches.person(self.store, name), "test").token


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    data = tmp_path_factory.mktemp("data")
    with (
        closing(Store.open(new_sqlite(data / "arena.db"))) as store,
        running_redis() as redis,
        web_process(data, redis.url, ARENA_SUBMISSIONS_PER_DAY="1") as first,
        web_process(data, redis.url, ARENA_SUBMISSIONS_PER_DAY="1") as second,
    ):
        bots.register_house(store, {"lost_cities": decided_matches.NAMES})
        users.create(store, OPERATOR, "ada", "author", PASSWORD)
        create(store, cycles=1)
        yield Arena((first, second), store, redis.url)


@pytest.fixture(scope="module", params=PROXIES)
def kind(request: pytest.FixtureRequest) -> str:
    if not proxies.find(request.param):
        pytest.skip(f"{request.param} is missing")
    return str(request.param)


@pytest.fixture(scope="module")
def proxied(arena: Arena, kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with closing(Redis.from_url(arena.redis_url)) as redis:
        redis.flushall()  # the logins through the other proxy came from the same address
    with PROXIES[kind](tmp_path_factory.mktemp(kind), [web.port for web in arena.webs]) as proxy:
        yield proxy


def test_pages_and_the_api_are_served_and_https_is_said_to_stay(proxied: Proxy) -> None:
    for path in ("/", "/tournaments", "/api/v1/games", "/static/nothing.css"):
        answer = proxied.get(path)
        assert answer.status_code == (404 if "nothing" in path else 200)
        assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_plain_http_is_sent_on_to_https(proxied: Proxy) -> None:
    answer = httpx.get(f"http://localhost:{proxied.plain_port}/games?x=1")
    assert answer.status_code == 308
    assert answer.headers["location"] in {"https://localhost/games?x=1", f"{proxied.url}/games?x=1"}


def test_http_2_is_spoken(proxied: Proxy) -> None:
    context = proxied.context
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("localhost", proxied.port), timeout=30) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as line,
    ):
        assert line.selected_alpn_protocol() == "h2"
        assert line.version() in {"TLSv1.2", "TLSv1.3"}


def test_browser_signs_in_with_a_cookie_of_this_host_alone(proxied: Proxy) -> None:
    with httpx.Client(base_url=proxied.url, verify=proxied.context, timeout=30) as browser:
        sent = {"name": "ada", "password": PASSWORD}
        origin = {"Origin": proxied.url}
        assert browser.post("/sign-in", data=sent, headers=origin).status_code == 303
        assert set(browser.cookies) == {"__Host-arena_session", "__Host-arena_device"}
        assert browser.get("/api/v1/me").json()["name"] == "ada"
        wrong = browser.post("/sign-in", data=sent, headers={"Origin": "https://evil.example"})
        assert wrong.status_code == 403


def test_strangers_learn_no_details_of_health_through_the_proxy(proxied: Proxy, arena: Arena) -> None:
    for headers in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"X-Real-IP": "127.0.0.1"}):
        assert proxied.get("/health", headers=headers).json() == {"status": "ok"}
    assert httpx.get(f"{arena.webs[0].url}/health").json()["store"] == "ok"


def test_id_of_a_request_is_not_what_the_client_says(proxied: Proxy) -> None:
    made_up = "0" * 31 + "1"
    given = proxied.get("/games", headers={"X-Request-ID": made_up}).headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", given)
    assert given != made_up


def test_address_of_a_client_is_not_what_it_says_itself(proxied: Proxy) -> None:
    """Ten wrong passwords under made-up addresses are those of one address."""
    sent = {"name": "nobody", "password": "wrong words here"}
    statuses = [
        httpx.post(
            f"{proxied.url}/api/v1/login",
            json=sent,
            headers={"X-Forwarded-For": f"203.0.113.{number}"},
            verify=proxied.context,
            timeout=60,
        ).status_code
        for number in range(11)
    ]
    assert statuses == [401] * 10 + [429]


def test_events_come_as_they_happen(proxied: Proxy) -> None:
    with (
        httpx.Client(verify=proxied.context, timeout=30) as client,
        client.stream("GET", f"{proxied.url}/api/v1/tournaments/1/events") as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        first = next(line for line in answer.iter_lines() if line.startswith("event:"))
        assert first == "event: progress"


def test_upload_is_taken_and_one_beyond_the_quota_is_refused(proxied: Proxy, arena: Arena, kind: str) -> None:
    token, ca = arena.token(f"alice-{kind}"), str(proxied.ca)
    large = project(
        TOML.replace("mine", f"mine-{kind}", 1), **cast("Any", {"large.bin": os.urandom(5 << 20)})
    )
    with RemoteArena(proxied.url, token, roots=ca) as client:
        assert client.bots.submit(large, filename="mine.zip")[0].state == "waiting"
        with pytest.raises(Refused) as caught:
            client.bots.submit(large, filename="mine.zip")
    assert (caught.value.status, caught.value.code) == (429, "quota_exhausted")


@NGINX_ONLY
def test_upload_beyond_the_quota_is_refused_before_it_is_sent(proxied: Proxy, arena: Arena) -> None:
    token = arena.token("bob")
    small = project(TOML.replace("mine", "small", 1))
    with RemoteArena(proxied.url, token, roots=str(proxied.ca)) as client:
        client.bots.submit(small, filename="mine.zip")
    with closing(proxied.connect()) as line:
        head = (
            "POST /api/v1/bots/uploads?filename=mine.zip HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {token}\r\nContent-Length: 5000000\r\n\r\n"
        )
        line.sendall(head.encode() + small)
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 429")


def test_body_that_is_too_large_for_its_route_is_refused(proxied: Proxy) -> None:
    answer = httpx.post(
        f"{proxied.url}/api/v1/login", content=bytes(300_000), verify=proxied.context, timeout=30
    )
    assert answer.status_code == 413


def test_heads_that_come_slowly_are_hung_up_on_and_keep_nobody_out(proxied: Proxy) -> None:
    lines = [proxied.connect() for _ in range(50)]
    began = time.monotonic()
    try:
        for line in lines:
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
            line.settimeout(0)
        assert proxied.get("/games").status_code == 200
        open_lines = set(lines)

        def all_closed() -> bool:
            for line in list(open_lines):
                try:
                    line.sendall(b"y")
                    if line.recv(1 << 16) == b"":
                        open_lines.discard(line)
                except ssl.SSLWantReadError:
                    pass
                except OSError:
                    open_lines.discard(line)
            return not open_lines

        wait_until(all_closed, "all are hung up on", within_s=40)
        assert time.monotonic() - began > 5, "not for their slowness"
    finally:
        for line in lines:
            line.close()


def test_web_processes_take_turns_but_one_client_plays_at_tables_of_a_single_one(
    proxied: Proxy, arena: Arena
) -> None:
    answered = {proxied.who_answers("/games") for _ in range(10)}
    assert answered == {f"127.0.0.1:{web.port}" for web in arena.webs}
    for path in ("/play", "/api/v1/play", "/play/nothing"):
        assert len({proxied.who_answers(path) for _ in range(10)}) == 1, path


@NGINX_ONLY
def test_too_many_requests_of_one_client_are_answered_429(proxied: Proxy) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(proxied.connect())) for _ in range(220)]
        for line in lines:
            line.sendall(b"GET /games HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answers = [line.recv(12) for line in lines]
    assert answers.count(b"HTTP/1.1 200") >= 50
    assert answers.count(b"HTTP/1.1 429") >= 40
    wait_until(lambda: proxied.get("/games").status_code == 200, "the client is served again")
