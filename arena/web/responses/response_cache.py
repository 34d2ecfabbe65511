"""A cache of whole responses, for routes whose response follows from the address, the language and the store alone.

    router = APIRouter(dependencies=[CACHED])

Each response is stored with the version that the store had before it was made.  To a later request it is

    current    if nothing was committed since: it is sent, up to MAX_AGE_S, since a page may say how long ago something was
    stale      if another process has committed: it is sent, up to MAX_STALE_S, and rebuilt in the background
    outdated   if this process has committed, or a reloading browser wants no stale one: the request makes a new one

So while results pour in, a page is rebuilt every second or two, and no request waits for it.  One request at a time makes a
response; others for the same one wait for it.  Requests with a session or a token are neither answered from the cache nor
stored in it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, TypeAlias
from weakref import WeakValueDictionary

from fastapi import Depends
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.storage import Store
from arena.storage.cache import VersionedCache
from arena.web.auth import auth_cookies
from arena.web.auth.api_auth import COOKIE
from arena.web.ui.languages import choose

MAX_AGE_S = 30.0
MAX_STALE_S = 5.0
_MAX_REBUILD_INTERVAL_S = 2.0
_MIN_REBUILD_INTERVAL = 20
"""A stale response is rebuilt after this multiple of the time that it took to make, so in 5 % of the time."""

_MAX_BYTES = 64 << 20
_MAX_RESPONSE_BYTES = 2 << 20
_FILES = ("/static/", "/sdk/", "/docs/images/", "/docs/records/")
"""Addresses of files, which browsers cache themselves."""
_OF_BODY = frozenset({b"content-length", b"content-type", b"content-encoding"})
_MARKS = "arena.cached"
"""The key of a list in the scope of a request that is not empty once a route is marked as cached."""

_log = logging.getLogger(__name__)

_Key: TypeAlias = tuple[str, ...]
Lookup: TypeAlias = Literal["hit", "stale", "miss"]


async def _mark(request: Request) -> None:
    marks: list[bool] = request.scope.get(_MARKS, [])
    marks.append(True)


CACHED: Any = Depends(_mark)
"""A dependency of routes whose responses are cached."""


@dataclass(frozen=True, slots=True)
class _StoreVersion:
    """A version of the store: the database's own, and the number of commits of this process."""

    database: object
    own_commits: int


@dataclass(frozen=True, slots=True)
class _CachedResponse:
    """A response as it was sent, compressed or not, with the store's version that it was made from."""

    version: _StoreVersion
    made_at: float
    rebuild_after_s: float
    start: Message
    body: bytes
    etag: str
    route: object

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.made_at

    async def send(self, scope: Scope, send: Send) -> None:
        """Send it, or that the browser has it already."""
        scope["route"] = self.route  # request metrics look there
        start, body = self.start, self.body
        if Request(scope).headers.get("if-none-match") == self.etag:
            headers = [each for each in start["headers"] if each[0] not in _OF_BODY]
            start, body = {**start, "status": 304, "headers": headers}, b""
        # Middleware outside adds headers to the list.
        await send({**start, "headers": list(start["headers"])})
        await send({"type": "http.response.body", "body": body})


class ResponseCacheMiddleware:
    """ASGI middleware, outside of the one that compresses responses."""

    def __init__(self, app: ASGIApp, store: Store, count: Callable[[Lookup], None]) -> None:
        """`count` is called with the result of each lookup."""
        self._app = app
        self._store = store
        self._count = count
        self._responses = VersionedCache(_MAX_BYTES, lambda response: len(response.body), MAX_AGE_S)
        self._locks: WeakValueDictionary[_Key, asyncio.Lock] = WeakValueDictionary()
        """One for each response that is being made."""
        self._rebuilding: set[_Key] = set()
        self._rebuild_lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        key = _key(scope)
        version = None if key is None else await self._version()
        if key is None or version is None:
            await self._app(scope, receive, send)
            return
        allow_stale = not _wants_fresh(scope)
        found = self._find(key, version, allow_stale=allow_stale)
        self._count("miss" if found is None else "hit" if found.version == version else "stale")
        if found is None:
            found = await self._make_once(key, scope, receive, send, allow_stale=allow_stale)
        elif found.version != version and found.age_s > found.rebuild_after_s:
            self._rebuild_later(key, scope)
        if found is not None:
            await found.send(scope, send)

    async def _version(self) -> _StoreVersion | None:
        """Return the store's version; None while it does not answer, which the route then reports."""
        own_commits = self._store.written
        try:
            if self._store.dialect == "sqlite":
                return _StoreVersion(self._store.version(), own_commits)
            return _StoreVersion(await run_in_threadpool(self._store.version), own_commits)
        except SQLAlchemyError:
            return None

    def _find(self, key: _Key, version: _StoreVersion, *, allow_stale: bool) -> _CachedResponse | None:
        """Return a cached response that may be sent."""
        cached = self._responses.find(key)
        if cached is None:
            return None
        found: _CachedResponse = cached.value
        if found.version == version:
            return found if found.age_s <= MAX_AGE_S else None
        is_stale = found.version.own_commits == version.own_commits and found.age_s <= MAX_STALE_S
        return found if allow_stale and is_stale else None

    async def _make_once(
        self, key: _Key, scope: Scope, receive: Receive, send: Send, *, allow_stale: bool
    ) -> _CachedResponse | None:
        """Make a response, or wait for the request that is making it; None if it has been sent."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        await lock.acquire()
        with ExitStack() as turn:
            turn.callback(lock.release)
            version = await self._version()
            found = None if version is None else self._find(key, version, allow_stale=allow_stale)
            return found or await self._make(key, version, turn, scope, receive, send)

    async def _make(
        self,
        key: _Key,
        version: _StoreVersion | None,
        turn: ExitStack,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> _CachedResponse | None:
        """Make a response and cache it.  One that cannot be cached is sent at once, after the end of the turn, and None returned."""
        began = time.monotonic()
        marks: list[bool] = []
        start: Message = {}
        parts: list[bytes] = []

        async def collect(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and marks and message["status"] == 200 and version:
                start = message
            elif start:
                parts.append(message.get("body", b""))
            else:
                turn.close()  # the response may have no end
                await send(message)

        # In place, since middleware outside looks at what the routes put into the scope.
        headers = scope["headers"]
        scope["headers"] = [each for each in headers if each[0] != b"if-none-match"]
        scope[_MARKS] = marks
        try:
            await self._app(scope, receive, collect)
        finally:
            scope["headers"] = headers
        if not start or version is None:
            self._responses.drop(key)
            return None
        response = _cached(version, began, start, b"".join(parts), scope.get("route"))
        if len(response.body) <= _MAX_RESPONSE_BYTES:
            self._responses.put(key, version, response)
        return response

    def _rebuild_later(self, key: _Key, scope: Scope) -> None:
        if key in self._rebuilding:
            return
        self._rebuilding.add(key)
        task = asyncio.create_task(self._rebuild(key, dict(scope)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _rebuild(self, key: _Key, scope: Scope) -> None:
        """Rebuild a response in the background, one at a time."""
        try:
            async with self._rebuild_lock:
                await self._make_once(key, scope, _receive_nothing, _send_nowhere, allow_stale=False)
        except Exception:  # noqa: BLE001 - the next request makes it, and reports the error
            self._responses.drop(key)
            _log.exception("%s: the response could not be rebuilt", scope["path"])
        finally:
            self._rebuilding.discard(key)


def _cached(
    version: _StoreVersion, began: float, start: Message, body: bytes, route: object
) -> _CachedResponse:
    headers = MutableHeaders(raw=list(start["headers"]))
    headers.setdefault("ETag", f'W/"{sha256(body).hexdigest()[:16]}"')
    headers.setdefault("Cache-Control", "no-cache")
    headers["Content-Length"] = str(len(body))
    rebuild_after_s = min(_MAX_REBUILD_INTERVAL_S, _MIN_REBUILD_INTERVAL * (time.monotonic() - began))
    return _CachedResponse(
        version, began, rebuild_after_s, {**start, "headers": headers.raw}, body, headers["ETag"], route
    )


def _key(scope: Scope) -> _Key | None:
    """Return what a response depends on besides the store; None for a request that bypasses the cache."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith(_FILES):
        return None
    request = Request(scope)
    if "authorization" in request.headers or auth_cookies.is_shown(request, COOKIE):
        return None
    is_compressed = "gzip" in request.headers.get("accept-encoding", "")
    query = scope["query_string"].decode("latin-1")
    return (
        scope["scheme"],
        request.headers.get("host", ""),
        scope["path"],
        query,
        choose(request),
        str(is_compressed),
    )


def _wants_fresh(scope: Scope) -> bool:
    """Return whether a request wants no stale response, as browsers ask on reloading."""
    return any(
        name == b"cache-control" and (b"no-cache" in value or b"max-age=0" in value)
        for name, value in scope["headers"]
    )


async def _receive_nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _send_nowhere(message: Message) -> None:
    pass
