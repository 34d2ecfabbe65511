"""Answers are remembered until anything is committed to the store: most are asked for again before that.

    router = APIRouter(dependencies=[OfStore])      its answers follow from the address, the language and the store alone

What an answer was made from is told by the store's version, read before the answer is made: an answer that is given again is
what would be made now.  Only words about the time, such as the window of a chart, may be as old as OLDEST_S.  Nobody who is signed in is
answered from memory, nor do their answers go into it.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from fastapi import Depends
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.store import Store
from arena.web.identity import COOKIE
from arena.web.languages import choose

OLDEST_S = 30.0
_MOST_BYTES = 64 << 20
_LARGEST = 2 << 20
_MARK = "arena.remember"

_Key: TypeAlias = tuple[str, ...]


async def _mark(request: Request) -> None:
    box: list[bool] = request.scope.get(_MARK, [])
    box.append(True)


OfStore: Any = Depends(_mark)
"""For routes whose answers follow from the address, the language and the store alone."""


@dataclass(slots=True)
class _Answer:
    """An answer as it went out, packed or not, and the store's version that it was made from."""

    version: object
    made_at: float
    start: Message
    body: bytes
    etag: str


_FILES = ("/static/", "/sdk/", "/docs/images/", "/docs/records/")
"""Files are kept by browsers, and see for themselves what a browser has."""


@dataclass(slots=True)
class _Memory:
    """The answers, that which was not given for the longest first."""

    answers: OrderedDict[_Key, _Answer] = field(default_factory=OrderedDict)
    size: int = 0

    def find(self, key: _Key, version: object) -> _Answer | None:
        found = self.answers.get(key)
        if found is None or found.version != version or time.monotonic() - found.made_at > OLDEST_S:
            return None
        self.answers.move_to_end(key)
        return found

    def put(self, key: _Key, answer: _Answer) -> None:
        old = self.answers.pop(key, None)
        self.size += len(answer.body) - (0 if old is None else len(old.body))
        self.answers[key] = answer
        while self.size > _MOST_BYTES:
            _, gone = self.answers.popitem(last=False)
            self.size -= len(gone.body)


@dataclass(slots=True)
class _Turn:
    """A request's turn to make an answer."""

    lock: asyncio.Lock
    over: bool = False

    def end(self) -> None:
        """Let the next one have its turn, if that has not been done."""
        if not self.over:
            self.over = True
            self.lock.release()


class Remembering:
    """ASGI middleware, outside of what packs answers."""

    def __init__(self, app: ASGIApp, store: Store) -> None:
        self._app = app
        self._store = store
        self._memory = _Memory()
        self._making: WeakValueDictionary[_Key, asyncio.Lock] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        key = _key(scope)
        version = None if key is None else await self._version()
        if key is None or version is None:
            await self._app(scope, receive, send)
            return
        if (found := self._memory.find(key, version)) is not None:
            await _give(found, scope, send)
            return
        turn = _Turn(self._making.setdefault(key, asyncio.Lock()))
        await turn.lock.acquire()  # of several that ask for the same, one makes it
        try:
            version = await self._version()
            found = None if version is None else self._memory.find(key, version)
            if found is None:
                found = await self._make(key, version, turn, scope, receive, send)
        finally:
            turn.end()
        if found is not None:
            await _give(found, scope, send)

    async def _version(self) -> object:
        try:
            if self._store.dialect == "sqlite":
                return self._store.version()
            return await run_in_threadpool(self._store.version)
        except SQLAlchemyError:
            return None  # whoever makes the answer says so

    async def _make(  # noqa: PLR0917
        self, key: _Key, version: object, turn: _Turn, scope: Scope, receive: Receive, send: Send
    ) -> _Answer | None:
        """Have an answer made; what is not to be remembered is sent at once, and gives None."""
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
        scope[_MARK], scope["headers"] = marked, _whole(headers)
        try:
            await self._app(scope, receive, hold)
        finally:
            scope["headers"] = headers
        if not held:
            return None
        body = b"".join(parts)
        given = MutableHeaders(raw=list(start["headers"]))
        given.setdefault("ETag", f'W/"{sha256(body).hexdigest()[:16]}"')
        given.setdefault("Cache-Control", "no-cache")
        given["Content-Length"] = str(len(body))
        start = {**start, "headers": given.raw}
        answer = _Answer(version, time.monotonic(), start, body, given["ETag"])
        if version is not None and len(body) <= _LARGEST:
            self._memory.put(key, answer)
        return answer


def _whole(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Ask for the whole answer: whether the browser has it already is seen here."""
    return [each for each in headers if each[0] != b"if-none-match"]


def _key(scope: Scope) -> _Key | None:
    """Name what an answer depends on beside the store; None where it is not to be remembered."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith(_FILES):
        return None
    request = Request(scope)
    if "authorization" in request.headers or COOKIE in request.cookies:
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
