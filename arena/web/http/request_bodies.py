"""Bodies of requests: bounded in size and in the time that they may take.

A body that a route declares is read whole before the sender is authenticated.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from arena.web.http.web_limits import Limits


class BoundedBodies:
    """ASGI middleware that takes no body that is too long or too slow; of `streamed` requests, `METHOD PATH`, the route bounds its length."""

    def __init__(self, app: ASGIApp, limits: Limits, streamed: re.Pattern[str]) -> None:
        self._app = app
        self._limits = limits
        self._streamed = streamed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_streamed = self._streamed.fullmatch(f"{scope['method']} {scope['path']}") is not None
        body = _Body(self._limits, receive, bounded=not is_streamed)
        await self._app(scope, body.receive, send)


class _Body:
    """The body of one request.  Mutable."""

    def __init__(self, limits: Limits, receive: Receive, *, bounded: bool) -> None:
        self._limits = limits
        self._receive = receive
        self._bounded = bounded
        self._taken = 0
        self._waited_s = 0.0
        """Seconds spent waiting for the sender; time spent on our side is not counted."""
        self._whole = False

    async def receive(self) -> Message:
        """Wait for the next part.  Raises HTTPException."""
        if self._whole:  # what comes now is that the client has gone, and there is no hurry
            return await self._receive()
        began = time.monotonic()
        may_take_s = self._limits.body_grace_s + self._taken / self._limits.min_body_pace - self._waited_s
        try:
            async with asyncio.timeout(may_take_s):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(
                408,
                f"The body came too slowly: {self._taken} bytes so far, and after {self._limits.body_grace_s:g} s"
                f" at least {self._limits.min_body_pace} bytes a second are needed.",
                {"Connection": "close"},
            ) from None
        self._waited_s += time.monotonic() - began
        self._taken += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._bounded and self._taken > self._limits.max_body_bytes:
            raise HTTPException(
                413, f"The body is too large: at most {self._limits.max_body_bytes} bytes are taken here."
            )
        return message
