"""A stage for bots that misbehave: each beside a match of good ones, which must be as if nothing had happened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arena.match.faults import SeatFault
from arena.match.verification import verify
from arena.referee_client import Finished, Order
from tests.referee.running_referee import HURRY, House, RawBot, good_bots, order

SMALL_WINDOW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 8192))
"""Has grpc take little of what is not read, so that the referee sees it at once."""

Fault = asyncio.Future[SeatFault]


@asynccontextmanager
async def against_good(
    house: House, seat: int = 0, *options: tuple[str, int], hands: int = 1, **hello: object
) -> AsyncIterator[tuple[RawBot, Fault]]:
    """Sit a bot `a`, to be misused by the test, opposite a good one, beside a match of good ones that must go on.

    Gives the bot, and the fault that is found, once all is over: it must be the bot's own.
    """
    names = ("a", "b") if seat == 0 else ("b", "a")
    async with good_bots(house, "b", "c", "d"), RawBot(house.bots, "token-a", *options) as bad:
        await bad.hello(**hello)
        playing = house.begin(order("bad", *names, time=HURRY), order("good", "c", "d", hands=hands))

        async def outcome() -> SeatFault:
            ended = await playing
            assert_unharmed(ended["good"])
            spoilt = ended["bad"]
            assert isinstance(spoilt, Finished)
            assert verify(spoilt.record) is None
            fault = spoilt.record.result.fault
            assert fault is not None
            assert fault.seat == seat
            assert spoilt.record.result.places[seat] == 2
            # Whoever was wronged is free for the next match.
            assert_unharmed((await house.play(order("after", "b", "c")))["after"])
            return fault

        yield bad, asyncio.ensure_future(outcome())


@asynccontextmanager
async def undisturbed(house: House, *, matches: int = 3) -> AsyncIterator[None]:
    """Play good matches while the test does harm, and one more when it is done."""
    async with good_bots(house, "c", "d"):
        orders: list[Order] = [order(f"good {number}", "c", "d", hands=2) for number in range(matches)]
        playing = house.begin(*orders)
        yield
        for report in (await playing).values():
            assert_unharmed(report)
        assert_unharmed((await house.play(order("after", "c", "d")))["after"])


def assert_unharmed(report: object) -> None:
    """See that a match of good bots was played to its end."""
    assert isinstance(report, Finished), report
    assert report.record.result.end == "completed", report.record.result
    assert verify(report.record) is None
