"""Bots that misbehave in a match: each loses its own, in whatever seat, and another match goes on beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import grpc
import pytest

from arena.match.faults import FaultKind, SeatFault
from arena.match.verification import verify
from arena.referee_client import Finished
from tests.hostile.wire import misbehaving_bots
from tests.hostile.wire.bystanders import SMALL_WINDOW, against_good, assert_unharmed
from tests.referee.running_referee import HURRY, House, RawBot, good_bots, order

Bot = Callable[[RawBot], Awaitable[None]]

TIMEOUT, ILLEGAL, PROTOCOL, CRASH = (
    FaultKind.TIMEOUT,
    FaultKind.ILLEGAL_ACTION,
    FaultKind.PROTOCOL,
    FaultKind.CRASH,
)


@pytest.mark.parametrize(
    ("bot", "kind", "words"),
    [
        (misbehaving_bots.never_answers, TIMEOUT, "no answer"),
        (misbehaving_bots.answers_ever_more_slowly, TIMEOUT, "no answer"),
        (misbehaving_bots.chooses_the_largest_number, ILLEGAL, "must be 0 to "),
        (misbehaving_bots.answers_a_past_decision, PROTOCOL, "it is past"),
        (misbehaving_bots.answers_twice, PROTOCOL, "it is past"),
        (misbehaving_bots.answers_a_future_decision, PROTOCOL, "it was not asked"),
        (misbehaving_bots.answers_decision_zero, PROTOCOL, "it is past"),
        (misbehaving_bots.talks_where_it_must_choose, PROTOCOL, "answer it with Answer, not Say"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_bot_that_answers_badly_loses_that_match_alone(
    house: House, seat: int, bot: Bot, kind: FaultKind, words: str
) -> None:
    async with against_good(house, seat) as (bad, fault):
        trying = asyncio.ensure_future(bot(bad))
        charged = await fault
        assert charged.kind is kind
        assert words in charged.message
        await trying  # to its own end: whoever is cancelled while it reads ends its stream
        # Its stream stands: it may play on.
        bad.start()
        ended = await house.play(order("next", "a", "b"))
        assert_unharmed(ended["next"])


async def test_bot_is_told_of_its_fault(house: House, seat: int) -> None:
    async with against_good(house, seat) as (bad, fault):
        await misbehaving_bots.chooses_what_was_not_offered(bad)
        charged = await fault
        told = await bad.hear_of("fault")
        assert (told.table, told.message) == (1, charged.message)
        end = await bad.hear_of("end")
        assert end.outcome.end == "fault"


async def test_answer_after_the_time_leaves_the_stream_alone(house: House, seat: int) -> None:
    async with against_good(house, seat) as (bad, fault):
        await misbehaving_bots.answers_after_its_time(bad)
        assert (await fault).kind is TIMEOUT
        bad.start()
        assert_unharmed((await house.play(order("next", "a", "b")))["next"])


@pytest.mark.parametrize(
    ("bot", "words", "code"),
    [
        (
            misbehaving_bots.answers_for_another_table,
            "table 77: no match of that number",
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        (
            misbehaving_bots.answers_for_table_zero,
            "table 0: no match of that number",
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        (misbehaving_bots.says_hello_again, "a second Hello", grpc.StatusCode.INVALID_ARGUMENT),
        (
            misbehaving_bots.says_nothing_in_a_message,
            "none of hello, answer, say",
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        (misbehaving_bots.sends_garbage, "no arena.v1.ConnectRequest", grpc.StatusCode.INVALID_ARGUMENT),
        (
            misbehaving_bots.sends_text_that_is_no_utf_8,
            "no arena.v1.ConnectRequest",
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        (
            misbehaving_bots.sends_a_large_frame,
            "at most 65536 are allowed",
            grpc.StatusCode.RESOURCE_EXHAUSTED,
        ),
        (
            misbehaving_bots.sends_ten_thousand_messages_in_one_frame,
            "too many messages",
            grpc.StatusCode.RESOURCE_EXHAUSTED,
        ),
        (misbehaving_bots.floods_with_empty_frames, "too many messages", grpc.StatusCode.RESOURCE_EXHAUSTED),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_stream_that_breaks_the_protocol_ends_and_costs_the_match(
    house: House, seat: int, bot: Bot, words: str, code: grpc.StatusCode
) -> None:
    async with against_good(house, seat) as (bad, fault):
        with suppress(*misbehaving_bots.GONE):
            await bot(bad)
        charged = await fault
        assert charged.kind is PROTOCOL
        assert words in charged.message
        # Python's own client calls it INTERNAL when the stream ends in the middle of one of its writes.
        assert (await bad.status())[0] in {code, grpc.StatusCode.INTERNAL}


@pytest.mark.parametrize(
    "bot",
    [
        misbehaving_bots.hangs_up,
        misbehaving_bots.says_that_it_is_done,
        misbehaving_bots.sends_a_frame_of_100_mb,
        misbehaving_bots.sends_100_mb_packed_into_100_kb,
    ],
    ids=lambda value: value.__name__,
)
async def test_bot_that_loses_its_stream_and_does_not_come_back_crashes(
    house: House, seat: int, bot: Bot
) -> None:
    packed = (
        grpc.Compression.Gzip
        if bot is misbehaving_bots.sends_100_mb_packed_into_100_kb
        else grpc.Compression.NoCompression
    )
    options = (
        ("grpc.max_send_message_length", -1),
        ("grpc.default_compression_algorithm", int(packed)),
    )
    async with against_good(house, seat, *options) as (bad, fault):
        with suppress(*misbehaving_bots.GONE):
            await bot(bad)
        charged = await fault
        # The clock of its open decision runs on, and is the sooner of the two.
        assert charged.kind in {CRASH, TIMEOUT}
        if bot in {
            misbehaving_bots.sends_a_frame_of_100_mb,
            misbehaving_bots.sends_100_mb_packed_into_100_kb,
        }:
            code, words = await bad.status()
            assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert "larger than max" in words


async def test_flood_of_answers_to_a_match_that_is_over_ends_the_stream(house: House, seat: int) -> None:
    async with against_good(house, seat) as (bad, fault):
        with suppress(*misbehaving_bots.GONE):
            await misbehaving_bots.floods_with_answers(bad)
        assert (await fault).kind is TIMEOUT
        code, words = await bad.status()
        assert code in {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.INTERNAL}
        assert "too many messages" in words or code is grpc.StatusCode.INTERNAL


async def test_bot_that_comes_and_goes_gains_no_time(house: House, seat: int) -> None:
    """It hangs up whenever it is asked, and comes back to be asked again."""
    names = ("a", "b") if seat == 0 else ("b", "a")
    async with good_bots(house, "b", "c", "d"), house.bot("a") as first:
        await first.hello()
        playing = house.begin(order("bad", *names, time=HURRY), order("good", "c", "d"))
        await first.hear_of("ask")
        while not playing.done():
            async with house.bot("a") as again:
                # The match may be over meanwhile: then nothing more is asked.
                with suppress(EOFError, TimeoutError):
                    await again.hello()
                    await asyncio.wait_for(again.hear_of("ask"), 0.3)
            await asyncio.sleep(0.1)
        ended = await playing
        assert_unharmed(ended["good"])
        spoilt = ended["bad"]
        assert isinstance(spoilt, Finished)
        fault = spoilt.record.result.fault
        assert fault is not None
        assert (fault.seat, fault.kind) == (seat, TIMEOUT)


async def test_fault_in_one_of_several_matches_costs_that_one(house: House) -> None:
    """It gives for one table what is open at another."""
    async with good_bots(house, "b", "c", "d"), house.bot("a") as bad:
        await bad.hello()
        playing = house.begin(order("one", "a", "b"), order("two", "c", "a"), order("good", "c", "d"))
        ask = await bad.hear_of("ask")
        spoilt = next(each.start.match for each in bad.heard if each.start.table == ask.table)
        await bad.answer(ask, decision=ask.decision + 7)
        bad.start()
        ended = await playing
        charged = ended.pop(spoilt)
        assert isinstance(charged, Finished)
        assert verify(charged.record) is None
        fault = charged.record.result.fault
        assert fault is not None
        assert (fault.seat, fault.kind) == ({"one": 0, "two": 1}[spoilt], PROTOCOL)
        for report in ended.values():
            assert_unharmed(report)


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
        assert_unharmed(ended["good"])
        first = ended["bad 0"]
        assert isinstance(first, Finished)
        assert first.record.result.fault == SeatFault(0, FaultKind.TIMEOUT, message)
        assert await bad.status() == (grpc.StatusCode.RESOURCE_EXHAUSTED, message)
