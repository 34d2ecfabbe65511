"""Bots that talk badly: what nobody may read is heard by nobody, and costs the talker its match."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from arena.match.faults import FaultKind
from arena.v1 import match_pb2 as pb
from arena.v1.bot_pb2 import Answer, Ask, BotMessage, ConnectRequest, Say
from tests.hostile.wire import misbehaving_bots
from tests.referee.dispatch.test_match_talk_lines import (
    LINE,
    SILENCE,
    fault_of,
    in_round_0,
    lifeboats,
    lines,
    record_of,
    seated,
)
from tests.referee.running_referee import House, RawBot

Bot = Callable[[RawBot, Ask], Awaitable[None]]
MAX_MESSAGE_CHARS = 400


def _say(ask: Ask, **line: Any) -> BotMessage:
    return BotMessage(say=Say(table=ask.table, decision=ask.decision, line=pb.Line(**line)))


async def clears_the_screen_of_whoever_reads(bot: RawBot, ask: Ask) -> None:
    await bot.say(_say(ask, text="\x1b[2J\x1b[1;1Hyou have lost"))


async def rings_the_bell(bot: RawBot, ask: Ask) -> None:
    await bot.say(_say(ask, text="\a" * 100))


async def hides_behind_nul(bot: RawBot, ask: Ask) -> None:
    await bot.say(_say(ask, text="I vote K\x00 not"))


async def writes_a_second_line(bot: RawBot, ask: Ask) -> None:
    await bot.say(_say(ask, text="hello\r\nseat 2: I give up"))


async def says_60_kilobytes(bot: RawBot, ask: Ask) -> None:
    await bot.say(_say(ask, text="blah " * 12_000))


async def says_megabytes(bot: RawBot, ask: Ask) -> None:
    await bot.say(_say(ask, text="blah " * 600_000))


async def claims_a_thousand_things(bot: RawBot, ask: Ask) -> None:
    claims = [pb.Claim(kind="promise", seat=0, vote="K", when="this")] * 1000
    await bot.say(_say(ask, claims=claims))


async def claims_60_kilobytes(bot: RawBot, ask: Ask) -> None:
    await bot.say(_say(ask, claims=[pb.Claim(kind="x" * 60_000, seat=0, vote="K", when="this")]))


async def claims_about_nobody(bot: RawBot, ask: Ask) -> None:
    await bot.say(_say(ask, claims=[pb.Claim(kind="promise", seat=2**32 - 1, vote="K", when="this")]))


async def says_what_is_no_text(bot: RawBot, ask: Ask) -> None:
    frame = ConnectRequest(messages=[_say(ask, text="xxxx")]).SerializeToString()
    await bot.call.write(frame.replace(b"xxxx", b"\xff\xfe\xfd\xfc"))


async def chooses_where_it_may_talk(bot: RawBot, ask: Ask) -> None:
    await bot.say(BotMessage(answer=Answer(table=ask.table, decision=ask.decision, action=0)))


async def says_two_lines(bot: RawBot, ask: Ask) -> None:
    await bot.say(_say(ask, text="one"), _say(ask, text="two"))


async def floods_with_lines(bot: RawBot, ask: Ask) -> None:
    while True:
        await bot.say(*[_say(ask, text="again")] * 20)


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (clears_the_screen_of_whoever_reads, r"the control character '\x1b' is not allowed"),
        (rings_the_bell, r"the control character '\x07' is not allowed"),
        (hides_behind_nul, r"the control character '\x00' is not allowed"),
        (writes_a_second_line, r"the control character '\r' is not allowed"),
        (says_60_kilobytes, "text of 60000 bytes: at most 280 bytes"),
        (says_megabytes, "a frame of 3000"),
        (claims_a_thousand_things, "claims: 1000 given, at most 4"),
        (claims_60_kilobytes, "claim kind 'xxx"),
        (claims_about_nobody, "claim seat 4294967295: must be 0 to 2"),
        (says_what_is_no_text, "no arena.v1.ConnectRequest"),
        (chooses_where_it_may_talk, "asks for talk: answer it with Say"),
        (says_two_lines, "each decision is answered once"),
        (floods_with_lines, ""),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
async def test_bot_that_talks_badly_loses_and_is_not_heard(house: House, bot: Bot, words: str) -> None:
    async with seated(house, b=in_round_0(LINE), c=None, d=in_round_0(LINE)) as others, house.bot("a") as bad:
        await bad.hello(talks=True)
        playing = house.begin(lifeboats("bad", "b", "a", "c"), lifeboats("good", "d", "b", "c"))
        ask = await bad.hear_of("ask")
        with suppress(*misbehaving_bots.GONE):
            await bot(bad, ask)
        async with asyncio.timeout(60):
            ended = await playing
        charged = fault_of(ended["bad"])
        assert (charged.seat, charged.kind) == (1, FaultKind.PROTOCOL)
        assert words in charged.message
        assert len(charged.message) <= MAX_MESSAGE_CHARS
        assert charged.message.isprintable()
        heard = {said.line.text for each in others.values() for said in each.heard_said()}
        assert heard <= {LINE.text, "one", "again"}  # of many lines the first is as good as any
        good = record_of(ended["good"])
        assert good.result.end == "completed"
        assert lines(good)


async def test_bot_that_does_not_talk_cannot(house: House) -> None:
    """It said so in its Hello, and talks where it must choose."""
    async with seated(house, b=lambda _ask: SILENCE, c=None), house.bot("a") as bad:
        await bad.hello(talks=False)
        playing = house.begin(lifeboats("bad", "a", "b", "c"))
        ask = await bad.hear_of("ask")
        await bad.say(_say(ask, text="hello"))
        charged = fault_of((await playing)["bad"])
        assert (charged.seat, charged.kind) == (0, FaultKind.PROTOCOL)
        assert "is a choice: answer it with Answer, not Say" in charged.message
