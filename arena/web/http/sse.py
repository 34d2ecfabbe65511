"""Server-sent events as bytes: an event is encoded once for all pages.

    view ──▶ EventStream: headers, and a word ──▶ all that answered the request is done with ──▶ Streaming: the events

An open stream costs two small tasks and no timer: one task sends the keep-alive of all, and the middleware between
server and view has returned by then.  So 500 open pages take 10 MB.
"""

from __future__ import annotations

import asyncio
import json
import math
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from arena.core.errors import RefusalKind
from arena.core.translatable import say
from arena.web.http.client_places import ClientPlaces, Place
from arena.web.http.rate_limits import TryAgain
from arena.web.http.reverse_proxies import counted_client

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from arena.web.http.web_limits import Limits

PING_S = 15.0
RETRY_MS = 1500
"""Time after which a browser reopens a broken stream."""
RETURN_MS = (500, 5000)
"""When a server stops, its pages are asked to come back after a time in this range, at random: not all at once."""
_PING = b": ping\r\n\r\n"
_EVENTS = "arena.events"
"""The key of a new stream in the scope of its request; middleware may copy the scope."""
_RETRY_S = 30

DOCUMENTED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A stream of events",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


def event(name: str, data: object, event_id: str = "") -> bytes:
    """Write an event: its data is one line of JSON."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    identified = f"id: {event_id}\r\n" if event_id else ""
    return f"{identified}event: {name}\r\nretry: {RETRY_MS}\r\ndata: {text}\r\n\r\n".encode()


class EventStream(Response):
    """Begins a stream of events; `Streaming` sends them."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncIterator[bytes], status_code: int = 200) -> None:
        # nginx takes the second header for itself: a stream that it gathers comes late.
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(status_code=status_code, headers=headers)
        del self.headers["content-length"]
        self._events = events

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Begin the answer.  Raises TryAgain, also where the server is stopping: a stream that begins now would only end."""
        if _stopping.is_set():
            raise TryAgain(
                "web_stopping",
                say("this web process is stopping; try again in a few seconds"),
                kind=RefusalKind.UNAVAILABLE,
                retry_s=math.ceil(_return_ms() / 1000),
            )
        begun: _StreamStart = scope[_EVENTS]
        begun.take_place()
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send(
            {"type": "http.response.body", "body": b"", "more_body": True}
        )  # sends the headers through middleware that waits for the first body
        begun.events = self._events


def _places(limits: Limits) -> ClientPlaces:
    def refusal(of_client: bool) -> TryAgain:  # noqa: FBT001 - as ClientPlaces calls it
        if of_client:
            most = limits.max_streams_per_address
            return _too_many(say("streams from this address"), most, RefusalKind.TOO_MANY)
        return _too_many(say("streams"), limits.max_streams, RefusalKind.UNAVAILABLE)

    return ClientPlaces(limits.max_streams, limits.max_streams_per_address, refusal)


def _too_many(what: str, most: int, kind: RefusalKind) -> TryAgain:
    message = say(
        "{what}: {most} are open, the maximum at once; close some or try again later",
        what=what,
        most=most,
    )
    return TryAgain("too_many_streams", message, kind=kind, retry_s=_RETRY_S)


class _StreamStart:
    """The stream that a request begins, if it does."""

    __slots__ = ("_client", "_place", "_places", "events", "gives_way", "stream")

    def __init__(self, places: ClientPlaces, client: str | None) -> None:
        self._places = places
        self._client = client
        self._place: Place | None = None
        self.events: AsyncIterator[bytes] | None = None
        self.stream: _OpenStream | None = None
        self.gives_way = False

    def take_place(self) -> None:
        self._place = self._places.take(self._client, self._give_way)

    def release(self) -> None:
        if self._place is not None:
            self._places.release(self._place)

    def _give_way(self) -> None:
        """End the stream, so that another client can have one."""
        self.gives_way = True
        if self.stream is not None:
            _open_streams[self.stream].cancel()


class Streaming:
    """ASGI middleware, the outermost: sends events as they come, until there are no more, the client goes, or the server stops."""

    def __init__(self, app: ASGIApp, limits: Limits, is_proxy: Callable[[str], bool]) -> None:
        self._app = app
        self._places = _places(limits)
        self._is_proxy = is_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = _StreamStart(self._places, counted_client(scope, self._is_proxy))
        try:
            await self._app({**scope, _EVENTS: begun}, receive, send)
            if begun.events is not None:
                await _send_events(begun, begun.events, receive, send)
        finally:
            begun.release()


async def _send_events(
    begun: _StreamStart, events: AsyncIterator[bytes], receive: Receive, send: Send
) -> None:
    stream = _OpenStream(begun, events, send)
    sending = asyncio.create_task(stream.send_all())
    _open_streams[stream] = sending
    begun.stream = stream
    try:
        # The client goes, or the answer is complete: both end the wait.
        while (await receive())["type"] != "http.disconnect":
            pass
    finally:
        begun.stream = None
        del _open_streams[stream]
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    if not sending.cancelled() and (error := sending.exception()) is not None:
        raise error


class _OpenStream:
    """A stream that is open."""

    __slots__ = ("_begun", "_busy", "_events", "_send")

    def __init__(self, begun: _StreamStart, events: AsyncIterator[bytes], send: Send) -> None:
        self._begun = begun
        self._events = events
        self._send = send
        self._busy = False

    async def send_all(self) -> None:
        try:
            if not self._begun.gives_way:
                async for data in self._events:
                    await self._write(data)
        finally:
            await self._send({"type": "http.response.body", "body": self._farewell(), "more_body": False})

    def _farewell(self) -> bytes:
        """Return how long the page is to wait before it comes back, if that is not the usual time."""
        if self._begun.gives_way:
            return f"retry: {_RETRY_S * 1000}\r\n\r\n".encode()
        return f"retry: {_return_ms()}\r\n\r\n".encode() if _stopping.is_set() else b""

    async def ping(self) -> None:
        if not self._busy:
            await self._write(_PING)

    async def _write(self, data: bytes) -> None:
        self._busy = True
        await self._send({"type": "http.response.body", "body": data, "more_body": True})
        self._busy = False


_open_streams: dict[_OpenStream, asyncio.Task[None]] = {}
"""Those of this process."""


def count() -> int:
    """Return how many streams are open."""
    return len(_open_streams)


_stopping = threading.Event()
"""Set while the server stops."""


def _return_ms() -> int:
    return secrets.randbelow(RETURN_MS[1] - RETURN_MS[0]) + RETURN_MS[0]


@contextmanager
def stopping() -> Iterator[None]:
    """End all streams, and begin no more while the block lasts: pages come back by themselves, each after a time of its own."""
    _stopping.set()
    for sending in _open_streams.values():
        sending.cancel()
    try:
        yield
    finally:
        _stopping.clear()


@asynccontextmanager
async def keep_alives() -> AsyncIterator[None]:
    """Send keep-alive comments on a stream for as long as the block lasts, so that proxies keep it open."""
    pinging = asyncio.create_task(_send_pings())
    try:
        yield
    finally:
        pinging.cancel()
        await asyncio.gather(pinging, return_exceptions=True)


async def _send_pings() -> None:
    pings: set[asyncio.Task[None]] = set()
    while True:
        await asyncio.sleep(PING_S)
        for stream in _open_streams:
            ping = asyncio.create_task(stream.ping())
            pings.add(ping)
            ping.add_done_callback(pings.discard)
