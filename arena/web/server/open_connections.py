"""Bounds on connections: their number, and the time that one may take for a request's head or for reading its answer.

    transport ──▶ BoundedConnection ──▶ uvicorn's protocol ──▶ `Connections.watching` ──▶ app
                  counts, deadlines                            reports each answer that is complete

uvicorn has no deadline for a head, and its `limit_concurrency` refuses new clients while idle ones stay: here the connection
that has been idle longest makes room.  Nothing else is needed of uvicorn than what asyncio and ASGI define: the bytes are
parsed a second time, by httptools as well, to see where heads end.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from arena.net.client_groups import client_networks

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from arena.web.http.web_limits import Limits

_Ends: TypeAlias = tuple[tuple[str, int], tuple[str, int]]
"""The addresses of the client and of the server."""
_ALL = ""
"""The name of the group that all connections belong to."""
_PHRASES = {
    400: "Bad Request",
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}


class Connections:
    """The open connections of one server, in groups: all, and those of each network.  Mutable, for one event loop."""

    def __init__(self, limits: Limits, max_connections: int, is_proxy: Callable[[str], bool]) -> None:
        self.limits = limits
        self._max = max_connections
        self._is_proxy = is_proxy
        self._groups: dict[BoundedConnection, tuple[str, ...]] = {}
        self._open: Counter[str] = Counter()
        self._idle: dict[str, dict[BoundedConnection, None]] = {}
        """The idle connections of each group, the longest idle one first."""
        self._by_ends: dict[_Ends, BoundedConnection] = {}

    def watching(self, app: ASGIApp) -> ASGIApp:
        """Return an app that reports to the connection of each request when its answer is complete."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            connection = (
                self._by_ends.get((scope["client"], scope["server"])) if scope["type"] == "http" else None
            )
            if connection is None:
                await app(scope, receive, send)
                return
            complete = False

            async def send_and_report(message: Message) -> None:
                nonlocal complete
                await send(message)
                if message["type"] == "http.response.body" and not message.get("more_body") and not complete:
                    complete = True
                    connection.on_answered()

            await app(scope, receive, send_and_report)

        return answer

    def admit(self, connection: BoundedConnection, ends: _Ends) -> bool:
        """Return whether there is a place for a connection, after closing the longest idle one of a group that is full."""
        groups = self._groups_of(ends[0][0])
        for name, most in groups.items():
            if self._open[name] >= most and not self._close_idle(name):
                return False
        self._groups[connection] = tuple(groups)
        self._open.update(tuple(groups))
        self._by_ends[ends] = connection
        self.mark_idle(connection)
        return True

    def mark_idle(self, connection: BoundedConnection) -> None:
        """Note that a connection has no request under way; one that was idle already keeps its place in the order."""
        for name in self._groups.get(connection, ()):
            self._idle.setdefault(name, {}).setdefault(connection)

    def mark_busy(self, connection: BoundedConnection) -> None:
        """Note that a request has begun."""
        for name in self._groups.get(connection, ()):
            self._idle.get(name, {}).pop(connection, None)

    def release(self, connection: BoundedConnection, ends: _Ends) -> None:
        """Forget a connection that is closed, unless that is done."""
        self.mark_busy(connection)
        for name in self._groups.pop(connection, ()):
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]
                self._idle.pop(name, None)
        if self._by_ends.get(ends) is connection:
            del self._by_ends[ends]

    def _close_idle(self, group: str) -> bool:
        connection = next(iter(self._idle.get(group, {})), None)
        if connection is None:
            return False
        connection.abort()
        return True

    def _groups_of(self, host: str) -> dict[str, int]:
        """Return the groups of a client, each with its bound; a trusted proxy is in no network, since it has many clients."""
        networks = () if self._is_proxy(host) else client_networks(host)
        most = self.limits.max_connections_per_address
        return {**{network.name: most * network.times for network in networks}, _ALL: self._max}


class BoundedConnection(asyncio.Protocol):
    """A connection that is closed if it is one too many, or too slow."""

    def __init__(self, connections: Connections, inner: asyncio.Protocol) -> None:
        self._connections = connections
        self._limits = connections.limits
        self._inner = inner
        self._loop = asyncio.get_running_loop()
        self._parser: Any = HttpRequestParser(self)
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._under_way = 0
        """Requests that wait for the end of their answers."""
        self._reads_body = False
        self._is_part_of_head = True
        """Whether all of the bytes that have come last belong to a head that has not ended."""
        self._head_bytes = 0
        """Bytes of such a head."""
        self._parsed_bytes = 0
        """Bytes of its complete parts, which count even if it comes in one piece with its end."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection, or answer that there are too many."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("socket")
        client, server = peer.getpeername(), peer.getsockname()
        self._ends = (client[0], client[1]), (server[0], server[1])
        self._inner.connection_made(transport)
        if self._connections.admit(self, self._ends):
            self._set_deadline(self._limits.head_s)
        else:
            self._refuse(503, "Too many connections; try again in a moment.", "retry-after: 5\r\n")

    def data_received(self, data: bytes) -> None:
        """Pass on what has come, unless it breaks a bound; without a request under way a deadline runs."""
        self._is_part_of_head = not self._reads_body
        with suppress(HttpParserError, HttpParserUpgrade):  # answered by uvicorn, whose parser is the same
            self._parser.feed_data(data)
        if self._is_part_of_head:
            self._head_bytes += len(data)
        if max(self._head_bytes, self._parsed_bytes) > self._limits.max_head_bytes:
            self._refuse(431, f"The request's head is too long: at most {self._limits.max_head_bytes} bytes.")
            return
        if self._under_way > self._limits.max_pipelined + 1:
            self._refuse(400, f"More than {self._limits.max_pipelined} requests wait on this connection.")
            return
        self._inner.data_received(data)
        if self._transport.is_closing():
            return
        if self._under_way:
            self._clear_deadline()
        elif self._reads_body:  # it is answered already, and the rest dropped
            self._set_deadline(self._limits.linger_s)
        else:
            self._set_deadline(self._limits.head_s)

    def on_url(self, url: bytes) -> None:
        """Count a part of the address."""
        self._count_head(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header."""
        self._count_head(len(name) + len(value) + len(": \r\n"))

    def on_headers_complete(self) -> None:
        """Begin a request.  Raises ValueError if too many wait: then the parser stops."""
        self._head_bytes = self._parsed_bytes = 0
        self._is_part_of_head, self._reads_body = False, True
        self._under_way += 1
        self._connections.mark_busy(self)
        if self._under_way > self._limits.max_pipelined + 1:
            raise ValueError("too many requests")

    def on_message_complete(self) -> None:
        """Note that the body has come to its end."""
        self._is_part_of_head = self._reads_body = False

    def on_answered(self) -> None:
        """Note that an answer is complete."""
        self._under_way -= 1
        if not self._under_way:
            self._connections.mark_idle(self)

    def pause_writing(self) -> None:
        """Start the deadline of a client that does not read."""
        self._inner.pause_writing()
        self._stalled = self._loop.call_later(self._limits.stalled_s, self._transport.abort)

    def resume_writing(self) -> None:
        """Go on."""
        if self._stalled is not None:
            self._stalled.cancel()
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's place."""
        self._connections.release(self, self._ends)
        self._clear_deadline()
        if self._stalled is not None:
            self._stalled.cancel()
        self._parser = None  # it refers to this connection
        self._inner.connection_lost(exc)

    def abort(self) -> None:
        """Close at once, for another connection."""
        self._connections.release(self, self._ends)
        self._transport.abort()

    def _set_deadline(self, after_s: float) -> None:
        """Start the deadline; one that runs already is not moved by what else is sent."""
        if self._deadline is None:
            self._deadline = self._loop.call_later(after_s, self._on_deadline)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _on_deadline(self) -> None:
        self._deadline = None
        if self._head_bytes:
            self._refuse(408, "The request's head did not come in time.")
        else:
            self._transport.abort()

    def _count_head(self, size: int) -> None:
        """Count bytes of a head.  Raises ValueError if it is too long: then the parser stops."""
        self._parsed_bytes += size
        if self._parsed_bytes > self._limits.max_head_bytes:
            raise ValueError("a head that is too long")

    def _refuse(self, status: int, text: str, headers: str = "") -> None:
        self._transport.write(
            f"HTTP/1.1 {status} {_PHRASES[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n"
            f"content-length: {len(text)}\r\n{headers}connection: close\r\n\r\n{text}".encode()
        )
        self._transport.close()


def protocol(connections: Connections) -> type[asyncio.Protocol]:
    """Return the factory of connections that uvicorn calls for each client."""

    def make(**given: Any) -> BoundedConnection:  # noqa: ANN401 - as uvicorn passes it on
        return BoundedConnection(connections, HttpToolsProtocol(**given))

    return cast("type[asyncio.Protocol]", make)
