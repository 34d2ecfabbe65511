"""Which proxies are believed: by address, by network, and by a name whose address may change."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from arena.web.http import reverse_proxies
from arena.web.http.reverse_proxies import TrustedProxies
from tests.web.access import ACCESS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

ADDRESSES = {"proxy": ["10.89.0.7", "fd00::7"]}


def look_up(name: str) -> Sequence[str]:
    if name not in ADDRESSES:
        raise OSError(f"{name}: is unknown")
    return ADDRESSES[name]


@pytest.mark.parametrize(
    ("text", "believed"),
    [
        ("", []),
        ("*", ["10.89.0.7", "10.89.0.8", "fd00::7", "192.0.2.1", "proxy", "nowhere"]),
        ("192.0.2.1", ["192.0.2.1"]),
        ("10.89.0.0/16, 192.0.2.1", ["10.89.0.7", "10.89.0.8", "192.0.2.1"]),
        ("proxy", ["10.89.0.7", "fd00::7"]),
        ("proxy,192.0.2.1", ["10.89.0.7", "fd00::7", "192.0.2.1"]),
        ("nowhere", []),
    ],
)
def test_proxies_are_named_by_address_network_or_name(text: str, believed: list[str]) -> None:
    proxies = TrustedProxies(text, look_up)
    hosts = ["10.89.0.7", "10.89.0.8", "fd00::7", "192.0.2.1", "proxy", "nowhere"]
    assert [host for host in hosts if proxies(host)] == believed


def test_this_machine_is_believed_where_nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    assert TrustedProxies()("127.0.0.1")
    assert not TrustedProxies()("127.0.0.2")


def test_address_of_a_name_that_changes_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reverse_proxies, "REFRESH_S", 0.01)
    found = iter([["10.89.0.7"], ["10.89.0.8"]])
    proxies = TrustedProxies("proxy", lambda _name: next(found, ["10.89.0.8"]))

    async def follow() -> None:
        async with proxies.refreshing(), asyncio.timeout(20):
            while not proxies("10.89.0.8"):  # noqa: ASYNC110 - nothing tells when it is looked up
                await asyncio.sleep(0.01)

    assert proxies("10.89.0.7")
    asyncio.run(follow())
    assert not proxies("10.89.0.7")


def test_part_that_is_no_proxy_cannot_say_for_whom_it_asks(
    cast: Cast, redis_server: RunningRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A referee of the same network claims to come by HTTPS: only the named proxy's word counts (HSTS is sent)."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "localhost")
    app = create_app(cast.store, connect_async(redis_server.url), ACCESS)
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
    for client, secure in (("127.0.0.1", True), ("10.89.0.9", False)):
        with TestClient(app, client=(client, 5000)) as asking:
            answer = asking.get("/health/live", headers=headers)
        assert ("strict-transport-security" in answer.headers) == secure
