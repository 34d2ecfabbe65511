"""The bot's call over a Unix socket: what servers do to it, and how much passes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived

from arena.v1 import lost_cities_pb2, match_pb2
from tests.sdk.scripted_arena import PATIENCE_S, ask, bot_process, open_stage, start

FIRST = "return decision.legal[0]"
HEAD = [(":status", "200"), ("content-type", "application/grpc")]
SAY = """
from arena.sdk import Bot, Line, run

class Mine(Bot):
    def choose(self, decision):
        {choose}

    def say(self, decision):
        return Line(text="x" * 1_000_000)

run(Mine())
"""


def _end(http: H2Connection, *fields: tuple[str, str], more: str = "") -> None:
    http.send_headers(1, HEAD)
    http.send_headers(1, [("x-long", more), *fields], end_stream=True)


def _send(http: H2Connection, data: bytes) -> None:
    http.send_headers(1, HEAD)
    http.send_data(1, data)


WAYS: dict[str, tuple[Callable[[H2Connection], object], str]] = {
    "reset": (lambda http: http.reset_stream(1, 7), "the referee reset the stream (HTTP/2 error 7)"),
    "goaway": (
        lambda http: http.close_connection(additional_data=b"closing time", last_stream_id=0),
        "the referee takes no more calls: closing time",
    ),
    "compressed": (
        lambda http: _send(http, bytes([1, 0, 0, 0, 1, 0])),
        "the referee sent a compressed message, which was not agreed",
    ),
    "garbage": (
        lambda http: _send(http, bytes([0, 0, 0, 0, 1, 255])),
        "the referee sent a message that cannot be read",
    ),
    "enormous": (
        lambda http: _send(http, bytes([0, 2, 0, 0, 0])),
        "the referee sent a message of 33554432 bytes, at most 16777216 are taken",
    ),
    "unavailable": (
        lambda http: http.send_headers(1, [(":status", "503")], end_stream=True),
        "the referee answered with the HTTP status 503",
    ),
    "unended": (_end, "the referee ended the stream without a status"),
    "status from elsewhere": (
        lambda http: _end(http, ("grpc-status", "99")),
        "the referee ended the stream without a status",
    ),
    "escaped": (
        lambda http: _end(
            http, ("grpc-status", "7"), ("grpc-message", "it%27s se%C3%B1or"), more="y" * 20_000
        ),
        "it's señor",
    ),
}


@asynccontextmanager
async def _server(path: Path, answer: Callable[[H2Connection], object] | bytes) -> AsyncIterator[None]:
    """Serve HTTP/2 and do one thing to every call; or say something else to every connection."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        http = H2Connection(H2Configuration(client_side=False))
        if isinstance(answer, bytes):
            await reader.read(65_536)
            writer.write(answer)
            while answer and await reader.read(65_536):
                pass  # a connection that is closed at once may be found broken before it is read
        else:
            http.initiate_connection()
            while data := await reader.read(65_536):
                for event in http.receive_data(data):
                    if isinstance(event, RequestReceived):
                        answer(http)
                writer.write(http.data_to_send())
        await writer.drain()
        writer.close()

    server = await asyncio.start_unix_server(serve, path)
    async with server:
        yield


async def _complaint(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None
    line = await asyncio.wait_for(process.stderr.readline(), PATIENCE_S)
    return line.decode().partition(": ")[2].partition("; connecting again")[0]


@pytest.mark.parametrize("way", WAYS)
async def test_it_says_what_became_of_its_call_and_connects_again(tmp_path: Path, way: str) -> None:
    answer, words = WAYS[way]
    path = tmp_path / "socket"
    async with _server(path, answer), bot_process(tmp_path, FIRST, referee=f"unix:{path}") as process:
        assert [await _complaint(process), await _complaint(process)] == [words, words]


async def test_it_says_that_the_other_side_breaks_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    data_of_no_stream = bytes(9)
    async with (
        _server(path, data_of_no_stream),
        bot_process(tmp_path, FIRST, referee=f"unix:{path}") as process,
    ):
        assert "the referee broke the rules of HTTP/2" in await _complaint(process)


async def test_it_says_that_the_connection_was_closed(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    async with _server(path, b""), bot_process(tmp_path, FIRST, referee=f"unix:{path}") as process:
        assert (await _complaint(process)).startswith("the connection was closed")


async def test_it_says_that_nobody_listens(tmp_path: Path) -> None:
    path = tmp_path / "nobody"
    async with bot_process(tmp_path, FIRST, referee=f"unix:{path}") as process:
        assert await _complaint(process) == f"{path}: No such file or directory"


async def test_large_messages_pass_in_both_directions(tmp_path: Path) -> None:
    view = lost_cities_pb2.LostCitiesView(hand=["R2"] * 400_000).SerializeToString()
    choose = "return decision.legal[len(decision.view.hand) - 400_000]"
    async with (
        open_stage(tmp_path) as stage,
        bot_process(tmp_path, choose, referee=stage.address, source=SAY),
    ):
        line = await stage.line()
        await line.read()
        await line.write(start(), ask(view=view))
        (answer,) = await line.read()
        assert answer.answer.action == 0
        await line.write(ask(decision=2, talk=match_pb2.TalkLimits(max_text_bytes=1)))
        (said,) = await line.read()
        assert len(said.say.line.text) == 1_000_000


async def test_the_arena_waits_while_a_bot_thinks(tmp_path: Path) -> None:
    """What it sends meanwhile fills a window, and no more of the bot's memory."""
    choose = "import time; time.sleep(1.5 * (decision.legal[-1] == 'wait')); return decision.legal[0]"
    async with open_stage(tmp_path) as stage, bot_process(tmp_path, choose, referee=stage.address):
        line = await stage.line()
        await line.read()
        await line.write(start(), ask(decision=1, actions=["play R2", "wait"]))
        began = time.monotonic()
        for decision in range(2, 8):
            await line.write(ask(decision=decision, view=bytes(1_000_000)))
        assert time.monotonic() - began > 1
        answers = [(await line.read())[0].answer.decision for _ in range(7)]
        assert answers == [1, 2, 3, 4, 5, 6, 7]


async def test_a_bot_that_leaves_by_itself_ends_its_process(tmp_path: Path) -> None:
    async with (
        open_stage(tmp_path) as stage,
        bot_process(tmp_path, "raise SystemExit(7)", referee=stage.address) as process,
    ):
        line = await stage.line()
        await line.write(start(), ask())
        assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 7


async def test_a_bot_on_a_unix_socket_does_without_grpc(tmp_path: Path) -> None:
    choose = "import sys; return decision.legal['grpc' in sys.modules]"
    async with open_stage(tmp_path) as stage, bot_process(tmp_path, choose, referee=stage.address):
        line = await stage.line()
        await line.read()
        await line.write(start(), ask())
        assert (await line.read())[0].answer.action == 0
