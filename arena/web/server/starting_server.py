"""Answering requests while the app is still being imported, which takes seconds.

    bind ──▶ Starting answers in a thread ─────────────▶ stops ──▶ uvicorn accepts from the same socket
             the main thread imports and makes the app ──┘

There is one listening socket from first to last.  A connection that arrives between the two servers waits in its backlog,
so no client is refused.  `/health` says what is being waited for; everything else is asked to come again.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

from arena.core import sd_notify

STARTING = "starting"
"""The status in `/health` until the app answers."""

_RETRY_S = 1
_LIVE = b"/health/live"
"""The one address whose answer is good already: a process that starts need not be restarted."""
_MAX_CONNECTIONS = 256
_MAX_HEAD_BYTES = 16 * 1024
_HEAD_S = 5.0
"""How long a client may take to send the head of its request."""
_PAGE = (
    f'<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="{_RETRY_S}">'
    "<title>Bot Arena</title><h1>Bot Arena is starting</h1><p>This page reloads by itself.</p>"
    '<div lang="es"><h1>Bot Arena está arrancando</h1><p>Esta página se recarga sola.</p></div></html>'
)
_PROBLEM = json.dumps(
    {
        "status": 503,
        "code": STARTING,
        "field": "",
        "title": "Service Unavailable",
        "detail": "the web is still starting",
        "remedy": "Try again in a second.",
    }
)


class Starting:
    """A small HTTP server in a thread, for as long as its `with` block lasts."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._doing = ""
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()
        self._connections: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, name=STARTING, daemon=True)

    def report(self, doing: str) -> None:
        """Set what `/health`, and the supervisor, are told that the web is doing."""
        self._doing = doing
        sd_notify.tell(f"STATUS={doing}")

    def __enter__(self) -> Self:
        """Begin to answer."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish the answers that have begun, and accept no more."""
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        # A duplicate, so that closing it leaves uvicorn its own.
        with self._listener.dup() as listener:
            listener.settimeout(0)
            self._loop.add_reader(listener, self._accept_all, listener)
            await self._stopping.wait()
            self._loop.remove_reader(listener)
        if self._connections:
            await asyncio.wait(self._connections, timeout=_RETRY_S)

    def _accept_all(self, listener: socket.socket) -> None:
        """Accept who waits.

        Each is known from then on: a server of asyncio's own hands over what it has accepted a moment later, and whoever
        came in that moment would be hung up on when this one stops.
        """
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                if len(self._connections) >= _MAX_CONNECTIONS:
                    connection.close()
                    continue
                task = self._loop.create_task(self._serve_one(connection))
                self._connections.add(task)
                task.add_done_callback(self._connections.discard)

    async def _serve_one(self, connection: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=connection, limit=_MAX_HEAD_BYTES)
        try:
            await self._answer(reader, writer)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, OSError):
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _HEAD_S)
            method, _, rest = head.partition(b" ")
            path = rest.partition(b" ")[0].partition(b"?")[0]
            kind, body = self._content(path)
            writer.write(_head(kind, len(body), live=path == _LIVE) + (b"" if method == b"HEAD" else body))
            await asyncio.wait_for(writer.drain(), _HEAD_S)

    def _content(self, path: bytes) -> tuple[str, bytes]:
        if path == _LIVE:
            return "application/json", json.dumps({"status": "ok"}).encode()
        if path in {b"/health", b"/health/ready"}:
            return "application/json", json.dumps({"status": STARTING, "doing": self._doing}).encode()
        if path.startswith(b"/api/"):
            return "application/problem+json", _PROBLEM.encode()
        return "text/html; charset=utf-8", _PAGE.encode()


def _head(kind: str, length: int, *, live: bool) -> bytes:
    lines = (
        "HTTP/1.1 200 OK" if live else "HTTP/1.1 503 Service Unavailable",
        f"Content-Type: {kind}",
        f"Content-Length: {length}",
        *(() if live else (f"Retry-After: {_RETRY_S}",)),
        "Cache-Control: no-store",
        "Content-Security-Policy: default-src 'none'",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
    )
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
