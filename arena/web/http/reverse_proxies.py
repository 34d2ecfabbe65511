"""Reverse proxies in front of the web: whom to believe about the address of a client, and who is on this machine.

FORWARDED_ALLOW_IPS names the proxies by address, network or host name, 127.0.0.1 if it is not set.  The client's address and scheme are taken from the
`X-Forwarded-…` headers of these alone, by uvicorn's middleware, before nearly all of our code sees the request.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any, cast

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from arena.net.address import is_local
from arena.net.address_policy import look_up
from arena.net.client_groups import client_network

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

_VARIABLE = "FORWARDED_ALLOW_IPS"
_DEFAULT = "127.0.0.1"
REFRESH_S = 5.0
_HEADERS = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers that proxies add; any of them shows that a request was forwarded."""


class TrustedProxies:
    """The proxies that are believed.  Host names among them are looked up again every few seconds: a container's address changes.

    Mutable, for one event loop.
    """

    def __init__(self, text: str | None = None, look_up: Callable[[str], Sequence[str]] = look_up) -> None:
        """Read the variable, or a text like it: IP addresses, networks and host names with commas between, or `*`."""
        found = os.environ.get(_VARIABLE, _DEFAULT) if text is None else text
        self._words = tuple(filter(None, map(str.strip, found.split(","))))
        self._look_up = look_up
        self._has_names = any(_is_name(word) for word in self._words)
        self.reading = self._read()
        """Uvicorn's middleware, which reads addresses and networks, for its `trusted_hosts`."""

    def __call__(self, host: str) -> bool:
        """Return whether a host is believed."""
        return host in self.reading.trusted_hosts

    def _read(self) -> ProxyHeadersMiddleware:
        """Look the names up.  One that leads nowhere is no proxy for now."""
        hosts: list[str] = []
        for word in self._words:
            if _is_name(word):
                with suppress(OSError):
                    hosts += self._look_up(word)
            else:
                hosts.append(word)
        return ProxyHeadersMiddleware(_unused, hosts)

    @asynccontextmanager
    async def refreshing(self) -> AsyncIterator[None]:
        """Look the names up again and again for as long as the block lasts."""
        refreshing = asyncio.create_task(self._refresh_forever()) if self._has_names else None
        try:
            yield
        finally:
            if refreshing is not None:
                refreshing.cancel()
                await asyncio.gather(refreshing, return_exceptions=True)

    async def _refresh_forever(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_S)
            self.reading = await run_in_threadpool(self._read)


class ForwardedHeaders:
    """ASGI middleware that takes a client's address and scheme from the headers of trusted proxies."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies) -> None:
        self._inner = ProxyHeadersMiddleware(cast("Any", app))
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        self._inner.trusted_hosts = self._proxies.reading.trusted_hosts
        await self._inner(cast("Any", scope), cast("Any", receive), cast("Any", send))


async def _unused(*_: object) -> None:
    pass


def _is_name(word: str) -> bool:
    """Return whether a word is a host name: no `*`, no address, no network."""
    try:
        ip_network(word, strict=False)
    except ValueError:
        return word != "*" and "/" not in word
    return False


def is_forwarded(headers: Headers) -> bool:
    """Return whether a proxy has passed a request on."""
    return any(name in headers for name in _HEADERS)


def counted_client(scope: Scope, is_proxy: Callable[[str], bool]) -> str | None:
    """Return what the client of a request is counted by where that is bounded.

    None is a proxy that does not say for whom it asks, and with 127.0.0.1 among the proxies what runs on this machine.
    """
    host = scope["client"][0] if scope.get("client") else ""
    if is_proxy(host) and "x-forwarded-for" not in Headers(scope=scope):
        return None
    return network_of(host)


def network_of(host: str) -> str:
    """Return what a client is counted by, which is its name where that is no IP address."""
    try:
        return client_network(host)
    except ValueError:
        return host


def is_from_this_machine(request: Request) -> bool:
    """Return whether a request was sent on this machine, to it by name, and through no proxy.

    The name is checked as well, since a page of another site can have its own name lead to 127.0.0.1.
    """
    if request.client is None or is_forwarded(request.headers):
        return False
    try:
        from_here = ip_address(request.client.host).is_loopback
    except ValueError:
        return False
    host = request.headers.get("host", "")
    return from_here and is_local(host if host.rpartition("]")[2].count(":") else f"{host}:80")
