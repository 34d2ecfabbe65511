"""Request ids: each request has one, which its answer, its log lines and the work that it creates show.

The tournament or version that a request creates keeps its id; workers and referees log it with their blocks and matches.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from arena.core import request_origin
from arena.monitoring import tracing

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-ID"

_log = logging.getLogger(__name__)

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_ID = re.compile("[0-9a-f]{32}")


class RequestIds:
    """ASGI middleware, the outermost: gives each request its id.

    The id is that of the `X-Request-ID` header where a trusted proxy sends one of 32 hex digits, else a new one.
    """

    def __init__(self, app: ASGIApp, is_proxy: Callable[[str], bool]) -> None:
        self._app = app
        self._is_proxy = is_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = self._given(scope) or secrets.token_hex(16)
        # Starlette answers errors of our own outside of all middleware: in the scope they find the id.
        scope.setdefault("state", {})["request_id"] = request_id
        request_origin.enter(request_id)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = request_id
                _log.debug("%s %s: %d", scope["method"], scope["path"], message["status"])
            await send(message)

        if not tracing.is_on() or scope["method"] in _READING:
            await self._app(scope, receive, send_with_id)
            return
        with tracing.span(scope["method"], request_id=request_id, path=scope["path"]):
            await self._app(scope, receive, send_with_id)

    def _given(self, scope: Scope) -> str | None:
        """Return the id that a trusted proxy gave, None if there is none."""
        peer = scope["client"][0] if scope.get("client") else ""
        given = Headers(scope=scope).get(HEADER, "").lower()
        return given if _ID.fullmatch(given) and self._is_proxy(peer) else None


def id_of(request: Request) -> str:
    """Return the id of a request, empty before it has one."""
    return str(getattr(request.state, "request_id", ""))
