"""Writing to bots: messages are collected while input is handled, and then sent as one frame.

With one match at a time, the referee spends half of its time passing messages between coroutines.  So a frame is written
without a task: the first step of grpc's `write` is run at once, and the rest when the future that it yields is done.  An
eager task would do the same, from Python 3.12 on; an ordinary one costs more than 5 % of the referee's CPU time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from math import inf
from typing import Any, Protocol

import grpc

from referee.limits.match_clock import StallAwareClock

BROKEN = (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
"""Exceptions of grpc when the other side has disconnected."""


class Stream(Protocol):
    """Either end of a bidirectional call of grpc.aio whose messages are bytes."""

    async def read(self) -> Any:  # noqa: ANN401 - bytes, or grpc.aio.EOF
        """Read a message."""
        ...

    def write(self, message: bytes) -> Coroutine[Any, Any, None]:
        """Write a message; waits while the other side does not read."""
        ...


class WriteCoalescer:
    """Flushes the writers that have messages, at the end of a piece of work.  One per referee; mutable."""

    def __init__(self) -> None:
        self._due: list[Writer] = []
        self._is_scheduled = False

    def put(self, writer: Writer) -> None:
        """Register a writer for the next `flush`, which is called in the loop's next turn at the latest."""
        self._due.append(writer)
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self.flush)

    def cork(self) -> None:
        """Collect messages until `flush`, which the caller calls before the loop's next turn."""
        self._is_scheduled = True

    def flush(self) -> None:
        """Flush all writers that have messages."""
        self._is_scheduled = False
        if self._due:
            due, self._due = self._due, []
            for writer in due:
                writer.flush()


class Writer:
    """The writing side of one stream.  Mutable; `on_frame` is called before each frame."""

    def __init__(
        self, stream: Stream, coalescer: WriteCoalescer, clock: StallAwareClock, on_frame: Callable[[], None]
    ) -> None:
        self.unsent_bytes = 0
        """The size of all messages that are not written yet."""
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
        """Send a message with the next frame."""
        self._outbox.append(message)
        self.unsent_bytes += len(message)
        if not self._due and self._coroutine is None:
            self._due = True
            self._coalescer.put(self)

    def flush(self) -> None:
        """Write the collected messages as one frame, unless a write is going on."""
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
        """Wait until all messages are written, at most `wait_s` seconds."""
        self.flush()
        if self._coroutine is not None:
            self._drained = asyncio.get_running_loop().create_future()
            await asyncio.wait({self._drained}, timeout=wait_s)

    def close(self) -> None:
        """Stop writing; messages that are not written yet are dropped."""
        self._closed = True
        # Else a connection and its writer would be a cycle, which lives until the garbage collector comes: an hour.
        self._on_frame = _do_nothing
        if self._coroutine is not None:
            self._coroutine.close()
            self._coroutine = None

    def _step(self, done: asyncio.Future[Any] | None = None) -> None:
        """Run the write to the next future that it waits for, or to its end."""
        coroutine = self._coroutine
        if coroutine is None:  # closed meanwhile: the outcome does not matter
            if done is not None and not done.cancelled():
                done.exception()
            return
        try:
            future = coroutine.send(None)
        except StopIteration:
            self._written()
        except BROKEN:
            self.close()  # the reading side gets the error, too
            self._notify_drained()
        else:
            future.add_done_callback(self._step)

    def _written(self) -> None:
        self._coroutine = None
        self.write_began_ms = inf
        self.unsent_bytes -= self._in_flight
        if self._outbox:
            self.flush()
        else:
            self._notify_drained()

    def _notify_drained(self) -> None:
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)


def _do_nothing() -> None:
    pass
