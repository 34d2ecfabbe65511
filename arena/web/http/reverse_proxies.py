"""Reverse proxies in front of the web: whom to believe about the address of a client, and who is on this machine.

FORWARDED_ALLOW_IPS names the proxies, 127.0.0.1 if it is not set.  The client's address and scheme are taken from the
`X-Forwarded-…` headers of these alone, by uvicorn's middleware, before nearly all of our code sees the request.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from arena.net.address import is_local
from arena.net.client_groups import client_network

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.types import Scope

_VARIABLE = "FORWARDED_ALLOW_IPS"
_STANDARD = "127.0.0.1"
_HEADERS = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""What proxies add; one of them is enough to say that a request was forwarded."""


def trusted_proxies() -> Callable[[str], bool]:
    """Return what tells whether a host is believed, by uvicorn's own reading of the variable."""

    async def unused(*_: object) -> None:
        pass

    hosts = ProxyHeadersMiddleware(unused, os.environ.get(_VARIABLE, _STANDARD)).trusted_hosts
    return lambda host: host in hosts


def believe_proxies(app: FastAPI) -> None:
    """Add the middleware that takes a client's address and scheme from the headers of trusted proxies."""
    app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=os.environ.get(_VARIABLE, _STANDARD))


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
