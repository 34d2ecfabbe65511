"""A call to a referee of this machine over its Unix socket: HTTP/2 in callbacks of the event loop.

grpc.aio hands each message from its own thread to the loop's: where a stream carries one small message at a time, this
takes longer than all else on the way (docs/architecture-referee.md, *Where a decision's time goes*).  How gRPC uses HTTP/2: grpc/doc/PROTOCOL-HTTP2.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import cast
from urllib.parse import unquote

from google.protobuf.message import DecodeError
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes

from arena.net.address import Address
from arena.sdk.call_end import CallEnd, Code
from arena.sdk.conversation import Conversation
from arena.sdk.idle_memory import IdleMemory
from arena.v1.bot_pb2 import ConnectRequest, ConnectResponse

_STREAM = 1
"""The only one of its connection."""
_HEAD_BYTES = 9
_DATA, _WINDOW_UPDATE = 0, 8
"""Types of frames (RFC 9113, section 6)."""
_DATA_HEAD = bytes((_DATA, 0, 0, 0, 0, _STREAM))
"""A head without its length: of data, without flags, on our stream."""
_MAX_FRAME_BYTES = 16_384
"""What the referee may send in one, since we have not said otherwise."""
_DEFAULT_WINDOW_BYTES = 65_535
_WINDOW_BYTES = 1 << 20
"""What the referee may send while the bot thinks."""
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
        return CallEnd(Code.UNAVAILABLE, f"{path}: {error.strerror or error}")
    try:
        return await call.ended
    finally:
        call.close()
        transport.close()


class _SocketCall(asyncio.Protocol):
    """A stream in both directions; what arrives is answered in the callback that brings it.  Mutable.

    Frames of data and of windows, which every message needs, are read and written here, and h2 never sees them: code
    that runs once in a while, on a core that was woken for it, takes several times as long as in a loop.
    """

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
        self._begun = b""
        """The beginning of a frame whose rest has not arrived."""
        self._read = bytearray()
        """Data of messages that are not whole yet."""
        self._owed = 0
        """Bytes that the referee may send again."""
        self._unsent = bytearray()
        """What the referee's windows have no room for yet."""
        self._stream_room = self._first_stream_room = self._connection_room = _DEFAULT_WINDOW_BYTES
        self._max_frame = _MAX_FRAME_BYTES
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
        self._transport.write(http.data_to_send())
        self._flush()

    def close(self) -> None:
        """Leave the memory of the process as it is from now on."""
        self._memory.close()

    def data_received(self, data: bytes) -> None:
        """Answer what arrives."""
        try:
            self._take_frames(self._begun + data if self._begun else data)
        except ProtocolError as error:
            self._end(Code.INTERNAL, f"the referee broke the rules of HTTP/2: {error}")
        except BaseException as error:  # noqa: BLE001 - BotCrash, or what the bot ends its process with
            if not self.ended.done():
                self.ended.set_exception(error)

    def connection_lost(self, error: Exception | None) -> None:
        """End the call if the referee did not."""
        why = f": {error}" if error else ""
        self._end(Code.UNAVAILABLE, f"the connection was closed{why}")

    def _take_frames(self, data: bytes) -> None:
        at = 0
        while len(data) - at >= _HEAD_BYTES and not self.ended.done():
            length = int.from_bytes(data[at : at + 3], "big")
            if length > _MAX_FRAME_BYTES:
                raise ProtocolError(f"a frame of {length} bytes")
            start, end = at + _HEAD_BYTES, at + _HEAD_BYTES + length
            if end > len(data):
                break
            if data[at + 3 : start] == _DATA_HEAD:
                self._take_data(data[start:end])
            elif data[at + 3] == _WINDOW_UPDATE:
                self._widen(
                    int.from_bytes(data[at + 5 : start], "big"), int.from_bytes(data[start:end], "big")
                )
            else:
                for event in self._http.receive_data(data[at:end]):
                    self._take(event)
                if answer := self._http.data_to_send():
                    self._transport.write(answer)
            at = end
        self._begun = data[at:]

    def _take_data(self, data: bytes) -> None:
        self._read += data
        self._take_messages()
        self._owed += len(data)
        if self._owed > _WINDOW_BYTES // 2:
            more = self._owed.to_bytes(4, "big")
            for stream in (0, _STREAM):
                self._transport.write(_head(_WINDOW_UPDATE, stream, len(more)) + more)
            self._owed = 0

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
            try:
                frame = ConnectResponse.FromString(bytes(read[_PREFIX_BYTES:end]))
            except DecodeError:
                self._end(Code.INTERNAL, "the referee sent a message that cannot be read")
                return
            del read[:end]
            for reply in self._conversation.replies([frame]):
                self._send(reply)
                self._flush()
            self._memory.note(idle=self._conversation.idle)
            self._heard()

    def _take(self, event: Event) -> None:
        match event:
            case DataReceived():
                self._take_data(event.data)
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
            case RemoteSettingsChanged():
                settings = self._http.remote_settings
                self._max_frame = settings.max_frame_size
                self._widen(_STREAM, settings.initial_window_size - self._first_stream_room)
                self._first_stream_room = settings.initial_window_size

    def _widen(self, stream: int, more: int) -> None:
        if stream:
            self._stream_room += more
        else:
            self._connection_room += more
        self._flush()

    def _send(self, message: ConnectRequest) -> None:
        data = message.SerializeToString()
        self._unsent += b"\0" + len(data).to_bytes(4, "big") + data

    def _flush(self) -> None:
        """Hand over what may be sent now."""
        unsent = self._unsent
        while unsent:
            length = min(len(unsent), self._max_frame, self._stream_room, self._connection_room)
            if length <= 0:
                return
            self._transport.write(_head(_DATA, _STREAM, length) + unsent[:length])
            del unsent[:length]
            self._stream_room -= length
            self._connection_room -= length

    def _end(self, code: Code, details: str) -> None:
        if not self.ended.done():
            self.ended.set_result(CallEnd(code, details))


def _head(kind: int, stream: int, length: int) -> bytes:
    """Return a frame's head, without flags."""
    return length.to_bytes(3, "big") + bytes((kind, 0)) + stream.to_bytes(4, "big")


def _status(fields: dict[str, str]) -> tuple[Code, str]:
    """Return the status that a stream's header fields give."""
    if (http := fields.get(":status")) != "200":
        return Code.UNKNOWN, f"the referee answered with the HTTP status {http}"
    code = fields.get("grpc-status", "")
    if not code.isdecimal() or int(code) not in _CODES:
        return Code.UNKNOWN, "the referee ended the stream without a status"
    return Code(int(code)), unquote(fields.get("grpc-message", ""))
