"""A Redis elsewhere should speak TLS and ask for a password; one that does not is warned of."""

from __future__ import annotations

import logging

import pytest

from arena.messaging.redis_connection import connect_async, why_exposed


@pytest.mark.parametrize(
    "url",
    [
        "unix:///run/redis.sock",
        "redis://127.0.0.1:6379/0",
        "redis://localhost/0",
        "redis://[::1]:6379",
        "rediss://arena:secret@cache:6379/0",
        "rediss://cache:6379/0?password=secret",
    ],
)
def test_a_redis_here_and_a_safe_one_are_not_warned_of(url: str) -> None:
    assert why_exposed(url) == ""


@pytest.mark.parametrize(
    ("url", "lacks"),
    [
        ("redis://cache:6379/0", "no TLS (rediss://) and no password"),
        ("redis://:secret@cache:6379/0", "no TLS (rediss://)"),
        ("rediss://cache:6379/0", "no password"),
    ],
)
def test_what_a_redis_elsewhere_lacks_is_named(url: str, lacks: str) -> None:
    assert f"has {lacks}: who reaches it" in why_exposed(url)
    assert "secret" not in why_exposed(url)


def test_it_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        connect_async("redis://elsewhere.example:6379/0")
        connect_async("redis://elsewhere.example:6379/0")
    assert len(caplog.records) == 1
