"""Endpoints that misbehave when they are dialled: their matches wait or are lost, the others go on."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from arena.match.faults import FaultKind
from arena.referee_client import Endpoint, Finished, Postponed
from arena.v1.bot_pb2 import ConnectRequest
from tests.hostile.wire.bystanders import undisturbed
from tests.referee.running_referee import HURRY, House, RawBot, good_bots, order
from tests.sdk.scripted_arena import PATIENCE_S

Serve = Callable[[RawBot], Awaitable[None]]


@asynccontextmanager
async def listening(serve: Serve) -> AsyncIterator[Endpoint]:
    """Serve an endpoint that does the same with each stream."""

    async def talk(_requests: object, context: Any) -> None:
        bot = RawBot("", "")
        bot.call = context
        await serve(bot)

    server = grpc.aio.server()
    handler: Any = grpc.stream_stream_rpc_method_handler(talk)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("arena.v1.EndpointService", {"Serve": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield Endpoint(f"127.0.0.1:{port}", "s3")
    finally:
        await server.stop(None)


async def says_nothing(_bot: RawBot) -> None:
    await asyncio.sleep(3600)


async def hangs_up_at_once(_bot: RawBot) -> None:
    return


async def answers_first(bot: RawBot) -> None:
    await bot.call.write(ConnectRequest().SerializeToString())
    await asyncio.sleep(3600)


async def sends_garbage_first(bot: RawBot) -> None:
    await bot.call.write(b"\xff\xff")
    await asyncio.sleep(3600)


async def sends_a_huge_frame_first(bot: RawBot) -> None:
    await bot.call.write(bytes(50_000_000))
    await asyncio.sleep(3600)


async def fails(_bot: RawBot) -> None:
    raise ValueError("\x1b[2J" * 100)


@pytest.mark.parametrize(
    ("serve", "words"),
    [
        (says_nothing, "no Hello within 1 s"),
        (hangs_up_at_once, ""),
        (answers_first, "the first message must be a Hello"),
        (sends_garbage_first, "the first frame is no arena.v1.ConnectRequest"),
        (sends_a_huge_frame_first, "larger than max"),
        (fails, ""),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_match_of_an_endpoint_that_begins_badly_is_postponed(
    house: House, serve: Serve, words: str
) -> None:
    async with undisturbed(house), good_bots(house, "b"), listening(serve) as endpoint:
        report = (await house.play(order("m", endpoint, "b")))["m"]
        assert isinstance(report, Postponed)
        assert report.seat == 0
        assert words in report.reason


async def test_match_of_an_endpoint_that_takes_connections_and_no_more_is_postponed(house: House) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        endpoint = Endpoint(f"127.0.0.1:{listener.getsockname()[1]}")
        async with undisturbed(house), good_bots(house, "b"):
            report = (await house.play(order("m", endpoint, "b")))["m"]
    assert isinstance(report, Postponed)


async def test_endpoint_that_hangs_up_at_every_ask_loses_its_match(house: House, seat: int) -> None:
    async def serve(bot: RawBot) -> None:
        await bot.hello()
        await bot.hear_of("ask")

    async with undisturbed(house), good_bots(house, "b"), listening(serve) as endpoint:
        sources = (endpoint, "b") if seat == 0 else ("b", endpoint)
        async with asyncio.timeout(PATIENCE_S):
            report = (await house.play(order("m", *sources, time=HURRY)))["m"]
    assert isinstance(report, Finished)
    fault = report.record.result.fault
    assert fault is not None
    assert (fault.seat, fault.kind) == (seat, FaultKind.TIMEOUT)


async def test_endpoint_that_floods_loses_its_match(house: House, seat: int) -> None:
    async def serve(bot: RawBot) -> None:
        await bot.hello()
        await bot.hear_of("ask")
        while True:
            await bot.call.write(ConnectRequest().SerializeToString())

    async with undisturbed(house), good_bots(house, "b"), listening(serve) as endpoint:
        sources = (endpoint, "b") if seat == 0 else ("b", endpoint)
        report = (await house.play(order("m", *sources)))["m"]
    assert isinstance(report, Finished)
    fault = report.record.result.fault
    assert fault is not None
    assert (fault.seat, fault.kind) == (seat, FaultKind.PROTOCOL)
    assert "too many messages" in fault.message
