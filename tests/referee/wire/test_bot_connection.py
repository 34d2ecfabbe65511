"""The connections of bots: what is left of one when its bot has gone."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc

from arena.v1.bot_pb2 import BotMessage, ConnectRequest, Hello
from referee.limits.match_clock import StallAwareClock
from referee.limits.referee_limits import RefereeLimits
from referee.wire.bot_connection import BotConnection
from referee.wire.frames import PROTOCOL
from referee.wire.handshake import perform_handshake
from referee.wire.write_coalescer import WriteCoalescer

METHOD = "Connect"
HELLO = ConnectRequest(messages=[BotMessage(hello=Hello(protocol=PROTOCOL, name="guest", version="1"))])


def connections() -> int:
    return sum(isinstance(each, BotConnection) for each in gc.get_objects())


async def meet(address: str) -> int:
    """Serve a bot that says hello and goes; return how many connections there are while it is there."""
    loop = asyncio.get_running_loop()
    during = loop.create_future()

    async def connect(_frames: AsyncIterator[bytes], context: Any) -> None:
        connection = await perform_handshake(
            context,
            wait_s=20,
            clock=StallAwareClock(loop),
            limits=RefereeLimits(),
            coalescer=WriteCoalescer(),
        )
        during.set_result(connections())
        await connection.serve()

    server = grpc.aio.server()
    handlers: Any = {METHOD: grpc.stream_stream_rpc_method_handler(connect)}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("test", handlers)])
    server.add_insecure_port(address)
    await server.start()
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream(f"/test/{METHOD}")()
        await call.write(HELLO.SerializeToString())
        await call.read()
        await call.done_writing()
        assert await call.read() is grpc.aio.EOF
    await server.stop(None)
    return int(await during)


def test_a_connection_is_freed_without_the_garbage_collector_when_its_bot_goes(tmp_path: Path) -> None:
    gc.collect()
    gc.disable()
    try:
        before = connections()
        assert asyncio.run(meet(f"unix:{tmp_path}/bots")) == before + 1
        assert connections() == before
    finally:
        gc.enable()
