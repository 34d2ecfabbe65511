"""A bot's call without a socket: what bytes of the referee come to, and what is to be sent."""

from __future__ import annotations

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived
from hyperframe.frame import (
    DataFrame,
    Frame,
    GoAwayFrame,
    PingFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

from arena.sdk.call_end import CallEnd, Code
from arena.sdk.grpc_stream import WINDOW_BYTES, GrpcStream, Received

METHOD = "/arena.v1.BotService/Connect"
HEAD = [(":status", "200"), ("content-type", "application/grpc")]
BROKEN = "the referee broke the rules of HTTP/2: "


class Referee:
    """The other side of a stream: h2's server, which checks what it is sent."""

    def __init__(self) -> None:
        self.stream = GrpcStream(METHOD, "sesame")
        self._http = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self._http.initiate_connection()
        self.request: dict[str, str] = {}
        self.data = b""
        self.take()

    def take(self) -> None:
        """Take in all that the stream has to send."""
        for event in self._http.receive_data(self.stream.data_to_send()):
            if isinstance(event, RequestReceived):
                self.request = {str(name): str(value) for name, value in event.headers}
            elif isinstance(event, DataReceived):
                self.data += event.data

    def greeted(self) -> GrpcStream:
        """Return the stream once it has heard the settings and that it is answered."""
        self._http.send_headers(1, HEAD)
        assert self.stream.receive(self._http.data_to_send()) == []
        return self.stream

    def widened(self, *, by: int, stream: int | None = None) -> bytes:
        """Allow the bot to send more, on the connection or on a stream."""
        self._http.increment_flow_control_window(by, stream)
        return self._http.data_to_send()

    def trailers(self, *fields: tuple[str, str]) -> bytes:
        self._http.send_headers(1, fields, end_stream=True)
        return self._http.data_to_send()


@pytest.fixture
def stream() -> GrpcStream:
    return Referee().greeted()


def prefixed(*messages: bytes) -> bytes:
    return b"".join(b"\0" + len(each).to_bytes(4, "big") + each for each in messages)


def data(content: bytes, *flags: str, padding: int = 0) -> bytes:
    return DataFrame(1, content, pad_length=padding, flags=flags).serialize()


def test_it_calls_the_method_with_its_token() -> None:
    request = Referee().request
    assert (request[":path"], request["authorization"]) == (METHOD, "Bearer sesame")


@pytest.mark.parametrize(
    ("wire", "messages"),
    [
        (data(prefixed(b"one")), [b"one"]),
        (data(prefixed(b"one", b"two", b"")), [b"one", b"two", b""]),
        (data(prefixed(b"one")[:3]) + data(b"") + data(prefixed(b"one")[3:]), [b"one"]),
        (data(prefixed(b"one"), "PADDED", padding=9), [b"one"]),
        (data(b"", "PADDED", padding=255) + data(prefixed(b"one")), [b"one"]),
        (b"\0\0\3c\0\0\0\0\0new" + data(prefixed(b"one")), [b"one"]),
        (GoAwayFrame(0, last_stream_id=2**31 - 1).serialize() + data(prefixed(b"one")), [b"one"]),
    ],
)
@pytest.mark.parametrize("part_bytes", [1, 7, 1000])
def test_messages_are_whole_however_they_are_cut(
    stream: GrpcStream, wire: bytes, messages: list[bytes], part_bytes: int
) -> None:
    received: list[Received] = []
    for at in range(0, len(wire), part_bytes):
        received += stream.receive(wire[at : at + part_bytes])
    assert received == messages


@pytest.mark.parametrize(
    ("wire", "end"),
    [
        (
            RstStreamFrame(1, error_code=7).serialize(),
            CallEnd(Code.UNAVAILABLE, "the referee reset the stream (HTTP/2 error 7)"),
        ),
        (
            GoAwayFrame(0, last_stream_id=0, additional_data=b"closing time").serialize(),
            CallEnd(Code.UNAVAILABLE, "the referee takes no more calls: closing time"),
        ),
        (
            data(b"\1\0\0\0\0"),
            CallEnd(Code.INTERNAL, "the referee sent a compressed message, which was not agreed"),
        ),
        (
            data(b"\0\2\0\0\0"),
            CallEnd(
                Code.RESOURCE_EXHAUSTED,
                "the referee sent a message of 33554432 bytes, at most 16777216 are taken",
            ),
        ),
        (data(b"", "END_STREAM"), CallEnd(Code.UNKNOWN, "the referee ended the stream without a status")),
        (b"\0\0\1\0\x08\0\0\0\1\5", CallEnd(Code.INTERNAL, BROKEN + "a frame that is all padding")),
        (b"\1\0\0" + bytes(6), CallEnd(Code.INTERNAL, BROKEN + "a frame of 65536 bytes")),
    ],
)
def test_the_call_ends_once_with_a_status_in_words(stream: GrpcStream, wire: bytes, end: CallEnd) -> None:
    assert stream.receive(wire + data(prefixed(b"more"))) == [end]
    assert stream.receive(data(prefixed(b"more"))) == []


def test_the_status_is_that_of_the_trailers() -> None:
    referee = Referee()
    stream = referee.greeted()
    trailers = referee.trailers(("grpc-status", "7"), ("grpc-message", "it%27s se%C3%B1or"))
    assert stream.receive(data(prefixed(b"last")) + trailers) == [
        b"last",
        CallEnd(Code.PERMISSION_DENIED, "it's señor"),
    ]


def test_data_before_the_header_fields_breaks_the_rules() -> None:
    stream = Referee().stream
    (end,) = stream.receive(SettingsFrame().serialize() + data(prefixed(b"early")))
    assert end == CallEnd(Code.INTERNAL, BROKEN + "data before the header fields")


def test_a_ping_is_answered(stream: GrpcStream) -> None:
    stream.data_to_send()
    stream.receive(PingFrame(0, b"are you?").serialize())
    assert stream.data_to_send() == PingFrame(0, b"are you?", flags=["ACK"]).serialize()


@pytest.mark.parametrize("padding", [0, 200])
def test_windows_are_widened_by_all_that_has_arrived(padding: int) -> None:
    stream = Referee().greeted()
    flags = ("PADDED",) if padding else ()
    content, granted, sent = prefixed(bytes(8_000)), 0, 0
    for _ in range(400):
        wire = data(content, *flags, padding=padding)
        sent += len(wire) - 9
        assert stream.receive(wire) == [bytes(8_000)]
        granted += sum(_granted(stream.data_to_send()))
        assert sent - granted <= WINDOW_BYTES
    assert granted > WINDOW_BYTES


def _granted(wire: bytes) -> list[int]:
    """Return by how much frames widen the window of the stream."""
    grants = []
    while wire:
        frame, length = Frame.parse_frame_header(memoryview(wire[:9]))
        frame.parse_body(memoryview(wire[9 : 9 + length]))
        if isinstance(frame, WindowUpdateFrame) and frame.stream_id == 1:
            grants.append(frame.window_increment)
        wire = wire[9 + length :]
    return grants


def test_what_the_windows_have_no_room_for_waits() -> None:
    referee = Referee()
    stream, message = referee.greeted(), bytes(70_000)
    stream.send(message)
    referee.take()
    assert len(referee.data) == 65_535
    stream.receive(referee.widened(by=100_000, stream=1))
    assert stream.data_to_send() == b""
    stream.receive(referee.widened(by=100_000))
    referee.take()
    assert referee.data == prefixed(message)


def test_a_first_window_that_shrinks_holds_back_what_was_not_sent(stream: GrpcStream) -> None:
    stream.receive(SettingsFrame(0, {SettingsFrame.INITIAL_WINDOW_SIZE: 3}).serialize())
    stream.data_to_send()
    stream.send(b"hello")
    assert stream.data_to_send() == data(prefixed(b"hello")[:3])
    stream.receive(WindowUpdateFrame(1, window_increment=4).serialize())
    assert stream.data_to_send() == data(prefixed(b"hello")[3:7])
