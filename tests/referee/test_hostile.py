"""Bots that misbehave: each loses its own match, and another match on the same referee goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import grpc
import pytest

from arena.match.fault import FaultKind, SeatFault
from arena.match.verify import verify
from arena.play import Finished
from arena.v1.bot_pb2 import Answer, BotMessage, ConnectRequest, Hello, Say
from tests.referee.house import HURRY, House, RawBot, good_bots, order

SMALL_WINDOW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 8192))
"""Has grpc take little of what is not read, so that the referee sees it at once."""


@asynccontextmanager
async def against_good(
    house: House, **hello: object
) -> AsyncIterator[tuple[RawBot, asyncio.Future[SeatFault]]]:
    """Sit a bot `a`, to be misused by the test, opposite a good one, beside a match of good ones that must go on."""
    async with good_bots(house, "b", "c", "d"), house.bot("a") as bad:
        await bad.hello(**hello)
        playing = house.begin(order("bad", "a", "b", time=HURRY), order("good", "c", "d"))

        async def outcome() -> SeatFault:
            ended = await playing
            good, spoilt = ended["good"], ended["bad"]
            assert isinstance(good, Finished)
            assert good.record.result.end == "completed"
            assert isinstance(spoilt, Finished)
            assert verify(spoilt.record) is None
            assert spoilt.record.result.fault is not None
            assert spoilt.record.result.places == (2, 1)
            return spoilt.record.result.fault

        yield bad, asyncio.ensure_future(outcome())


async def test_bot_that_never_answers_loses_by_timeout(house: House) -> None:
    async with against_good(house) as (bad, fault):
        bad.start(lambda _ask: None)
        assert (await fault).kind is FaultKind.TIMEOUT


async def test_late_answer_after_a_timeout_leaves_the_connection_alone(house: House) -> None:
    async with against_good(house) as (bad, fault):
        ask = await bad.hear_of("ask")
        await fault
        await bad.answer(ask)
        bad.start()
        ended = await house.play(order("next", "a", "b"))
        assert isinstance(ended["next"], Finished)
        assert ended["next"].record.result.end == "completed"


async def test_index_that_was_not_offered_is_an_illegal_action(house: House) -> None:
    async with against_good(house) as (bad, fault):
        ask = await bad.hear_of("ask")
        await bad.answer(ask, len(ask.actions))
        charged = await fault
        assert charged.kind is FaultKind.ILLEGAL_ACTION
        assert f"must be 0 to {len(ask.actions) - 1}" in charged.message
        told = await bad.hear_of("fault")
        assert (told.table, told.message) == (ask.table, charged.message)
        end = await bad.hear_of("end")
        assert end.outcome.end == "fault"


async def test_second_answer_to_a_decision_is_a_protocol_fault(house: House) -> None:
    async with against_good(house) as (bad, fault):
        ask = await bad.hear_of("ask")
        answer = BotMessage(answer=Answer(table=ask.table, decision=ask.decision, action=0))
        await bad.say(answer, answer)
        charged = await fault
        assert charged.kind is FaultKind.PROTOCOL
        assert "it is past" in charged.message


async def test_answer_to_a_decision_that_was_not_asked_is_a_protocol_fault(house: House) -> None:
    async with against_good(house) as (bad, fault):
        ask = await bad.hear_of("ask")
        await bad.answer(ask, decision=ask.decision + 5)
        charged = await fault
        assert charged.kind is FaultKind.PROTOCOL
        assert "it was not asked" in charged.message


async def test_line_for_a_choice_is_a_protocol_fault(house: House) -> None:
    async with against_good(house) as (bad, fault):
        ask = await bad.hear_of("ask")
        await bad.say(BotMessage(say=Say(table=ask.table, decision=ask.decision)))
        assert (await fault).kind is FaultKind.PROTOCOL


async def _unknown_table(bot: RawBot) -> None:
    await bot.say(BotMessage(answer=Answer(table=77, decision=1, action=0)))


async def _second_hello(bot: RawBot) -> None:
    await bot.say(BotMessage(hello=Hello(protocol=1)))


async def _empty_message(bot: RawBot) -> None:
    await bot.say(BotMessage())


async def _garbage(bot: RawBot) -> None:
    await bot.call.write(b"\xff\xff\xff garbage")


async def _huge_frame(bot: RawBot) -> None:
    await bot.call.write(bytes(100_000))


async def _flood(bot: RawBot) -> None:
    for _ in range(500):
        await bot.call.write(ConnectRequest().SerializeToString())


@pytest.mark.parametrize(
    ("misbehave", "words", "codes"),
    [
        (_unknown_table, "table 77: no match of that number", {grpc.StatusCode.INVALID_ARGUMENT}),
        (_second_hello, "a second Hello", {grpc.StatusCode.INVALID_ARGUMENT}),
        (_empty_message, "none of hello, answer, say", {grpc.StatusCode.INVALID_ARGUMENT}),
        (_garbage, "no arena.v1.ConnectRequest", {grpc.StatusCode.INVALID_ARGUMENT}),
        (_huge_frame, "at most 65536 are allowed", {grpc.StatusCode.RESOURCE_EXHAUSTED}),
        # Python's own client calls it INTERNAL when the stream ends in the middle of one of its writes.
        (_flood, "too many messages", {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.INTERNAL}),
    ],
)
async def test_stream_that_breaks_the_protocol_ends_and_costs_the_match(
    house: House, misbehave: Callable[[RawBot], Awaitable[None]], words: str, codes: set[grpc.StatusCode]
) -> None:
    async with against_good(house) as (bad, fault):
        await bad.hear_of("ask")
        with suppress(grpc.RpcError, asyncio.InvalidStateError):  # a flood may not get all its frames out
            await misbehave(bad)
        charged = await fault
        assert (charged.seat, charged.kind) == (0, FaultKind.PROTOCOL)
        assert words in charged.message
        assert (await bad.status())[0] in codes


@pytest.mark.parametrize(
    ("matches", "message"),
    [
        (40, "did not read for 0.3 s what was sent to it"),
        (200, "does not read: more than 65536 bytes wait for it"),
    ],
)
async def test_bot_that_does_not_read_loses_by_timeout(house: House, matches: int, message: str) -> None:
    async with good_bots(house, "b", "c", "d", at_once=200), house.bot("a", *SMALL_WINDOW) as bad:
        await bad.hello(matches_at_once=200)
        orders = [order(f"bad {number}", "a", "b") for number in range(matches)]
        ended = await house.play(*orders, order("good", "c", "d"))
        assert isinstance(ended["good"], Finished)
        assert ended["good"].record.result.end == "completed"
        first = ended["bad 0"]
        assert isinstance(first, Finished)
        assert first.record.result.fault == SeatFault(0, FaultKind.TIMEOUT, message)
        assert await bad.status() == (grpc.StatusCode.RESOURCE_EXHAUSTED, message)


async def test_wrong_token_is_refused(house: House) -> None:
    async with RawBot(house.bots, "wrong") as bot:
        assert (await bot.status())[0] is grpc.StatusCode.UNAUTHENTICATED


async def test_missing_token_is_refused(house: House) -> None:
    async with grpc.aio.insecure_channel(house.bots) as channel:
        call = channel.stream_stream("/arena.v1.BotService/Connect")()
        assert await call.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_connection_without_hello_is_closed(house: House) -> None:
    async with house.bot("a") as bot:
        code, details = await bot.status()
        assert (code, details) == (grpc.StatusCode.INVALID_ARGUMENT, "no Hello within 1 s")


@pytest.mark.parametrize(
    ("hello", "code", "words"),
    [
        ({"protocol": 9}, grpc.StatusCode.FAILED_PRECONDITION, "Hello.protocol 9: this referee speaks 1"),
        (
            {"name": "n" * 65},
            grpc.StatusCode.INVALID_ARGUMENT,
            "Hello.name of 65 bytes: at most 64 are allowed",
        ),
    ],
)
async def test_hello_that_is_not_right_is_refused(
    house: House, hello: dict[str, object], code: grpc.StatusCode, words: str
) -> None:
    async with house.bot("a") as bot:
        with pytest.raises(EOFError):
            await bot.hello(**hello)
        assert (await bot.call.code(), await bot.call.details()) == (code, words)


async def test_first_message_must_be_a_hello(house: House) -> None:
    async with house.bot("a") as bot:
        await bot.say(BotMessage(answer=Answer(table=1)))
        assert await bot.status() == (grpc.StatusCode.INVALID_ARGUMENT, "the first message must be a Hello")


async def test_bot_that_does_not_play_the_game_postpones_the_match(house: House) -> None:
    async with good_bots(house, "b"), house.bot("a") as bot:
        await bot.hello(games=[{"game": "chess"}])
        ended = await house.play(order("m", "a", "b"))
        assert "does not play lost_cities (standard): it offers chess" in str(ended["m"])
