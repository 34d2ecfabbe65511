"""Holding a conversation over a stream: each frame is answered as soon as it is read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import grpc
from grpc.aio import EOF

from arena.sdk.conversation import Conversation
from arena.sdk.idle_memory import IdleMemory
from arena.v1.bot_pb2 import ConnectRequest

_BROKEN = (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
"""Exceptions of grpc when the other side is gone."""


class Stream(Protocol):
    """Either end of a bidirectional call of grpc.aio."""

    async def read(self) -> Any:  # noqa: ANN401 - a ConnectResponse, or grpc.aio.EOF
        """Read a frame."""
        ...

    def write(self, message: ConnectRequest) -> Coroutine[Any, Any, None]:
        """Write a frame."""
        ...


async def converse(
    stream: Stream,
    conversation: Conversation,
    hello: ConnectRequest,
    heard: Callable[[], None] = lambda: None,
) -> None:
    """Talk until the other side ends the stream; `heard` is called after each reading.

    Raises BotCrash, and what grpc raises when the stream breaks.
    """
    await stream.write(hello)
    writer = _Writer(stream)
    memory = IdleMemory()
    try:
        while (frame := await stream.read()) is not EOF:
            if writer.broken:
                conversation.hear_out([frame])  # its last words: they cannot be answered
                continue
            for reply in conversation.replies([frame]):
                writer.write(reply)
            memory.note(idle=conversation.idle)
            heard()
    finally:
        memory.close()
        writer.stop()


class _Writer:
    """Writes frames one after the other while the next are read, without a task.

    The first step of grpc's `write` runs at once and the rest when grpc's future is done, as a task of Python 3.12
    does if it starts eagerly: handing a frame from task to task would take longer than most bots think.
    """

    def __init__(self, stream: Stream) -> None:
        self.broken = False
        self._stream = stream
        self._waiting: list[ConnectRequest] = []
        self._coroutine: Coroutine[Any, Any, None] | None = None

    def write(self, frame: ConnectRequest) -> None:
        """Write a frame once those before it are written."""
        self._waiting.append(frame)
        if self._coroutine is None:
            self._next()

    def stop(self) -> None:
        """Write no more."""
        self.broken = True
        if self._coroutine is not None:
            self._coroutine.close()
            self._coroutine = None

    def _next(self) -> None:
        if self._waiting and not self.broken:
            self._coroutine = self._stream.write(self._waiting.pop(0))
            self._step()

    def _step(self, done: asyncio.Future[Any] | None = None) -> None:
        if self._coroutine is None:  # stopped in the meantime: how the write ended does not matter
            if done is not None and not done.cancelled():
                done.exception()
            return
        try:
            waits_for = self._coroutine.send(None)
        except StopIteration:
            self._coroutine = None
            self._next()
        except _BROKEN:
            self._coroutine = None
            self.broken = True
        else:
            waits_for._asyncio_future_blocking = False  # noqa: SLF001 - as a task does with what is yielded to it
            waits_for.add_done_callback(self._step)
