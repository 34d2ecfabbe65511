"""A referee that drains: matches that run go on, nothing new begins, and whoever talks to it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.referee_client import Finished, RefereeDraining
from arena.referee_client.reachability import why_unreachable
from tests.referee.running_referee import House, RawBot, good_bots, order

LONG_S = 600


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)


@asynccontextmanager
async def slow_bot(house: House) -> AsyncIterator[RawBot]:
    """Connect two bots that play one match at a time; one, which is returned, has to be moved by hand."""
    async with good_bots(house, "b", at_once=1), house.bot("a") as slow:
        await slow.hello(matches_at_once=1)
        yield slow


async def drained(house: House, limit_s: int) -> list[int]:
    return [matches async for matches in house.client.drain(limit_s)]


async def serving(house: House) -> health_pb2.HealthCheckResponse.ServingStatus:
    async with grpc.aio.insecure_channel(house.bots) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        answer: health_pb2.HealthCheckResponse = await stub.Check(health_pb2.HealthCheckRequest())
        return answer.status


async def test_match_that_has_begun_ends_with_its_result_and_one_that_waits_is_given_back(
    house: House,
) -> None:
    async with slow_bot(house) as slow:
        reports = house.client.play([order("begun", "a", "b"), order("waits", "a", "b")])
        assert (await anext(reports)).match == "begun"
        draining = asyncio.create_task(drained(house, LONG_S))
        await until(lambda: house.referee.draining.is_on)
        slow.start()
        ended = await anext(reports)
        assert isinstance(ended, Finished)
        assert (ended.match, ended.record.result.fault) == ("begun", None)
        with pytest.raises(RefereeDraining, match="draining: it takes no new matches"):
            await anext(reports)
        assert await draining == [1, 0]


async def test_match_that_outlasts_the_limit_ends_without_result_and_without_a_fault(house: House) -> None:
    async with slow_bot(house) as slow:
        reports = house.client.play([order("m", "a", "b")])
        await anext(reports)
        assert await drained(house, 1) == [1, 0]
        with pytest.raises(RefereeDraining):
            await anext(reports)
        end = await slow.hear_of("end")
        assert not end.HasField("outcome")
        assert not [each for each in slow.heard if each.WhichOneof("message") == "fault"]


async def test_new_orders_and_the_question_whether_it_takes_some_are_refused(house: House) -> None:
    await drained(house, LONG_S)
    with pytest.raises(RefereeDraining):
        await house.play(order("m", "a", "b"))
    assert isinstance(await why_unreachable(house.referee.control_address), RefereeDraining)


async def test_referee_that_resumes_takes_matches_again(house: House) -> None:
    await drained(house, LONG_S)
    await house.client.resume()
    assert await why_unreachable(house.referee.control_address) is None
    async with good_bots(house, "a", "b"):
        assert isinstance((await house.play(order("m", "a", "b")))["m"], Finished)


async def test_limit_can_be_set_again(house: House) -> None:
    async with slow_bot(house) as slow:
        playing = house.begin(order("m", "a", "b"))
        await slow.hear_of("ask")
        first = asyncio.create_task(drained(house, LONG_S))
        await until(lambda: house.referee.draining.is_on)
        assert await drained(house, 0) == [0]
        assert await first == [1, 0]
        with pytest.raises(RefereeDraining):
            await playing


async def test_dial_in_bots_are_told_when_draining_begins_and_ends(house: House) -> None:
    async with house.bot("a") as bot:
        assert not (await bot.hello()).welcome.draining
        await drained(house, LONG_S)
        assert (await bot.hear_of("welcome")).draining
        await house.client.resume()
        assert not (await bot.hear_of("welcome")).draining


async def test_bot_that_comes_back_to_its_match_meanwhile_is_let_in_and_told(house: House) -> None:
    async with good_bots(house, "b"):
        async with house.bot("a") as bot:
            await bot.hello()
            playing = house.begin(order("m", "a", "b"))
            await bot.hear_of("ask")
            draining = asyncio.create_task(drained(house, LONG_S))
            await until(lambda: house.referee.draining.is_on)
        async with house.bot("a") as again:
            assert (await again.hello()).welcome.draining
            again.start()
            assert isinstance((await playing)["m"], Finished)
            await draining


async def test_health_service_says_not_serving_while_it_drains(house: House) -> None:
    status = health_pb2.HealthCheckResponse
    assert await serving(house) == status.SERVING
    await drained(house, LONG_S)
    assert await serving(house) == status.NOT_SERVING
    await house.client.resume()
    assert await serving(house) == status.SERVING


async def test_arena_hears_on_the_control_stream_how_far_it_is(house: House) -> None:
    async with slow_bot(house) as slow:
        playing = house.begin(order("m", "a", "b"))
        await slow.hear_of("ask")
        draining = asyncio.create_task(drained(house, LONG_S))

        def said() -> list[tuple[bool, int]]:
            states = [news.drain for news in house.news if news.HasField("drain")]
            return [(state.draining, state.matches) for state in states]

        await until(said)
        await slow.answer(slow.heard[-1].ask)
        slow.start()
        await playing
        await draining
        await house.client.resume()
        await until(lambda: len(said()) == 3)
        assert said() == [(True, 1), (True, 0), (False, 0)]


async def test_matches_that_are_given_back_together_are_reported_once(house: House) -> None:
    async with good_bots(house, "b", at_once=8), house.bot("a") as slow:
        await slow.hello(matches_at_once=8)
        playing = house.begin(*(order(f"m{number}", "a", "b") for number in range(8)))
        for _ in range(8):
            await slow.hear_of("start")
        await drained(house, 0)
        with pytest.raises(RefereeDraining):
            await playing
        await until(lambda: any(news.HasField("drain") for news in house.news))
        await house.client.resume()
        await until(lambda: not house.news[-1].drain.draining)
        assert [news.drain.matches for news in house.news if news.HasField("drain")] == [0, 0]
