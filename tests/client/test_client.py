"""The client where there is no arena, or something else; with one it is tested by `arena login`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from arena.client import ArenaUnreachable, RemoteArena, check_url
from arena.core.errors import UsageError
from tests.parts.arena_process import free_port

ANSWERS = {
    "text/html": b"<h1>It works</h1>",
    "application/json": b"not JSON at all",
    "application/problem+json": b'["no", "problem"]',
}


class SomethingElse(BaseHTTPRequestHandler):
    """A server that is no arena: what it answers with stands in the server."""

    def do_GET(self) -> None:
        kind = self.server.kind  # type: ignore[attr-defined]
        self.send_response(500 if "problem" in kind else 200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(ANSWERS[kind])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(params=ANSWERS)
def elsewhere(request: pytest.FixtureRequest) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), SomethingElse)
    server.kind = request.param  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_what_is_no_arena_is_said_to_be_none(elsewhere: str) -> None:
    with RemoteArena(elsewhere) as client, pytest.raises(ArenaUnreachable, match="as no arena does"):
        client.accounts.me()


def test_where_nothing_answers_is_named() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with (
        RemoteArena(url) as client,
        pytest.raises(ArenaUnreachable, match=f"arena {url}: .*see that it runs"),
    ):
        client.accounts.me()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "arena.example.org",
        "ftp://arena.example.org",
        "http://",
        "http://a:x",
        "http://a/?b",
        "http://u@a",
        "http://a b",
    ],
)
def test_url_that_cannot_be_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="must be the arena's address"):
        RemoteArena(url)


def test_url_is_written_in_one_way() -> None:
    assert check_url("HTTPS://Arena.Example.org/") == "https://arena.example.org"
    assert check_url("http://[::1]:8000/below/") == "http://[::1]:8000/below"


def test_roots_that_cannot_be_read_are_named() -> None:
    with pytest.raises(UsageError, match=r"root certificates nowhere\.pem: "):
        RemoteArena("https://a", roots="nowhere.pem")
