"""The connection of the bot in TypeScript: what servers, proxies and networks do to it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.referee_client.programs import node
from arena.v1 import bot_pb2 as pb
from arena.v1 import lost_cities_pb2, match_pb2
from tests.certificates import HOST, issue
from tests.sdk.scripted_arena import PATIENCE_S, ask, goodbye, open_stage, start

EXAMPLE = Path(__file__).parents[2] / "bots" / "typescript"
BOT = f"""
import {{ run }} from "{EXAMPLE}/arena.js";
import {{ setTimeout as sleep }} from "node:timers/promises";

run({{ name: "mine", async choose(decision) {{ %s }}, say: (decision) => ({{ text: "x".repeat(1_000_000) }}) }});
"""
# Each is a server that does one thing to every call: Node's own HTTP/2, which can do what grpc's server never does.
SERVER = """
const { createServer, constants } = require("node:http2");
const net = require("node:net");
const head = { ":status": 200, "content-type": "application/grpc" };
const ways = {
  reset: (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
  compressed: (stream) => { stream.respond(head); stream.write(Buffer.from([1, 0, 0, 0, 1, 0])); },
  enormous: (stream) => { stream.respond(head); stream.write(Buffer.from([0, 2, 0, 0, 0])); },
  unavailable: (stream) => stream.respond({ ":status": 503 }, { endStream: true }),
  gone: () => sockets.forEach((socket) => socket.resetAndDestroy()),
  ended: (stream) => { stream.respond(head); stream.end(); },
  padded: (stream) => { stream.respond({ ...head, "x-long": "y".repeat(40_000) }, { waitForTrailers: true }); stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "7", "grpc-message": "it%27s se%C3%B1or ~{closed}" })); stream.end(); },
};
const way = process.argv[1];
const said = {
  http1: "HTTP/1.1 400 Bad Request\\r\\n\\r\\n",
  goaway: Buffer.concat([Buffer.from("000000040000000000" + "00001407000000000000000000" + "00000000", "hex"), Buffer.from("closing time")]),
};
const sockets = [];
const server = said[way] ? net.createServer((socket) => socket.once("data", () => socket.write(said[way]))) : createServer({ paddingStrategy: constants.PADDING_STRATEGY_MAX });
server.on("connection", (socket) => sockets.push(socket));
server.on("stream", (stream) => { stream.on("error", () => {}); ways[way](stream); });
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"""


@asynccontextmanager
async def process(*arguments: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    inherited = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    run = await asyncio.create_subprocess_exec(
        node(),
        *arguments,
        env={**inherited, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield run
    finally:
        if run.returncode is None:
            run.kill()
        await run.communicate()


def mine(folder: Path, choose: str = "return decision.legal[0];") -> str:
    file = folder / "mine.ts"
    file.write_text(BOT % choose)
    return str(file)


def bot(file: str, address: str, **more: str) -> Any:
    return process(file, ARENA_REFEREE=address, ARENA_TOKEN="sesame", **more)


async def line_of(stream: asyncio.StreamReader | None) -> str:
    assert stream is not None
    return (await asyncio.wait_for(stream.readline(), PATIENCE_S)).decode()


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("reset", "it reset the stream (HTTP/2 error 7)"),
        ("goaway", "it takes no more calls: closing time"),
        ("compressed", "it sent a compressed message, which was not agreed"),
        ("enormous", "it sent a message of 33554432 bytes, at most 16777216 are taken"),
        ("unavailable", "it answered with the HTTP status 503"),
        ("gone", "read ECONNRESET"),
        ("ended", "it ended the stream without a status"),
        ("padded", "it's señor ~{closed}"),
        ("http1", "it does not speak HTTP/2"),
    ],
)
async def test_it_says_what_became_of_its_call_and_connects_again(
    tmp_path: Path, way: str, words: str
) -> None:
    async with process("-e", SERVER, way) as server:
        port = (await line_of(server.stdout)).strip()
        async with bot(mine(tmp_path), f"127.0.0.1:{port}") as run:
            for _ in range(2):
                line = (await line_of(run.stderr)).replace("write ECONNRESET", "read ECONNRESET")
                assert line.startswith(f"127.0.0.1:{port}: {words}; connecting again in ")


async def test_it_says_that_nobody_listens(tmp_path: Path) -> None:
    async with bot(mine(tmp_path), f"unix:{tmp_path}/nobody") as run:
        assert f"{tmp_path}/nobody: connect ENOENT" in await line_of(run.stderr)


async def test_large_messages_pass_in_both_directions(tmp_path: Path) -> None:
    view = lost_cities_pb2.LostCitiesView(hand=["R2"] * 400_000).SerializeToString()
    choose = "return decision.legal[decision.view.hand.length - 400_000];"
    async with open_stage(tmp_path) as stage, bot(mine(tmp_path, choose), stage.address):
        line = await stage.line()
        await line.read()
        await line.write(start(), ask(view=view))
        (answer,) = await line.read()
        assert answer.answer.action == 0
        await line.write(ask(decision=2, talk=match_pb2.TalkLimits(max_text_bytes=1)))
        (said,) = await line.read()
        assert len(said.say.line.text) == 1_000_000
        line.close()


async def test_the_arena_waits_while_a_bot_thinks(tmp_path: Path) -> None:
    """What it sends meanwhile fills a window, and no more of the bot's memory."""
    choose = "if (decision.number === 1) await sleep(1500); return decision.legal[0];"
    async with open_stage(tmp_path) as stage, bot(mine(tmp_path, choose), stage.address):
        line = await stage.line()
        await line.read()
        await line.write(start(), ask(decision=1))
        began = time.monotonic()
        for decision in range(2, 8):
            await line.write(ask(decision=decision, view=bytes(1_000_000)))
        assert time.monotonic() - began > 1
        answers = [(await line.read())[0].answer.decision for _ in range(7)]
        assert answers == [1, 2, 3, 4, 5, 6, 7]
        line.close()


@asynccontextmanager
async def secured(folder: Path) -> AsyncIterator[tuple[int, Path, asyncio.Event]]:
    """Open a bots' port with TLS that says goodbye to whoever comes."""
    files, came = issue(folder), asyncio.Event()

    async def connect(_requests: Any, context: Any) -> None:
        await context.read()
        came.set()
        await context.write(pb.ConnectResponse(messages=[goodbye(come_back=False)]))

    handler = grpc.stream_stream_rpc_method_handler(
        connect,
        request_deserializer=pb.ConnectRequest.FromString,
        response_serializer=pb.ConnectResponse.SerializeToString,
    )
    server = grpc.aio.server()
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("arena.v1.BotService", {"Connect": handler}),)
    )
    pair = (files.key.read_bytes(), files.certificate.read_bytes())
    port = server.add_secure_port("localhost:0", grpc.ssl_server_credentials([pair]))
    await server.start()
    try:
        yield port, files.ca, came
    finally:
        await server.stop(0)


async def test_it_speaks_tls_through_a_proxy_and_knows_whom_it_trusts(tmp_path: Path) -> None:
    asked: list[str] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).decode().splitlines()[0])
        there, here = await asyncio.open_connection("localhost", int(asked[-1].split()[1].rpartition(":")[2]))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")

        async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            while data := await source.read(65_536):
                target.write(data)
            target.close()

        await asyncio.gather(pass_on(reader, here), pass_on(there, writer), return_exceptions=True)

    async with secured(tmp_path) as (port, ca, came):
        address = f"https://localhost:{port}"
        async with bot(mine(tmp_path), address) as run:
            assert "certificate" in await line_of(run.stderr)
            assert not came.is_set()
        served = await asyncio.start_server(proxy, "127.0.0.1")
        at = served.sockets[0].getsockname()[1]
        way = {"https_proxy": f"http://127.0.0.1:{at}", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(ca)}
        async with bot(mine(tmp_path), f"https://{HOST}:{port}", **way) as run:
            assert await asyncio.wait_for(run.wait(), PATIENCE_S) == 0
        served.close()
    assert came.is_set()
    assert asked == [f"CONNECT {HOST}:{port} HTTP/1.1"]
