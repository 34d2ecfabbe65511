"""A cache of responses: most are asked for again before their data have changed.

    router = APIRouter(dependencies=[OfStore])      its answers follow from the address, the language and the store alone

What was committed to the store since an answer was made is told by the store's version, read before the answer is made.

    nothing                     it is given again: it is what would be made now
    something by this process   it is made anew: who changes something here sees it
    something by others         it may be given for MAX_STALE_S, in which it costs a twentieth of the time at most; for BESIDE_S the next
                                one is made beside, and nobody waits for it

So results may pour in, and pages cost what they cost once a second or two.  Who asks for what is so now, by `Cache-Control: no-cache`
as browsers do on reloading, gets that.  Only words about the time, such as the window of a chart, may be as old as OLDEST_S.
Nobody who is signed in is answered from memory, nor do their answers go into it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
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

OLDEST_S = 30.0
MAX_STALE_S = 2.0
BESIDE_S = 5.0
_SHARE = 20
"""A response is served from the cache for this multiple of the time it took to make, even if results come in meanwhile."""

_MAX_BYTES = 64 << 20
_LARGEST = 2 << 20
_MARK = "arena.remember"

_log = logging.getLogger(__name__)

_Key: TypeAlias = tuple[str, ...]
Lookup: TypeAlias = Literal["hit", "stale", "miss"]


async def _mark(request: Request) -> None:
    box: list[bool] = request.scope.get(_MARK, [])
    box.append(True)


OfStore: Any = Depends(_mark)
"""For routes whose answers follow from the address, the language and the store alone."""


@dataclass(frozen=True, slots=True)
class _StoreVersion:
    """What the store was when something was read: its version, and what this process has written so far."""

    version: object
    written: int


@dataclass(slots=True)
class _Answer:
    """An answer as it went out, packed or not, what it was made from, and for how long it is served, even if results come in."""

    moment: _StoreVersion | None
    made_at: float
    lasts_s: float
    start: Message
    body: bytes
    etag: str
    route: object

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.made_at


_FILES = ("/static/", "/sdk/", "/docs/images/", "/docs/records/")
"""Files are kept by browsers, and see for themselves what a browser has."""


@dataclass(slots=True)
class _Turn:
    """A request's turn to make an answer."""

    lock: asyncio.Lock
    over: bool = False

    def end(self) -> None:
        """Release the turn, once."""
        if not self.over:
            self.over = True
            self.lock.release()


class ResponseCacheMiddleware:
    """ASGI middleware, outside of what packs answers."""

    def __init__(self, app: ASGIApp, store: Store, count: Callable[[Lookup], None]) -> None:
        """`count` is told how each request that may be answered from the cache was."""
        self._app = app
        self._store = store
        self._count = count
        self._answers = VersionedCache(_MAX_BYTES, lambda answer: len(answer.body), OLDEST_S)
        self._making: WeakValueDictionary[_Key, asyncio.Lock] = WeakValueDictionary()
        self._beside = asyncio.Semaphore()  # whoever waits comes before those for whom nobody does
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        key = _key(scope)
        moment = None if key is None else await self._moment()
        if key is None or moment is None:
            await self._app(scope, receive, send)
            return
        exact = _wants_fresh(scope)
        found = self._find(key, moment, exact=exact)
        self._count("miss" if found is None else "hit" if found.moment == moment else "stale")
        if found is None:
            found = await self._in_turn(key, scope, receive, send, exact=exact)
        elif found.moment != moment and found.age_s > found.lasts_s and key not in self._making:
            turn = _Turn(self._making.setdefault(key, asyncio.Lock()))
            # What the routes put into a scope is of this request alone.
            task = asyncio.create_task(self._make_beside(key, turn, dict(scope)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if found is not None:
            scope["route"] = found.route  # as if it had been asked: what measures requests looks there
            await _give(found, scope, send)

    def _find(self, key: _Key, moment: _StoreVersion, *, exact: bool) -> _Answer | None:
        """Find an answer that may be given."""
        cached = self._answers.find(key)
        if cached is None:
            return None
        found: _Answer = cached.value
        if found.moment is None or found.moment.written != moment.written:
            return None
        oldest_s = OLDEST_S if found.moment == moment else 0.0 if exact else BESIDE_S
        return found if found.age_s <= oldest_s else None

    async def _in_turn(
        self, key: _Key, scope: Scope, receive: Receive, send: Send, *, exact: bool
    ) -> _Answer | None:
        """Make a response, or wait for the request that is making it; None if it has been sent."""
        turn = _Turn(self._making.setdefault(key, asyncio.Lock()))
        await turn.lock.acquire()  # of several that ask for the same, one makes it
        try:
            moment = await self._moment()
            found = None if moment is None else self._find(key, moment, exact=exact)
            return found or await self._make(key, moment, turn, scope, receive, send)
        finally:
            turn.end()

    async def _make_beside(self, key: _Key, turn: _Turn, scope: Scope) -> None:
        """Refresh a response in the background."""
        async with self._beside:
            await turn.lock.acquire()
            try:
                moment = await self._moment()
                if moment is not None and self._find(key, moment, exact=True) is None:
                    await self._make(key, moment, turn, scope, _receive_nothing, _send_nowhere)
            except Exception:  # noqa: BLE001 - whatever it is, whoever asks next sees it
                self._answers.drop(key)
                _log.exception("%s: the answer could not be made anew", scope["path"])
            finally:
                turn.end()

    async def _moment(self) -> _StoreVersion | None:
        written = self._store.written
        try:
            if self._store.dialect == "sqlite":
                return _StoreVersion(self._store.version(), written)
            return _StoreVersion(await run_in_threadpool(self._store.version), written)
        except SQLAlchemyError:
            return None  # whoever makes the answer says so

    async def _make(
        self, key: _Key, moment: _StoreVersion | None, turn: _Turn, scope: Scope, receive: Receive, send: Send
    ) -> _Answer | None:
        """Make a response; one that may not be cached is sent at once, and None returned."""
        began = time.monotonic()
        marked: list[bool] = []
        start: Message = {}
        parts: list[bytes] = []
        held = False

        async def hold(message: Message) -> None:
            nonlocal start, held
            if message["type"] == "http.response.start":
                start = message
                held = bool(marked) and message["status"] == 200
                if not held:
                    turn.end()  # it may have no end
            elif held:
                parts.append(message.get("body", b""))
                return
            if not held:
                await send(message)

        # In place: what lies outside of this may look at what the routes have put into the scope.
        headers = scope["headers"]
        scope[_MARK], scope["headers"] = marked, _without_conditions(headers)
        try:
            await self._app(scope, receive, hold)
        finally:
            scope["headers"] = headers
        if not held:
            self._answers.drop(key)
            return None
        body = b"".join(parts)
        given = MutableHeaders(raw=list(start["headers"]))
        given.setdefault("ETag", f'W/"{sha256(body).hexdigest()[:16]}"')
        given.setdefault("Cache-Control", "no-cache")
        given["Content-Length"] = str(len(body))
        start = {**start, "headers": given.raw}
        lasts_s = min(MAX_STALE_S, _SHARE * (time.monotonic() - began))
        answer = _Answer(moment, began, lasts_s, start, body, given["ETag"], scope.get("route"))
        if moment is not None and len(body) <= _LARGEST:
            self._answers.put(key, moment, answer)
        return answer


async def _receive_nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _send_nowhere(message: Message) -> None:
    pass


def _wants_fresh(scope: Scope) -> bool:
    """Return whether a request asks for a fresh response."""
    return any(
        name == b"cache-control" and (b"no-cache" in value or b"max-age=0" in value)
        for name, value in scope["headers"]
    )


def _without_conditions(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Ask for the whole answer: whether the browser has it already is seen here."""
    return [each for each in headers if each[0] != b"if-none-match"]


def _key(scope: Scope) -> _Key | None:
    """Name what an answer depends on beside the store; None where it is not to be remembered."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith(_FILES):
        return None
    request = Request(scope)
    if "authorization" in request.headers or auth_cookies.is_shown(request, COOKIE):
        return None
    packed = "gzip" in request.headers.get("accept-encoding", "")
    host = request.headers.get("host", "")
    return (
        scope["scheme"],
        host,
        scope["path"],
        scope["query_string"].decode("latin-1"),
        choose(request),
        str(packed),
    )


async def _give(answer: _Answer, scope: Scope, send: Send) -> None:
    headers = list(answer.start["headers"])
    if Request(scope).headers.get("if-none-match") == answer.etag:
        kept = [
            each
            for each in headers
            if each[0] not in {b"content-length", b"content-type", b"content-encoding"}
        ]
        await send({"type": "http.response.start", "status": 304, "headers": kept})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({**answer.start, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
