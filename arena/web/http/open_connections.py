"""Connections: how many are open, and how long one may go without a request.

    accepted ──▶ idle ──head──▶ busy ──answered──▶ idle ──▶ …      closed by whichever comes first:
                   │                                               the client; a deadline of `Limits`; a new connection,
                   └── closed for a new one when all places        for which the longest idle one makes room
                       are taken

uvicorn alone has no deadline for a head and no bound on connections.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from arena.net.client_groups import ClientNetwork, client_networks

if TYPE_CHECKING:
    from arena.web.http.web_limits import Limits


class Connections:
    """The open connections of one server.  Mutable, for one event loop."""

    def __init__(self, limits: Limits, max_connections: int, is_proxy: Callable[[str], bool]) -> None:
        self.limits = limits
        self._max = max_connections
        self._is_proxy = is_proxy
        self._networks_of: dict[BoundedProtocol, tuple[ClientNetwork, ...]] = {}
        self._count: Counter[str] = Counter()
        # The longest idle ones first: of all, and of each network.
        self._idle: dict[BoundedProtocol, None] = {}
        self._idle_of: dict[str, dict[BoundedProtocol, None]] = {}

    def __len__(self) -> int:
        return len(self._networks_of)

    def admit(self, connection: BoundedProtocol, host: str) -> bool:
        """Return whether there is a place for a connection; the longest idle one may have to leave.

        One of a network that has too many makes room by one of its own.
        """
        networks = self._networks(host)
        most = self.limits.max_connections_per_address
        full = next((each for each in networks if self._count[each.name] >= most * each.times), None)
        if full is not None:
            if not self._evict(self._idle_of.get(full.name, {})):
                return False
        elif len(self) >= self._max and not self._evict(self._idle):
            return False
        self._networks_of[connection] = networks
        self._count.update(each.name for each in networks)
        self.mark_idle(connection)
        return True

    def mark_idle(self, connection: BoundedProtocol) -> None:
        """Note that a connection has no request under way; one that was idle already stays in its place."""
        if connection in self._networks_of:
            self._idle.setdefault(connection)
            for network in self._networks_of[connection]:
                self._idle_of.setdefault(network.name, {}).setdefault(connection)

    def mark_busy(self, connection: BoundedProtocol) -> None:
        """Note that a request has begun."""
        self._idle.pop(connection, None)
        for network in self._networks_of.get(connection, ()):
            if (idle := self._idle_of.get(network.name)) is not None:
                idle.pop(connection, None)
                if not idle:
                    del self._idle_of[network.name]

    def release(self, connection: BoundedProtocol) -> None:
        """Forget a connection that is closed; it may have been forgotten already."""
        if connection not in self._networks_of:
            return
        self.mark_busy(connection)
        for network in self._networks_of.pop(connection):
            self._count[network.name] -= 1
            if not self._count[network.name]:
                del self._count[network.name]

    def _evict(self, idle: dict[BoundedProtocol, None]) -> bool:
        connection = next(iter(idle), None)
        if connection is None:
            return False
        self.release(connection)
        connection.transport.abort()
        return True

    def _networks(self, host: str) -> tuple[ClientNetwork, ...]:
        """Return what a peer is counted by; nothing for a trusted proxy, which stands for many peers."""
        return () if self._is_proxy(host) else client_networks(host)


class BoundedProtocol(HttpToolsProtocol):
    """A connection that is closed when it is too many, or too slow."""

    def __init__(self, *, connections_open: Connections, **uvicorns: Any) -> None:  # noqa: ANN401 - what uvicorn gives
        super().__init__(**uvicorns)
        self._open = connections_open
        self._limits = connections_open.limits
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._parsed_bytes = 0
        self._reads_body = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """Take the connection, or answer that there are too many."""
        super().connection_made(transport)
        if self._open.admit(self, self.client[0] if self.client else ""):
            self._set_deadline(self._limits.head_s)
        else:
            self._refuse(503, "Too many connections; try again in a moment.", "retry-after: 5\r\n")

    def data_received(self, data: bytes) -> None:
        """Feed the parser; without a request under way the time runs."""
        super().data_received(data)
        if self.transport.is_closing():
            return
        if not self._is_idle():
            self._clear_deadline()
            return
        if self._reads_body:  # it is answered already, and the rest dropped
            self._set_deadline(self._limits.linger_s)
            return
        self._head_bytes += len(data)
        if self._head_bytes > self._limits.max_head_bytes:
            self._refuse_head()
        else:
            self._set_deadline(self._limits.head_s)

    def send_400_response(self, msg: str) -> None:
        """Answer what the parser has stopped at."""
        if self._parsed_bytes > self._limits.max_head_bytes:
            self._refuse_head()
        else:
            super().send_400_response(msg)

    def on_url(self, url: bytes) -> None:
        """Take a part of the address.  Raises ValueError if the head is too long."""
        self._count_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header.  Raises ValueError if the head is too long: then the parser stops."""
        self._count_head(len(name) + len(value) + len(": \r\n"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin a request.  Raises ValueError if too many wait already: then the parser stops."""
        self._head_bytes = self._parsed_bytes = 0
        self._reads_body = True
        super().on_headers_complete()
        self._open.mark_busy(self)
        if len(self.pipeline) > self._limits.max_pipelined:
            raise ValueError(f"more than {self._limits.max_pipelined} requests wait on one connection")

    def on_message_complete(self) -> None:
        """Note that the body has come to its end."""
        self._reads_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if self._is_idle():
            self._open.mark_idle(self)

    def pause_writing(self) -> None:
        """Start the deadline of a client that does not read."""
        super().pause_writing()
        self._stalled = self.loop.call_later(self._limits.stalled_s, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's place."""
        self._open.release(self)
        self._clear_deadline()
        if self._stalled is not None:
            self._stalled.cancel()
        super().connection_lost(exc)

    def _is_idle(self) -> bool:
        return not self.pipeline and (self.cycle is None or self.cycle.response_complete)

    def _set_deadline(self, after_s: float) -> None:
        """Start the deadline; one that runs already is not moved by what else is sent."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(after_s, self._on_deadline)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _on_deadline(self) -> None:
        self._deadline = None
        if self._head_bytes:
            self._refuse(408, "The request's head did not come in time.")
        else:
            self.transport.abort()

    def _count_head(self, size: int) -> None:
        """Count bytes of a head, which may come in one piece.  Raises ValueError if it is too long."""
        self._parsed_bytes += size
        if self._parsed_bytes > self._limits.max_head_bytes:
            raise ValueError(f"a head of more than {self._limits.max_head_bytes} bytes")

    def _refuse_head(self) -> None:
        self._refuse(431, f"The request's head is too long: at most {self._limits.max_head_bytes} bytes.")

    def _refuse(self, status: int, text: str, headers: str = "") -> None:
        phrase = {408: "Request Timeout", 431: "Request Header Fields Too Large", 503: "Service Unavailable"}
        self.transport.write(
            f"HTTP/1.1 {status} {phrase[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n"
            f"content-length: {len(text)}\r\n{headers}connection: close\r\n\r\n{text}".encode()
        )
        self.transport.close()


def protocol(connections: Connections) -> type[asyncio.Protocol]:
    """Return what uvicorn makes its connections with."""

    def make(**uvicorns: Any) -> BoundedProtocol:  # noqa: ANN401 - what uvicorn gives
        return BoundedProtocol(connections_open=connections, **uvicorns)

    return cast("type[asyncio.Protocol]", make)
