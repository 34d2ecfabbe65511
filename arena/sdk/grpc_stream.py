"""One streaming call of gRPC over HTTP/2, without I/O: bytes in, messages out, and the bytes that are to be sent.

    connection ──receive──▶ GrpcStream ──▶ messages, and the status at the end
    connection ◀─data_to_send── GrpcStream ◀──send── messages

How gRPC uses HTTP/2: grpc/doc/PROTOCOL-HTTP2.md.  Frames of data and of windows, which every message needs, are read and
written here, and h2 never sees them: code that runs once in a while, on a core that was woken for it, takes several times as
long as in a loop.  h2 has the rest: header fields, settings, pings.
"""

from __future__ import annotations

from typing import TypeAlias
from urllib.parse import unquote

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    Event,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes

from arena.sdk.call_end import CallEnd, Code

_STREAM = 1
"""The only stream of its connection."""
_HEAD_BYTES = 9
_DATA, _GOAWAY, _WINDOW_UPDATE = 0, 7, 8
"""Types of frames (RFC 9113, section 6)."""
_END_STREAM, _PADDED = 1, 8
_DATA_HEAD = bytes((_DATA, 0, 0, 0, 0, _STREAM))
"""The head of data on our stream, without its length and without flags."""
_MAX_FRAME_BYTES = 16_384
"""The most that a frame from the other side may have, since we have not allowed more."""
_DEFAULT_WINDOW_BYTES = 65_535
WINDOW_BYTES = 1 << 20
"""The most that the other side may send before we allow more."""
_PREFIX_BYTES = 5
_MAX_MESSAGE_BYTES = 16 << 20
_CODES = frozenset(Code)

Received: TypeAlias = bytes | CallEnd
"""A message, or the status with which the call ended."""


class GrpcStream:
    """The client's side of a call that streams in both directions.  Mutable; it has its connection for itself."""

    def __init__(self, method: str, token: str) -> None:
        """Begin a call of a method in the clear, on this machine."""
        self._http = http = H2Connection(H2Configuration(client_side=True, header_encoding="utf-8"))
        http.initiate_connection()
        http.update_settings({SettingCodes.ENABLE_PUSH: 0, SettingCodes.INITIAL_WINDOW_SIZE: WINDOW_BYTES})
        http.increment_flow_control_window(WINDOW_BYTES - _DEFAULT_WINDOW_BYTES)
        fields = {
            ":method": "POST",
            ":scheme": "http",
            ":path": method,
            ":authority": "localhost",
            "te": "trailers",
            "content-type": "application/grpc",
            "authorization": f"Bearer {token}",
        }
        http.send_headers(_STREAM, list(fields.items()))
        self._out = http.data_to_send()
        self._begun = b""
        """The beginning of a frame whose rest has not arrived."""
        self._read = bytearray()
        """The data of messages that are not whole yet."""
        self._owed = 0
        """Bytes that the other side may send again."""
        self._unsent = bytearray()
        """Messages for which the other side's windows have no room yet."""
        self._stream_room = self._first_stream_room = self._connection_room = _DEFAULT_WINDOW_BYTES
        self._max_frame = _MAX_FRAME_BYTES
        self._fields: dict[str, str] = {}
        """The header fields of the response."""
        self._received: list[Received] = []
        self._ended = False

    def send(self, message: bytes) -> None:
        """Add a message to what is to be sent."""
        self._unsent += b"\0" + len(message).to_bytes(4, "big") + message

    def data_to_send(self) -> bytes:
        """Return what is to be written now, as far as the other side's windows have room; empty if that is nothing."""
        data, unsent = self._out, self._unsent
        self._out = b""
        while unsent:
            length = min(len(unsent), self._max_frame, self._stream_room, self._connection_room)
            if length <= 0:
                break
            data += length.to_bytes(3, "big") + _DATA_HEAD + unsent[:length]
            del unsent[:length]
            self._stream_room -= length
            self._connection_room -= length
        return data

    def receive(self, data: bytes) -> list[Received]:
        """Take in what has arrived; return the messages that are whole now, and the status if the call has ended.

        After its status a call receives nothing.
        """
        received: list[Received] = []
        self._received = received
        try:
            self._take_frames(self._begun + data if self._begun else data)
        except ProtocolError as error:
            self._end(Code.INTERNAL, f"the referee broke the rules of HTTP/2: {error}")
        return received

    def _take_frames(self, data: bytes) -> None:
        at = 0
        while len(data) - at >= _HEAD_BYTES and not self._ended:
            length = int.from_bytes(data[at : at + 3], "big")
            if length > _MAX_FRAME_BYTES:
                raise ProtocolError(f"a frame of {length} bytes")
            start, end = at + _HEAD_BYTES, at + _HEAD_BYTES + length
            if end > len(data):
                break
            kind, stream = data[at + 3], int.from_bytes(data[at + 5 : start], "big")
            if kind == _DATA and stream == _STREAM:
                self._take_data(data[at + 4], data[start:end])
            elif kind == _WINDOW_UPDATE:
                self._widen(stream, int.from_bytes(data[start:end], "big"))
            elif kind == _GOAWAY:
                self._take_goaway(data[start:end])
            else:
                for event in self._http.receive_data(data[at:end]):
                    self._take(event)
                self._out += self._http.data_to_send()
            at = end
        self._begun = data[at:]

    def _take_data(self, flags: int, data: bytes) -> None:
        if not self._fields:
            raise ProtocolError("data before the header fields")
        self._owed += len(data)  # padding counts as well
        if flags & _PADDED:
            if not data or data[0] >= len(data):
                raise ProtocolError("a frame that is all padding")
            data = data[1 : len(data) - data[0]]
        self._read += data
        self._take_messages()
        if flags & _END_STREAM:
            self._end(*_status(self._fields))
        if self._owed > WINDOW_BYTES // 2:
            more = self._owed.to_bytes(4, "big")
            for stream in (0, _STREAM):
                self._out += bytes((0, 0, len(more), _WINDOW_UPDATE, 0, 0, 0, 0, stream)) + more
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
            self._received.append(bytes(read[_PREFIX_BYTES:end]))
            del read[:end]

    def _take_goaway(self, content: bytes) -> None:
        """End the call if it is among those that the other side does not answer; one that shuts down lets it end by itself."""
        if int.from_bytes(content[:4], "big") < _STREAM:
            said = content[8:].decode(errors="replace")
            self._end(Code.UNAVAILABLE, ": ".join(filter(None, ("the referee takes no more calls", said))))

    def _take(self, event: Event) -> None:
        match event:
            case ResponseReceived() | TrailersReceived():
                self._fields.update((str(name), str(value)) for name, value in event.headers)
            case StreamEnded():
                self._end(*_status(self._fields))
            case StreamReset():
                self._end(
                    Code.UNAVAILABLE, f"the referee reset the stream (HTTP/2 error {event.error_code:d})"
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

    def _end(self, code: Code, details: str) -> None:
        if not self._ended:
            self._ended = True
            self._received.append(CallEnd(code, details))


def _status(fields: dict[str, str]) -> tuple[Code, str]:
    """Return the status that a stream's header fields give."""
    if (http := fields.get(":status")) != "200":
        return Code.UNKNOWN, f"the referee answered with the HTTP status {http}"
    code = fields.get("grpc-status", "")
    if not code.isdecimal() or int(code) not in _CODES:
        return Code.UNKNOWN, "the referee ended the stream without a status"
    return Code(int(code)), unquote(fields.get("grpc-message", ""))
