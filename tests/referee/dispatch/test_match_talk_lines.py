"""Talk through a real referee: lines arrive at all others, and whoever talks badly harms only itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from arena.games.kernel import Played, Said
from arena.match.clock import TimeControl
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Record
from arena.match.verification import verify
from arena.referee_client import DialIn, Finished, Hosted, Order, SeatOrder
from arena.sdk import practise
from arena.v1 import match_pb2 as pb
from arena.v1.bot_pb2 import Ask, BotMessage, Say
from bots.catalogue import house_bot
from tests.referee.running_referee import House, RawBot

SEED = bytes(range(32))
PATIENT = TimeControl(base_ms=60_000, increment_ms=100, cap_ms=30_000, talk_ms=30_000)
CURT = TimeControl(base_ms=60_000, increment_ms=100, cap_ms=30_000, talk_ms=50)
CLAIM: dict[str, Any] = {"kind": "promise", "seat": 0, "vote": "K", "when": "this"}
LINE = pb.Line(text="¡todos al agua!", claims=[pb.Claim(**CLAIM), pb.Claim(**{**CLAIM, "seat": 2})])
SILENCE = pb.Line()

Speak = Callable[[Ask], pb.Line | None]


class Talker(RawBot):
    """Always chooses the first action; says what the test wants, or nothing at all (None)."""

    def __init__(self, house: House, name: str, speak: Speak | None) -> None:
        super().__init__(house.bots, f"token-{name}")
        self.speak = speak
        self.talk: list[Ask] = []

    async def play(self, choose: Callable[[Ask], int | None] = lambda _ask: 0) -> None:
        while True:
            try:
                ask = await self.hear_of("ask")
            except EOFError:
                return
            if not ask.HasField("talk"):
                self.asked.append(ask)
                await self.answer(ask, choose(ask) or 0)
                continue
            self.talk.append(ask)
            line = self.speak(ask) if self.speak else None
            if line is not None:
                await self.say(BotMessage(say=Say(table=ask.table, decision=ask.decision, line=line)))

    def heard_said(self) -> list[pb.Said]:
        """Return the lines in all that it was told of."""
        steps = [step for message in self.heard for step in (*message.ask.seen, *message.end.seen)]
        return [step.said for step in steps if step.HasField("said")]


def in_round_0(line: pb.Line) -> Speak:
    """Say a line in the first round of talk before each vote, and keep silent in the second."""
    rounds = iter(range(10_000))
    return lambda _ask: line if next(rounds) % 2 == 0 else SILENCE


def lifeboats(match: str, *names: str, time: TimeControl = PATIENT, talk: int = 2) -> Order:
    seats = tuple(SeatOrder(name, "1", DialIn(name)) for name in names)
    return Order(match, "lifeboats", "standard", seats, SEED, {"dealt": 1, "talk": talk}, time)


@asynccontextmanager
async def seated(house: House, **speaks: Speak | None) -> AsyncIterator[dict[str, Talker]]:
    """Connect bots by their names; one without anything to say does not talk."""
    bots = {name: Talker(house, name, speak) for name, speak in speaks.items()}
    for bot in bots.values():
        await bot.__aenter__()
        await bot.hello(talks=bot.speak is not None)
        bot.start()
    try:
        yield bots
    finally:
        for bot in bots.values():
            await bot.__aexit__()


def record_of(ended: object) -> Record:
    assert isinstance(ended, Finished)
    assert verify(ended.record) is None
    return ended.record


def fault_of(ended: object) -> SeatFault:
    fault = record_of(ended).result.fault
    assert fault is not None
    return fault


def lines(record: Record) -> list[Said]:
    return [each.step for each in record.steps if isinstance(each.step, Said)]


async def test_line_is_heard_by_all_others_whether_they_talk_or_not(house: House) -> None:
    async with seated(house, a=in_round_0(LINE), b=lambda _ask: SILENCE, c=None) as bots:
        record = record_of((await house.play(lifeboats("m", "a", "b", "c")))["m"])
        assert record.result.end == "completed"
        said = lines(record)
        assert len(said) > 5
        assert {(each.seat, each.round) for each in said} == {(0, 0)}
        for bot in bots.values():
            async with asyncio.timeout(30):
                while len(bot.heard_said()) < len(said):  # noqa: ASYNC110 - the End is on its way
                    await asyncio.sleep(0.01)
            assert [(each.seat, each.round, each.line) for each in bot.heard_said()] == [(0, 0, LINE)] * len(
                said
            )
        assert not bots["c"].talk
        assert len(bots["a"].talk) == len(bots["b"].talk) == 2 * len(said)


async def test_ask_for_talk_names_its_limits_and_shows_the_position(house: House) -> None:
    async with seated(house, a=lambda _ask: SILENCE, b=None, c=None) as bots:
        await house.play(lifeboats("m", "a", "b", "c"))
        ask = bots["a"].talk[0]
        assert not ask.actions
        assert (ask.talk.max_text_bytes, ask.talk.max_claims) == (280, 4)
        assert list(ask.talk.kinds) == ["promise", "ask", "threat"]
        assert list(ask.talk.votes) == ["W", "O", "Y", "K"]
        assert list(ask.talk.whens) == ["this", "leak", "move", "overboard"]
        assert ask.limit_ms == PATIENT.talk_ms
        assert ask.view


async def test_longest_line_is_heard_whole(house: House) -> None:
    longest = pb.Line(text="ñ" * 140, claims=[pb.Claim(**CLAIM)] * 4)
    async with seated(house, a=in_round_0(longest), b=None, c=None) as bots:
        await house.play(lifeboats("m", "a", "b", "c"))
        assert bots["b"].heard_said()[0].line == longest


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (pb.Line(text="x" * 281), "text of 281 bytes: at most 280 bytes"),
        (pb.Line(text="ñ" * 141), "text of 282 bytes"),
        (pb.Line(text="a\x00b"), r"the control character '\x00'"),
        (pb.Line(text="a\nb"), r"the control character '\n'"),
        (pb.Line(text="\x85"), r"the control character '\x85'"),
        (pb.Line(claims=[pb.Claim(**CLAIM)] * 5), "claims: 5 given, at most 4"),
        (
            pb.Line(claims=[pb.Claim(**{**CLAIM, "kind": "oath"})]),
            "'oath': must be one of promise, ask, threat",
        ),
        (pb.Line(claims=[pb.Claim(**{**CLAIM, "seat": 3})]), "claim seat 3: must be 0 to 2"),
        (pb.Line(claims=[pb.Claim(**{**CLAIM, "vote": "R"})]), "'R': must be one of W, O, Y, K"),
        (pb.Line(claims=[pb.Claim(**{**CLAIM, "when": "soon"})]), "'soon': must be one of this, leak"),
        (pb.Line(claims=[pb.Claim()]), "claim kind ''"),
    ],
)
async def test_line_over_its_limits_is_a_protocol_fault(house: House, line: pb.Line, words: str) -> None:
    async with seated(house, a=None, b=lambda _ask: line, c=in_round_0(LINE)):
        ended = (await house.play(lifeboats("m", "a", "b", "c")))["m"]
        charged = fault_of(ended)
        assert (charged.seat, charged.kind) == (1, FaultKind.PROTOCOL)
        assert words in charged.message
        assert record_of(ended).result.places == (1, 3, 1)


async def test_saying_nothing_in_time_is_silence_and_no_fault(house: House) -> None:
    async with seated(house, a=lambda _ask: None, b=None, c=None) as bots:
        record = record_of((await house.play(lifeboats("m", "a", "b", "c", time=CURT, talk=1)))["m"])
        assert record.result.end == "completed"
        assert not lines(record)
        assert bots["a"].talk


async def test_line_that_comes_too_late_is_not_heard_and_no_fault(house: House) -> None:
    async with seated(house, b=None, c=None) as others, house.bot("a") as late:
        await late.hello(talks=True)
        playing = house.begin(lifeboats("m", "a", "b", "c", time=CURT, talk=1))
        held: list[Ask] = []
        while not playing.done():
            hearing = asyncio.ensure_future(late.hear_of("ask"))
            await asyncio.wait({hearing, playing}, return_when=asyncio.FIRST_COMPLETED)
            if not hearing.done():
                hearing.cancel()
                break
            ask = hearing.result()
            if ask.HasField("talk"):
                held.append(ask)  # said when the vote that follows is asked for, which the silence has opened
                continue
            for each in held:
                await late.say(BotMessage(say=Say(table=each.table, decision=each.decision, line=LINE)))
            held.clear()
            await late.answer(ask)
        record = record_of((await playing)["m"])
        assert record.result.end == "completed"
        assert not lines(record)
        assert not others["b"].heard_said()


async def test_talk_costs_nothing_where_nobody_talks(house: House) -> None:
    counts = []
    async with seated(house, a=None, b=None, c=None) as bots:
        for talk in (0, 5):
            for bot in bots.values():
                bot.heard.clear()
            record = record_of(
                (await house.play(lifeboats(f"m{talk}", "a", "b", "c", talk=talk)))[f"m{talk}"]
            )
            async with asyncio.timeout(30):
                while not all(bot.heard and bot.heard[-1].HasField("end") for bot in bots.values()):  # noqa: ASYNC110 - it is on its way
                    await asyncio.sleep(0.01)
            assert not any(bot.talk for bot in bots.values())
            counts.append([len(bot.heard) for bot in bots.values()])
            for seat, bot in enumerate(bots.values()):
                choices = [each.step for each in record.steps if isinstance(each.step, Played)]
                mine = sum(step.seat == seat for step in choices)
                assert (
                    2 < len(bot.heard) <= mine + 2
                )  # a Start, an End, and the choices of more than one action
    assert counts[0] == counts[1]


@pytest.mark.parametrize("variant", ["standard", "stick"])
async def test_house_bots_that_talk_play_as_they_do_without_a_referee(house: House, variant: str) -> None:
    names = ("keeper", "liar", "diplomat", "random")
    seats = tuple(SeatOrder(name, "1", Hosted(f"house:lifeboats/{name}", 0)) for name in names)
    options = {"dealt": 1, "talk": 2}
    ended: Any = await house.play(Order("m", "lifeboats", variant, seats, SEED, options, PATIENT))
    record = record_of(ended["m"])
    assert [seat.talks for seat in record.seats] == [True, True, True, False]
    assert {each.seat for each in lines(record)} == {0, 1, 2}
    bots = [house_bot("lifeboats", name) for name in names]
    result = practise("lifeboats", bots, seed=SEED, variant=variant, options=options)
    assert (record.result.scores, record.result.places) == (result.scores, result.places)
