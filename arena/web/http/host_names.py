"""The Host of requests: each has one (RFC 9112, section 3.2), and of a site that is named only its own is answered."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import PlainTextResponse

from arena.web.http.reverse_proxies import is_from_this_machine

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_HOST = re.compile(rb"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~%-]+)(?::[0-9]{0,5})?")
"""RFC 3986, section 3.2.2, without user names and what no browser sends."""
_OF_ALL_HOSTS = re.compile("/health(/live|/ready)?")
"""Probes ask by an address and not by a name."""


class KnownHosts:
    """ASGI middleware that refuses requests without exactly one valid Host, and those that are for another site.

    `hosts` are the site's names, in lower case; where there are none, all are answered.  Requests that are sent on this
    machine may always use its own names.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        refused = self._refusal(scope) if scope["type"] == "http" else None
        await (refused or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        found = [value for name, value in scope["headers"] if name == b"host"]
        if not found and scope["http_version"] == "1.0":
            return None
        host = _HOST.fullmatch(found[0]) if len(found) == 1 else None
        if host is None:
            return PlainTextResponse("The request must have one Host header, with a host name.\n", 400)
        if (
            not self._hosts
            or host["name"].decode().lower() in self._hosts
            or _OF_ALL_HOSTS.fullmatch(scope["path"])
            or is_from_this_machine(Request(scope))
        ):
            return None
        return PlainTextResponse("This arena is reached by another host name (ARENA_SITE).\n", 421)
