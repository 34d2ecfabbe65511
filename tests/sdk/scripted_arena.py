"""The arena's side of a bot's stream, played by hand: a real gRPC server, and bots in real processes."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc

from arena.v1 import bot_pb2 as pb

PATIENCE_S = 20.0

BOT = """
from arena.sdk import Bot, run

class Mine(Bot):
    matches_at_once = 8

    def choose(self, decision):
        {choose}

run(Mine())
"""


class Line:
    """One stream, as the arena has it."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self.closed = asyncio.Event()
        self.token = dict(context.invocation_metadata()).get("authorization", "")

    async def read(self) -> list[pb.BotMessage]:
        frame = await asyncio.wait_for(self._context.read(), PATIENCE_S)
        return list(frame.messages)

    async def write(self, *messages: pb.ArenaMessage) -> None:
        await self._context.write(pb.ConnectResponse(messages=messages))

    def close(self) -> None:
        self.closed.set()


class Stage:
    """A bots' port whose streams wait to be played by the test; `refusal` ends each at once."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.refusal: tuple[grpc.StatusCode, str] | None = None
        self._lines: asyncio.Queue[Line] = asyncio.Queue()

    async def connect(self, _requests: Any, context: Any) -> None:
        if self.refusal:
            await context.abort(*self.refusal)
        line = Line(context)
        await self._lines.put(line)
        await line.closed.wait()

    @property
    def waiting(self) -> int:
        """How many streams wait to be played."""
        return self._lines.qsize()

    async def line(self) -> Line:
        return await asyncio.wait_for(self._lines.get(), PATIENCE_S)


@asynccontextmanager
async def open_stage(folder: Path, name: str = "stage", *, over: str = "unix") -> AsyncIterator[Stage]:
    """Serve a bots' port over a Unix socket, or over TCP."""
    stage = Stage(f"unix:{folder / name}" if over == "unix" else "127.0.0.1:0")
    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(
        stage.connect,
        request_deserializer=pb.ConnectRequest.FromString,
        response_serializer=pb.ConnectResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("arena.v1.BotService", {"Connect": handler}),)
    )
    port = server.add_insecure_port(stage.address)
    if over == "tcp":
        stage.address = f"127.0.0.1:{port}"
    await server.start()
    try:
        yield stage
    finally:
        await server.stop(0)


@asynccontextmanager
async def bot_process(
    folder: Path, choose: str, *arguments: str, referee: str = "", source: str = BOT, **more: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a bot from a file of its own; `choose` is its method's body, `more` goes into its environment."""
    file = folder / "mine.py"
    file.write_text(source.format(choose=choose))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")}
    if referee:
        environment |= {"ARENA_REFEREE": referee, "ARENA_TOKEN": "sesame"}
    environment |= more
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(file),
        *arguments,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def ended(process: asyncio.subprocess.Process) -> tuple[int, str]:
    """Wait for a bot's end: its exit code and what it wrote to stderr."""
    _, stderr = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    assert process.returncode is not None
    return process.returncode, stderr.decode()


def welcome(*referees: str, address: str = "") -> pb.ArenaMessage:
    return pb.ArenaMessage(welcome=pb.Welcome(protocol=1, referees=referees, address=address))


def start(table: int = 1, **fields: Any) -> pb.ArenaMessage:
    known: dict[str, Any] = {
        "match": f"match{table}",
        "game": "lost_cities",
        "variant": "standard",
        "seats": 2,
        "bot_seed": bytes(32),
        "view_type": "arena.v1.LostCitiesView",
        "options": {"hands": 1},
    }
    return pb.ArenaMessage(start=pb.Start(table=table, **(known | fields)))


def ask(table: int = 1, decision: int = 1, **fields: Any) -> pb.ArenaMessage:
    known: dict[str, Any] = {
        "actions": ["play R2", "play R3", "discard R2"],
        "bank_ms": 30_000,
        "limit_ms": 10_000,
    }
    return pb.ArenaMessage(ask=pb.Ask(table=table, decision=decision, **(known | fields)))


def goodbye(*, come_back: bool) -> pb.ArenaMessage:
    return pb.ArenaMessage(goodbye=pb.Goodbye(reason="closing time", come_back=come_back))
