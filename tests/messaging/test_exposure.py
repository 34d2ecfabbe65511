"""A Redis elsewhere should speak TLS and ask for a password; one that does not is warned of."""

from __future__ import annotations

import pytest

from arena.messaging.redis_connection import why_exposed


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
        ("redis://cache:6379/0", "not encrypted and without a password"),
        ("redis://:secret@cache:6379/0", "and not encrypted,"),
        ("rediss://cache:6379/0", "and has no password,"),
    ],
)
def test_what_a_redis_elsewhere_lacks_is_named(url: str, lacks: str) -> None:
    assert lacks in why_exposed(url)
    assert "secret" not in why_exposed(url)
