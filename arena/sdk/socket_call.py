"""A call to a referee of this machine over its Unix socket, in callbacks of the event loop.

grpc.aio hands each message from its own thread to the loop's: where a stream carries one small message at a time, this
takes longer than all else on the way (docs/architecture-referee.md, *Where a decision's time goes*).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

from google.protobuf.message import DecodeError

from arena.net.address import Address
from arena.sdk.call_end import CallEnd, Code
from arena.sdk.conversation import Conversation
from arena.sdk.grpc_stream import GrpcStream
from arena.sdk.idle_memory import IdleMemory
from arena.v1.bot_pb2 import ConnectRequest, ConnectResponse


async def talk(
    where: Address,
    method: str,
    token: str,
    conversation: Conversation,
    hello: ConnectRequest,
    heard: Callable[[], None],
) -> CallEnd:
    """Call a method, talk until the stream ends, and return how; `heard` is called after each message.

    Raises BotCrash.
    """
    path = where.target.removeprefix("unix:")
    call = _SocketCall(GrpcStream(method, token), conversation, hello, heard)
    try:
        transport, _ = await asyncio.get_running_loop().create_unix_connection(lambda: call, path)
    except OSError as error:
        return CallEnd(Code.UNAVAILABLE, f"{path}: {error.strerror or error}")
    try:
        return await call.ended
    finally:
        call.close()
        transport.close()


class _SocketCall(asyncio.Protocol):
    """A stream on a socket: each message that arrives is answered in the callback that brings it.  Mutable."""

    def __init__(
        self,
        stream: GrpcStream,
        conversation: Conversation,
        hello: ConnectRequest,
        heard: Callable[[], None],
    ) -> None:
        self.ended: asyncio.Future[CallEnd] = asyncio.get_running_loop().create_future()
        self._stream = stream
        self._conversation = conversation
        self._heard = heard
        self._transport: asyncio.Transport
        self._memory = IdleMemory()
        stream.send(hello.SerializeToString())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the request and the first message."""
        self._transport = cast("asyncio.Transport", transport)
        self._flush()

    def close(self) -> None:
        """Leave the memory of the process as it is from now on."""
        self._memory.close()

    def data_received(self, data: bytes) -> None:
        """Answer what arrives."""
        try:
            for received in self._stream.receive(data):
                if self.ended.done():
                    return
                if isinstance(received, CallEnd):
                    self._end(received)
                else:
                    self._answer(received)
            self._flush()
        except BaseException as error:  # noqa: BLE001 - BotCrash, or what the bot ends its process with
            if not self.ended.done():
                self.ended.set_exception(error)

    def connection_lost(self, error: Exception | None) -> None:
        """End the call if the referee did not."""
        why = f": {error}" if error else ""
        self._end(CallEnd(Code.UNAVAILABLE, f"the connection was closed{why}"))

    def _answer(self, message: bytes) -> None:
        try:
            frame = ConnectResponse.FromString(message)
        except DecodeError:
            self._end(CallEnd(Code.INTERNAL, "the referee sent a message that cannot be read"))
            return
        for reply in self._conversation.replies([frame]):
            self._stream.send(reply.SerializeToString())
            self._flush()
        self._memory.note(idle=self._conversation.idle)
        self._heard()

    def _flush(self) -> None:
        """Write what may be sent now."""
        if data := self._stream.data_to_send():
            self._transport.write(data)

    def _end(self, end: CallEnd) -> None:
        if not self.ended.done():
            self.ended.set_result(end)
