"""Bodies that come slowly: senders below the least pace are hung up on."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from tests.web.named_users import House, furnished, house
from tests.web.served_app import served
from tests.web.server.test_open_connections import LIMITS, Web, is_hung_up_on, read_all

__all__ = ["furnished", "house"]

SLOW = replace(LIMITS, body_grace_s=0.5, min_body_pace=4000)


def head(path: str, length: int, *headers: str) -> bytes:
    lines = (f"POST {path} HTTP/1.1", "Host: test", f"Content-Length: {length}", *headers, "", "")
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize(
    "path", ["/api/v1/login", "/sign-in", "/api/v1/bots/uploads?filename=a.py", "/submit"]
)
def test_body_that_stops_is_answered_408_and_hung_up_on(house: House, path: str) -> None:
    with served(house.store, house.redis, limits=SLOW) as origin, Web(origin).connect() as line:
        cookie = f"arena_session={house.cookie('ada')}"
        kind = "application/json" if "login" in path else "application/x-www-form-urlencoded"
        bearer = f"Authorization: Bearer {house.token('ada')}" if "uploads" in path else f"Cookie: {cookie}"
        line.sendall(head(path, 1000, f"Content-Type: {kind}", bearer) + b"name=")
        assert read_all(line).startswith(b"HTTP/1.1 408 ")


def test_sender_below_the_pace_is_hung_up_on_though_something_always_comes(house: House) -> None:
    with served(house.store, house.redis, limits=SLOW) as origin, Web(origin).connect() as line:
        bearer = f"Authorization: Bearer {house.token('ada')}"
        line.sendall(head("/api/v1/bots/uploads?filename=a.py", 1_000_000, bearer))
        assert is_hung_up_on(line, b"#" * 20)


def test_sender_above_the_pace_is_taken_however_long_that_takes(house: House) -> None:
    source = b"#" * 10_000
    with served(house.store, house.redis, limits=SLOW) as origin, Web(origin).connect() as line:
        bearer = f"Authorization: Bearer {house.token('ada')}"
        line.sendall(head("/api/v1/bots/uploads?filename=mine.py&game=lost_cities", len(source), bearer))
        for start in range(0, len(source), 1000):
            line.sendall(source[start : start + 1000])
            time.sleep(0.1)
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 201")
