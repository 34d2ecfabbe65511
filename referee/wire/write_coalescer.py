"""Writing to bots: messages are collected while input is handled, and then sent as one frame.

Half of the referee's time with one match at a time goes into handing messages from coroutine to coroutine.  So a
frame is written from where it was made, without waking a task for it: the first step of grpc's `write` runs at once,
and the rest when grpc's future is done, as a task of Python 3.12 does if it starts eagerly.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from math import inf
from typing import Any, Protocol

import grpc

from referee.limits.match_clock import StallAwareClock

BROKEN = (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
"""What grpc raises when the other side is gone."""


class Stream(Protocol):
    """Either end of a bidirectional call of grpc.aio, with bytes for messages."""

    async def read(self) -> Any:  # noqa: ANN401 - bytes, or grpc.aio.EOF
        """Read a message."""
        ...

    def write(self, message: bytes) -> Coroutine[Any, Any, None]:
        """Write a message; waits while the other side does not read."""
        ...


class WriteCoalescer:
    """The writers that have something to write: one per referee."""

    def __init__(self) -> None:
        self._due: list[Writer] = []
        self._called = False

    def put(self, writer: Writer) -> None:
        """Have a writer write when `collect` is called, which is at the latest in the loop's next turn."""
        self._due.append(writer)
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self.flush)

    def cork(self) -> None:
        """Gather what is put from now on: `collect` will be called before the loop's next turn."""
        self._called = True

    def flush(self) -> None:
        """Have all write now."""
        self._called = False
        if self._due:
            due, self._due = self._due, []
            for writer in due:
                writer.flush()


class Writer:
    """The writing side of one stream."""

    def __init__(
        self, stream: Stream, coalescer: WriteCoalescer, clock: StallAwareClock, on_frame: Callable[[], None]
    ) -> None:
        self.unsent_bytes = 0
        self.write_began_ms = inf
        """When the current write began; infinity if there is none."""
        self._write = stream.write
        self._coalescer = coalescer
        self._clock = clock
        self._on_frame = on_frame
        self._outbox: list[bytes] = []
        self._due = False
        self._coroutine: Coroutine[Any, Any, None] | None = None
        self._in_flight = 0
        self._closed = False
        self._drained: asyncio.Future[None] | None = None

    def put(self, message: bytes) -> None:
        """Have a message written."""
        self._outbox.append(message)
        self.unsent_bytes += len(message)
        if not self._due and self._coroutine is None:
            self._due = True
            self._coalescer.put(self)

    def flush(self) -> None:
        """Write what has gathered as one frame, unless a write goes on."""
        self._due = False
        outbox = self._outbox
        if self._coroutine is not None or self._closed or not outbox:
            return
        frame = outbox[0] if len(outbox) == 1 else b"".join(outbox)
        outbox.clear()
        self._in_flight = len(frame)
        self._on_frame()
        self.write_began_ms = self._clock.now_ms()
        self._coroutine = self._write(frame)
        self._step()

    async def drain(self, wait_s: float) -> None:
        """Wait until all is written, but not for ever."""
        self.flush()
        if self._coroutine is not None:
            self._drained = asyncio.get_running_loop().create_future()
            await asyncio.wait({self._drained}, timeout=wait_s)

    def close(self) -> None:
        """Write no more."""
        self._closed = True
        if self._coroutine is not None:
            self._coroutine.close()
            self._coroutine = None

    def _step(self, done: asyncio.Future[Any] | None = None) -> None:
        coroutine = self._coroutine
        if coroutine is None:  # closed in the meantime: how the write ended is nobody's business
            if done is not None and not done.cancelled():
                done.exception()
            return
        try:
            waits_for = coroutine.send(None)
        except StopIteration:
            self._written()
        except BROKEN:
            self.close()  # the reader learns of it too, and says so
            self._tell_drained()
        else:
            waits_for._asyncio_future_blocking = False  # as a task does when a future is yielded to it  # noqa: SLF001
            waits_for.add_done_callback(self._step)

    def _written(self) -> None:
        self._coroutine = None
        self.write_began_ms = inf
        self.unsent_bytes -= self._in_flight
        if self._outbox:
            self.flush()
        else:
            self._tell_drained()

    def _tell_drained(self) -> None:
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)
