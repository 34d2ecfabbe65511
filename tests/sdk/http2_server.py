"""A referee's port that speaks HTTP/2 by hand, as unusually as the rules allow: one connection of one bot.

It keeps to the windows that the bot grants, and holds the bot to those that it grants itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from hpack import Encoder
from hyperframe.frame import (
    ContinuationFrame,
    DataFrame,
    Frame,
    HeadersFrame,
    PingFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

from arena.v1 import bot_pb2 as pb

PATIENCE_S = 20.0
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DEFAULT_WINDOW_BYTES = 65_535


@dataclass(frozen=True, slots=True)
class Manner:
    """The way in which a server writes what it has to say."""

    frame_bytes: int = 16_000
    """Of content in a frame of data."""
    write_bytes: int = 1 << 20
    """What is written at once."""
    padding: int = 0
    between: bytes = b""
    """Frames before each frame of data."""
    head_bytes: int = 16_000
    """Of header fields in a frame; the rest comes as CONTINUATION."""
    head_flags: tuple[str, ...] = ()
    settings: tuple[tuple[int, int], ...] = ()
    grant_bytes: int = 0
    """By how much the bot's windows are widened at a time; 0 if they are wide from the start."""


class Connection:
    """The server's side of a connection, with the frames that have come in."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, manner: Manner) -> None:
        self.messages: asyncio.Queue[pb.BotMessage] = asyncio.Queue()
        self.acknowledged: list[bytes] = []
        """The content of the pings that were answered."""
        self.settings_acknowledged = 0
        self._reader, self._writer, self._manner = reader, writer, manner
        self._encoder = Encoder()
        self._encoder.header_table_size = 0
        self._data = b""
        self._changed = asyncio.Event()
        self._writing = asyncio.Lock()
        self._room = {0: DEFAULT_WINDOW_BYTES, 1: DEFAULT_WINDOW_BYTES}
        """What the bot's windows have room for."""
        self._first_room = DEFAULT_WINDOW_BYTES
        self.granted = {0: DEFAULT_WINDOW_BYTES, 1: DEFAULT_WINDOW_BYTES}
        """What the bot may still send."""

    async def begin(self) -> None:
        """Send settings and the head of the response."""
        settings = dict(self._manner.settings)
        await self.write(SettingsFrame(0, settings).serialize())
        await self.head((":status", "200"), ("content-type", "application/grpc"), ("x-long", "ñ" * 50))

    async def head(self, *fields: tuple[str, str], last: bool = False) -> None:
        """Send header fields."""
        block, size = self._encoder.encode(fields), self._manner.head_bytes
        parts = [block[at : at + size] for at in range(0, len(block), size)]
        flags = [*self._manner.head_flags, *(["END_STREAM"] if last else [])]
        padding = 99 if "PADDED" in flags else 0
        frames: list[Frame] = [HeadersFrame(1, parts[0], flags=flags, pad_length=padding)]
        frames += [ContinuationFrame(1, part) for part in parts[1:]]
        frames[-1].flags.add("END_HEADERS")
        await self.write(b"".join(frame.serialize() for frame in frames))

    async def say(self, *messages: pb.ArenaMessage) -> None:
        """Send a message of gRPC for each message of the arena, one after the other in the same frames of data."""
        sent = [pb.ConnectResponse(messages=[each]).SerializeToString() for each in messages]
        content = b"".join(b"\0" + len(each).to_bytes(4, "big") + each for each in sent)
        padding = self._manner.padding
        flags = ["PADDED"] if padding else []
        for at in range(0, len(content), self._manner.frame_bytes):
            part = content[at : at + self._manner.frame_bytes]
            size = len(part) + (padding + 1 if padding else 0)
            await self._until(lambda size=size: min(self._room.values()) >= size)  # type: ignore[misc]
            self._room = {stream: room - size for stream, room in self._room.items()}
            frame = DataFrame(1, part, flags=flags, pad_length=padding)
            await self.write(self._manner.between + frame.serialize())

    async def hear(self) -> pb.BotMessage:
        """Return the bot's next message, and grant it the room to send it."""
        while self._manner.grant_bytes and self.messages.empty():
            await self.grant(self._manner.grant_bytes)
            await asyncio.sleep(0.001)
        return await asyncio.wait_for(self.messages.get(), PATIENCE_S)

    async def grant(self, size: int) -> None:
        """Widen both windows of the bot."""
        for stream in (0, 1):
            self.granted[stream] += size
            await self.write(WindowUpdateFrame(stream, window_increment=size).serialize())

    async def write(self, wire: bytes) -> None:
        """Write in parts, each by itself."""
        async with self._writing:
            for at in range(0, len(wire), self._manner.write_bytes):
                self._writer.write(wire[at : at + self._manner.write_bytes])
                await self._writer.drain()
                await asyncio.sleep(0)

    async def listen(self) -> None:
        """Take in frames until the bot hangs up."""
        assert await self._reader.readexactly(len(PREFACE)) == PREFACE
        while True:
            try:
                frame, length = Frame.parse_frame_header(memoryview(await self._reader.readexactly(9)))
                frame.parse_body(memoryview(await self._reader.readexactly(length)))
            except (asyncio.IncompleteReadError, ConnectionError):
                return
            await self._take(frame)
            self._changed.set()

    async def _take(self, frame: Frame) -> None:
        if isinstance(frame, DataFrame):
            for stream in (0, 1):
                self.granted[stream] -= len(frame.data)
            assert min(self.granted.values()) >= 0, "the bot has sent more than it was granted"
            self._data += frame.data
            self._take_messages()
            if not self._manner.grant_bytes:
                await self.grant(len(frame.data) or 1)
        elif isinstance(frame, WindowUpdateFrame):
            self._room[frame.stream_id] += frame.window_increment
        elif isinstance(frame, PingFrame):
            self.acknowledged.append(frame.opaque_data)
        elif isinstance(frame, SettingsFrame) and "ACK" in frame.flags:
            self._acknowledge()
        elif isinstance(frame, SettingsFrame):
            first = frame.settings.get(SettingsFrame.INITIAL_WINDOW_SIZE, self._first_room)
            self._room[1] += first - self._first_room
            self._first_room = first
            await self.write(SettingsFrame(0, flags=["ACK"]).serialize())

    def _acknowledge(self) -> None:
        self.settings_acknowledged += 1
        if self.settings_acknowledged == 1:
            first = dict(self._manner.settings).get(SettingsFrame.INITIAL_WINDOW_SIZE, DEFAULT_WINDOW_BYTES)
            self.granted[1] += first - DEFAULT_WINDOW_BYTES

    def _take_messages(self) -> None:
        while len(self._data) >= 5 and len(self._data) >= (end := 5 + int.from_bytes(self._data[1:5], "big")):
            for message in pb.ConnectRequest.FromString(self._data[5:end]).messages:
                self.messages.put_nowait(message)
            self._data = self._data[end:]

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                self._changed.clear()
                await self._changed.wait()


@asynccontextmanager
async def serving(path: Path, manner: Manner) -> AsyncIterator[asyncio.Queue[Connection]]:
    """Serve connections at a Unix socket; each waits to be played."""
    connections: asyncio.Queue[Connection] = asyncio.Queue()
    broken: list[BaseException] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer, manner)
        connections.put_nowait(connection)
        try:
            await connection.listen()
        except AssertionError as error:
            broken.append(error)
        finally:
            writer.close()

    async with await asyncio.start_unix_server(serve, path):
        yield connections
    assert broken == []
