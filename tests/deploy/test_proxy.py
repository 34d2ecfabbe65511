"""The proxy's configuration of `deploy/proxy`, in the real nginx before a real web process."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from arena.accounts import tokens, users
from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.client import ArenaClient, Refused
from arena.core import child_process
from arena.storage import Store
from tests import scenarios
from tests.arena import create, free_port
from tests.bundle_format.uploads import project
from tests.certificates import issue
from tests.parts import running_redis, wait_until
from tests.serving import web_process
from tests.stores import new_sqlite

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
CONFIGURATION = Path(__file__).parents[2] / "deploy" / "proxy" / "nginx.conf"
PASSWORD = "three or four words"

if NGINX is None:
    pytest.skip("nginx is missing", allow_module_level=True)


@dataclass(frozen=True)
class Proxied:
    """An arena as others reach it."""

    port: int
    plain_port: int
    web_url: str
    ca: Path
    store: Store

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    @property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.ca)

    def get(self, path: str, **more: object) -> httpx.Response:
        return httpx.get(f"{self.url}{path}", verify=self.context, timeout=30, **more)  # type: ignore[arg-type]

    def connect(self) -> ssl.SSLSocket:
        """Open a connection over TLS, with HTTP/1.1."""
        plain = socket.create_connection(("localhost", self.port), timeout=60)
        return self.context.wrap_socket(plain, server_hostname="localhost")

    def token(self, name: str) -> str:
        return tokens.create(self.store, scenarios.person(self.store, name), "test").token


def configuration(folder: Path, web_port: int, ports: tuple[int, int]) -> str:
    """Write what nginx runs with: that very file, with other ports, names and certificates."""
    files = issue(folder)
    site = CONFIGURATION.read_text()
    port, plain_port = ports
    changes = {
        "127.0.0.1:8000": f"127.0.0.1:{web_port}",
        "    listen 80;\n    listen [::]:80;": f"    listen 127.0.0.1:{plain_port};",
        "    listen 443 ssl http2;\n    listen [::]:443 ssl http2;": f"    listen 127.0.0.1:{port} ssl http2;",
        "server_name arena.example.org;": "server_name localhost;",
        "/etc/letsencrypt/live/arena.example.org/fullchain.pem": str(files.certificate),
        "/etc/letsencrypt/live/arena.example.org/privkey.pem": str(files.key),
    }
    for before, after in changes.items():
        assert before in site
        site = site.replace(before, after)
    (folder / "site.conf").write_text(site)
    temporary = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = folder / "nginx.conf"
    main.write_text(
        f"{'user root;' if os.geteuid() == 0 else ''}\ndaemon off;\nworker_processes 1;\npid {folder}/pid;\n"
        f"error_log {folder}/error.log;\nevents {{ worker_connections 1024; }}\n"
        f"http {{\n    access_log off;\n{temporary}    include {folder}/site.conf;\n}}\n"
    )
    return str(main)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    assert NGINX is not None
    data, folder = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("nginx")
    with (
        closing(Store.open(new_sqlite(data / "arena.db"))) as store,
        running_redis() as redis,
        web_process(data, redis.url, ARENA_SUBMISSIONS_PER_DAY="1") as web,
    ):
        bots.register_house(store, {"lost_cities": scenarios.NAMES})
        users.create(store, OPERATOR, "ada", "author", PASSWORD)
        create(store, cycles=1)
        ports = free_port(), free_port()
        main = configuration(folder, web.port, ports)
        nginx = subprocess.Popen([NGINX, "-e", f"{folder}/error.log", "-c", main])
        found = Proxied(*ports, web.url, folder / "server-ca.pem", store)

        def serves() -> bool:
            assert nginx.poll() is None, (folder / "error.log").read_text()
            with closing(socket.socket()) as probe:
                return probe.connect_ex(("127.0.0.1", found.port)) == 0

        try:
            wait_until(serves, "nginx serves", within_s=30)
            yield found
        finally:
            child_process.stop(nginx, grace_s=5.0)


def test_pages_and_the_api_are_served_and_https_is_said_to_stay(proxied: Proxied) -> None:
    for path in ("/", "/tournaments", "/api/v1/games", "/static/nothing.css"):
        answer = proxied.get(path)
        assert answer.status_code == (404 if "nothing" in path else 200)
        assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_plain_http_is_sent_on_to_https(proxied: Proxied) -> None:
    answer = httpx.get(f"http://localhost:{proxied.plain_port}/games?x=1")
    assert (answer.status_code, answer.headers["location"]) == (308, "https://localhost/games?x=1")


def test_http_2_is_spoken(proxied: Proxied) -> None:
    context = proxied.context
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("localhost", proxied.port), timeout=30) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as line,
    ):
        assert line.selected_alpn_protocol() == "h2"
        assert line.version() in {"TLSv1.2", "TLSv1.3"}


def test_browser_signs_in_with_a_cookie_of_this_host_alone(proxied: Proxied) -> None:
    with httpx.Client(base_url=proxied.url, verify=proxied.context, timeout=30) as browser:
        sent = {"name": "ada", "password": PASSWORD}
        origin = {"Origin": proxied.url}
        assert browser.post("/sign-in", data=sent, headers=origin).status_code == 303
        assert set(browser.cookies) == {"__Host-arena_session", "__Host-arena_device"}
        assert browser.get("/api/v1/me").json()["name"] == "ada"
        wrong = browser.post("/sign-in", data=sent, headers={"Origin": "https://evil.example"})
        assert wrong.status_code == 403


def test_strangers_learn_no_details_of_health_through_the_proxy(proxied: Proxied) -> None:
    for headers in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"X-Real-IP": "127.0.0.1"}):
        assert proxied.get("/health", headers=headers).json() == {"status": "ok"}
    assert httpx.get(f"{proxied.web_url}/health").json()["store"] == "ok"


def test_address_of_a_client_is_not_what_it_says_itself(proxied: Proxied) -> None:
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


def test_events_come_as_they_happen(proxied: Proxied) -> None:
    with (
        httpx.Client(verify=proxied.context, timeout=30) as client,
        client.stream("GET", f"{proxied.url}/api/v1/tournaments/1/events") as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        first = next(line for line in answer.iter_lines() if line.startswith("event:"))
        assert first == "event: progress"


def test_upload_is_taken_and_one_beyond_the_quota_is_refused_before_it_is_sent(proxied: Proxied) -> None:
    token, ca = proxied.token("alice"), str(proxied.ca)
    large = project(**{"large.bin": os.urandom(5 << 20)})
    with ArenaClient(proxied.url, token, roots=ca) as client:
        assert client.submit_bot(large, filename="mine.zip")[0]["state"] == "waiting"
    with closing(proxied.connect()) as line:
        head = (
            "POST /api/v1/bots/uploads?filename=mine.zip HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {token}\r\nContent-Length: {len(large)}\r\n\r\n"
        )
        line.sendall(head.encode() + large[:1000])
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 429")
    with ArenaClient(proxied.url, token, roots=ca) as client, pytest.raises(Refused) as caught:
        client.submit_bot(large, filename="mine.zip")
    assert (caught.value.status, caught.value.code) == (429, "quota_exhausted")


def test_body_that_is_too_large_for_its_route_is_refused(proxied: Proxied) -> None:
    answer = httpx.post(
        f"{proxied.url}/api/v1/login", content=bytes(300_000), verify=proxied.context, timeout=30
    )
    assert answer.status_code == 413


def test_heads_that_come_slowly_are_hung_up_on_and_keep_nobody_out(proxied: Proxied) -> None:
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


def test_too_many_requests_of_one_client_are_answered_429(proxied: Proxied) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(proxied.connect())) for _ in range(300)]
        for line in lines:
            line.sendall(b"GET /games HTTP/1.1\r\nHost: localhost\r\n\r\n")
        statuses = [int(line.recv(12).split()[1]) for line in lines]
    assert statuses.count(200) >= 50
    assert statuses.count(429) >= 100
    wait_until(lambda: proxied.get("/games").status_code == 200, "the client is served again")
