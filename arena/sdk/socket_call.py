"""A call to a referee of this machine over its Unix socket: HTTP/2 by h2, in callbacks of the event loop.

grpc.aio hands each message from its own thread to the loop's: for a stream that carries one small message at a time this
takes longer than all else on the way (`make bench ARGS=referee`).  How gRPC uses HTTP/2: grpc/doc/PROTOCOL-HTTP2.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import cast
from urllib.parse import unquote

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)
from h2.exceptions import ProtocolError, StreamClosedError
from h2.settings import SettingCodes

from arena.net.address import Address
from arena.sdk.call_end import CallEnd, Code
from arena.sdk.conversation import Conversation
from arena.sdk.idle_memory import IdleMemory
from arena.v1.bot_pb2 import ConnectRequest, ConnectResponse

_STREAM = 1
"""The only one of its connection."""
_WINDOW_BYTES = 1 << 20
"""What the referee may send while the bot thinks."""
_DEFAULT_WINDOW_BYTES = 65_535
_PREFIX_BYTES = 5
_MAX_MESSAGE_BYTES = 16 << 20
_CODES = frozenset(Code)


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
    fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", method),
        (":authority", "localhost"),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
        ("authorization", f"Bearer {token}"),
    ]
    call = _SocketCall(fields, conversation, hello, heard)
    try:
        transport, _ = await asyncio.get_running_loop().create_unix_connection(lambda: call, path)
    except OSError as error:
        return CallEnd(Code.UNAVAILABLE, f"{path}: {error.strerror}")
    try:
        return await call.ended
    finally:
        call.close()
        transport.close()


class _SocketCall(asyncio.Protocol):
    """A stream in both directions; what arrives is answered in the callback that brings it.  Mutable."""

    def __init__(
        self,
        request: Sequence[tuple[str, str]],
        conversation: Conversation,
        hello: ConnectRequest,
        heard: Callable[[], None],
    ) -> None:
        self.ended: asyncio.Future[CallEnd] = asyncio.get_running_loop().create_future()
        self._request = request
        self._conversation = conversation
        self._heard = heard
        self._http = H2Connection(H2Configuration(client_side=True, header_encoding="utf-8"))
        self._transport: asyncio.Transport
        self._memory = IdleMemory()
        self._read = bytearray()
        self._unsent = bytearray()
        """What the referee's windows have no room for yet."""
        self._fields: dict[str, str] = {}
        """The header fields of the response."""
        self._send(hello)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the request and the first message."""
        self._transport = cast("asyncio.Transport", transport)
        http = self._http
        http.initiate_connection()
        http.update_settings({SettingCodes.ENABLE_PUSH: 0, SettingCodes.INITIAL_WINDOW_SIZE: _WINDOW_BYTES})
        http.increment_flow_control_window(_WINDOW_BYTES - _DEFAULT_WINDOW_BYTES)
        http.send_headers(_STREAM, self._request)
        self._flush()

    def close(self) -> None:
        """Leave the memory of the process as it is from now on."""
        self._memory.close()

    def data_received(self, data: bytes) -> None:
        """Answer what arrives."""
        if self.ended.done():
            return
        try:
            for event in self._http.receive_data(data):
                self._take(event)
            self._flush()
        except ProtocolError as error:
            self._end(Code.INTERNAL, f"the referee broke the rules of HTTP/2: {error}")
        except BaseException as error:  # noqa: BLE001 - BotCrash, or what the bot ends its process with
            if not self.ended.done():
                self.ended.set_exception(error)

    def connection_lost(self, error: Exception | None) -> None:
        """End the call if the referee did not."""
        why = f": {error}" if error else ""
        self._end(Code.UNAVAILABLE, f"the connection was closed{why}")

    def _take(self, event: Event) -> None:
        match event:
            case DataReceived():
                self._http.acknowledge_received_data(event.flow_controlled_length, _STREAM)
                self._read += event.data
                self._take_messages()
            case ResponseReceived() | TrailersReceived():
                self._fields.update((str(name), str(value)) for name, value in event.headers)
            case StreamEnded():
                self._end(*_status(self._fields))
            case StreamReset():
                self._end(
                    Code.UNAVAILABLE, f"the referee reset the stream (HTTP/2 error {event.error_code:d})"
                )
            case ConnectionTerminated():
                said = (event.additional_data or b"").decode(errors="replace")
                self._end(
                    Code.UNAVAILABLE, ": ".join(filter(None, ("the referee takes no more calls", said)))
                )

    def _take_messages(self) -> None:
        read = self._read
        while len(read) >= _PREFIX_BYTES:
            length = int.from_bytes(read[1:_PREFIX_BYTES], "big")
            if read[0]:
                self._end(Code.INTERNAL, "the referee sent a compressed message, which was not agreed")
                return
            if length > _MAX_MESSAGE_BYTES:
                words = (
                    f"the referee sent a message of {length} bytes, at most {_MAX_MESSAGE_BYTES} are taken"
                )
                self._end(Code.RESOURCE_EXHAUSTED, words)
                return
            end = _PREFIX_BYTES + length
            if len(read) < end:
                return
            frame = ConnectResponse.FromString(bytes(read[_PREFIX_BYTES:end]))
            del read[:end]
            for reply in self._conversation.replies([frame]):
                self._send(reply)
                self._flush()
            self._memory.note(idle=self._conversation.idle)
            self._heard()

    def _send(self, message: ConnectRequest) -> None:
        data = message.SerializeToString()
        self._unsent += b"\0" + len(data).to_bytes(4, "big") + data

    def _flush(self) -> None:
        """Hand over what may be sent now."""
        http, unsent = self._http, self._unsent
        try:
            while unsent:
                room = min(http.local_flow_control_window(_STREAM), http.max_outbound_frame_size)
                if room <= 0:
                    break
                http.send_data(_STREAM, bytes(unsent[:room]))
                del unsent[:room]
        except StreamClosedError:
            unsent.clear()  # the stream's last words are among what has arrived: they cannot be answered
        if data := http.data_to_send():
            self._transport.write(data)

    def _end(self, code: Code, details: str) -> None:
        if not self.ended.done():
            self.ended.set_result(CallEnd(code, details))


def _status(fields: dict[str, str]) -> tuple[Code, str]:
    """Return the status that a stream's header fields give."""
    if (http := fields.get(":status")) != "200":
        return Code.UNKNOWN, f"the referee answered with the HTTP status {http}"
    code = fields.get("grpc-status", "")
    if not code.isdecimal() or int(code) not in _CODES:
        return Code.UNKNOWN, "the referee ended the stream without a status"
    return Code(int(code)), unquote(fields.get("grpc-message", ""))
