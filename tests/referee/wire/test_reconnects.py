"""Bots that lose their connection in the middle of a match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc

from arena.match.faults import FaultKind
from arena.match.verification import verify
from arena.referee_client import DialIn, Endpoint, Finished, Postponed
from arena.v1.bot_pb2 import Ask
from tests.referee.running_referee import QUICK, House, RawBot, good_bots, house_bot, open_house, order
from tests.sdk.scripted_arena import PATIENCE_S, bot_process


async def play_some(bot: RawBot, decisions: int) -> Ask:
    """Answer a number of asks; gives the next, unanswered."""
    for _ in range(decisions):
        await bot.answer(await bot.hear_of("ask"))
    ask: Ask = await bot.hear_of("ask")
    return ask


async def test_bot_that_comes_back_in_time_goes_on_with_its_match(house: House) -> None:
    async with good_bots(house, "b"):
        async with house.bot("a") as bot:
            await bot.hello()
            playing = house.begin(order("m", "a", "b"))
            await play_some(bot, 3)
        await asyncio.sleep(0.1)
        async with house.bot("a") as again:
            await again.hello()
            again.start()
            ended = (await playing)["m"]
            assert isinstance(ended, Finished)
            assert ended.record.result.end == "completed"
            assert verify(ended.record) is None


async def test_history_and_the_open_ask_come_again_after_a_reconnection(house: House) -> None:
    async with good_bots(house, "b"):
        async with house.bot("a") as bot:
            await bot.hello()
            playing = house.begin(order("m", "a", "b"))
            open_ask = await play_some(bot, 3)
            told = [step for message in bot.heard for step in message.ask.seen]
        await asyncio.sleep(0.3)
        async with house.bot("a") as again:
            await again.hello()
            start = await again.hear_of("start")
            ask = await again.hear_of("ask")
            assert list(start.history) == told
            assert (ask.decision, list(ask.actions), ask.view) == (
                open_ask.decision,
                list(open_ask.actions),
                open_ask.view,
            )
            assert list(ask.seen) == []
            assert ask.limit_ms < open_ask.limit_ms  # its clock ran on, less what the loop was late
        playing.cancel()


async def test_bot_that_does_not_come_back_crashes(house: House) -> None:
    async with good_bots(house, "b", "c", "d"):
        async with house.bot("a") as bot:
            await bot.hello()
            playing = house.begin(order("m", "a", "b"), order("good", "c", "d"))
            await play_some(bot, 1)
        ended = await playing
        assert isinstance(ended["good"], Finished)
        assert ended["good"].record.result.end == "completed"
        assert isinstance(ended["m"], Finished)
        fault = ended["m"].record.result.fault
        assert fault is not None
        assert (fault.seat, fault.kind) == (0, FaultKind.CRASH)
        assert "did not come back within 1 s" in fault.message


async def test_matches_that_wait_behind_those_of_a_lost_bot_are_postponed(house: House) -> None:
    async with good_bots(house, "b"):
        async with house.bot("a") as bot:
            await bot.hello(matches_at_once=1)
            playing = house.begin(order("first", "a", "b"), order("second", "a", "b"))
            await play_some(bot, 1)
        ended = await asyncio.wait_for(playing, 20)
        assert isinstance(ended["first"], Finished)
        assert ended["second"] == Postponed("second", 0, "it is not connected")


@asynccontextmanager
async def through_a_line_that_can_be_cut(
    house: House, folder: Path
) -> AsyncIterator[tuple[str, Callable[[], None]]]:
    """Stand between bots and the referee; gives the address to dial, and what cuts all connections."""
    made: list[asyncio.StreamWriter] = []

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(house.bots.removeprefix("unix:"))
        made.append(writer)
        await asyncio.gather(pass_on(reader, back), pass_on(there, writer))

    def cut() -> None:
        for writer in made:
            writer.transport.abort()

    async with await asyncio.start_unix_server(connect, folder / "line"):
        yield f"unix:{folder / 'line'}", cut


async def test_bot_that_dials_in_goes_on_within_the_grace_time_when_its_line_is_cut(tmp_path: Path) -> None:
    slowly = '__import__("time").sleep(0.1); return decision.legal[0]'
    async with (
        open_house(tmp_path, limits=replace(QUICK, reconnect_s=60.0)) as house,
        through_a_line_that_can_be_cut(house, tmp_path) as (address, cut),
        bot_process(tmp_path, slowly, referee=address, ARENA_TOKEN="token-a"),
        good_bots(house, "b"),
    ):
        await until(lambda: not is_away(house))
        playing = house.begin(order("m", "a", "b"))
        for _ in range(2):
            await until(lambda: house.referee.dispatcher.find_match("m") is not None and not is_away(house))
            cut()
            await until(lambda: is_away(house))
        async with asyncio.timeout(3 * PATIENCE_S):
            ended = (await playing)["m"]
    assert isinstance(ended, Finished)
    assert ended.record.result.end == "completed"
    assert verify(ended.record) is None


def is_away(house: House) -> bool:
    """Whether the bot `a` is not connected."""
    return not house.referee.dispatcher.find_bot(DialIn("a")).is_connected


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - what a bot's process does is told by nobody
            await asyncio.sleep(0.02)


async def test_newer_connection_of_a_token_replaces_the_older(house: House) -> None:
    async with good_bots(house, "b"), house.bot("a") as older:
        await older.hello()
        playing = house.begin(order("m", "a", "b"))
        await play_some(older, 2)
        async with house.bot("a") as newer:
            await newer.hello()
            newer.start()
            assert (await older.status())[0] is grpc.StatusCode.ABORTED
            ended = (await playing)["m"]
            assert isinstance(ended, Finished)
            assert ended.record.result.end == "completed"


async def test_endpoint_that_is_lost_in_play_is_dialled_again(house: House) -> None:
    dialled = 0

    async def serve(_requests: object, context: grpc.aio.ServicerContext) -> None:
        nonlocal dialled
        dialled += 1
        bot = RawBot("", "")
        bot.call = context
        await bot.hello()
        if dialled == 1:
            await play_some(bot, 3)
            return
        await bot.play()

    server = grpc.aio.server()
    handler: Any = grpc.stream_stream_rpc_method_handler(serve)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("arena.v1.EndpointService", {"Serve": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with good_bots(house, "b"):
        ended = (await house.play(order("m", Endpoint(f"127.0.0.1:{port}"), "b")))["m"]
        assert isinstance(ended, Finished)
        assert ended.record.result.end == "completed"
        assert dialled == 2
    await server.stop(None)


async def test_endpoint_that_refuses_the_secret_postpones_the_match(house: House) -> None:
    async def refuse(_requests: object, context: grpc.aio.ServicerContext) -> None:
        await context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you?")

    server = grpc.aio.server()
    handler: Any = grpc.stream_stream_rpc_method_handler(refuse)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("arena.v1.EndpointService", {"Serve": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    ended = await house.play(order("m", Endpoint(f"127.0.0.1:{port}", "s"), house_bot()))
    assert "UNAUTHENTICATED: who are you?" in str(ended["m"])
    await server.stop(None)
