"""Waking the reconciler after every write that was taken: it may have given the workers something to do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from arena.messaging.wakeup import wake_async

if TYPE_CHECKING:
    import redis.asyncio
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_REFUSED = 400


class Waking:
    """ASGI middleware; no answer waits for Redis."""

    def __init__(self, app: ASGIApp, client: redis.asyncio.Redis) -> None:
        self._app = app
        self._client = client
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] in _READS:
            await self._app(scope, receive, send)
            return

        async def send_and_wake(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < _REFUSED and not self._tasks:
                task = asyncio.create_task(wake_async(self._client))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            await send(message)

        await self._app(scope, receive, send_and_wake)
