"""The fan-out of progress, on a real Redis and a real store."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import TYPE_CHECKING

import pytest

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from arena.competition.plans import NotFound
from arena.messaging.progress_events import Event, EventKind, publish, tournament_stream
from arena.messaging.redis_connection import connect, connect_async
from arena.service.after_writes import Written, send_async
from arena.storage import Store
from arena.web.live import tournament_progress
from arena.web.live.progress_hub import Progress, ProgressHub
from tests import random_tournaments
from tests.parts.redis_server import RunningRedis, running_redis
from tests.web.conftest import opened

if TYPE_CHECKING:
    from pathlib import Path

SOON_S = 5.0


class Hall:
    """A tournament that is played match by match, and those who watch it."""

    def __init__(self, store: Store, redis: RunningRedis) -> None:
        self.store = store
        self.redis = redis
        self.tournament = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
        self.live = ProgressHub(connect_async(redis.url), partial(tournament_progress.load, store))

    def watch(self) -> AsyncIterator[Progress]:
        return self.live.follow(self.tournament)

    def play(self) -> None:
        assert random_tournaments.play(self.store, self.tournament, limit=1) == 1

    def announce(self) -> None:
        with connect(self.redis.url) as client:
            publish(client, tournament_stream(self.tournament), Event(EventKind.RESULT))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path) as store:
        yield store


@pytest.fixture
async def hall(store: Store, redis_server: RunningRedis) -> AsyncIterator[Hall]:
    with connect(redis_server.url) as client:
        client.flushall()
    hall = Hall(store, redis_server)
    async with hall.live.running():
        yield hall


async def _next(news: AsyncIterator[Progress]) -> Progress:
    return await asyncio.wait_for(anext(news), SOON_S)


async def test_page_is_told_at_once_how_far_it_is(hall: Hall) -> None:
    first = await _next(hall.watch())
    assert (first.state, first.matches_done, first.matches_total) == ("running", 0, 2)


async def test_page_is_told_of_a_result_though_its_progress_could_not_be_read_once(
    store: Store, redis_server: RunningRedis, caplog: pytest.LogCaptureFixture
) -> None:
    hall, failed = Hall(store, redis_server), threading.Event()

    def load(tournament_id: int) -> tuple[str, int, int]:
        if begun and not failed.is_set():
            failed.set()
            raise ValueError("a library's own error")
        return tournament_progress.load(store, tournament_id)

    begun = False
    hall.live = ProgressHub(connect_async(redis_server.url), load)
    async with hall.live.running():
        news = hall.watch()
        await _next(news)
        begun = True
        await asyncio.to_thread(hall.play)
        await asyncio.to_thread(hall.announce)
        await asyncio.to_thread(failed.wait, SOON_S)
        await asyncio.to_thread(hall.announce)
        assert (await _next(news)).matches_done == 1
    assert "a library's own error" in caplog.text


async def test_page_is_told_of_a_result(hall: Hall) -> None:
    news = hall.watch()
    await _next(news)
    await asyncio.to_thread(hall.play)
    await asyncio.to_thread(hall.announce)
    assert (await _next(news)).matches_done == 1


async def test_news_has_the_id_of_its_event(hall: Hall) -> None:
    news = hall.watch()
    before = await _next(news)
    await asyncio.to_thread(hall.play)
    await asyncio.to_thread(hall.announce)
    assert (await _next(news)).id > before.id


async def test_watching_ends_with_the_tournament(hall: Hall) -> None:
    news = hall.watch()
    await _next(news)
    await asyncio.to_thread(random_tournaments.play, hall.store, hall.tournament)
    await asyncio.to_thread(hall.announce)
    assert [each.state async for each in news] == ["finished"]


async def test_watching_lasts_over_a_pause_and_ends_with_a_cancellation(hall: Hall) -> None:
    news = hall.watch()
    await _next(news)
    for act, state in (
        (lifecycle.pause, "paused"),
        (lifecycle.resume, "running"),
        (lifecycle.cancel, "cancelled"),
    ):
        await asyncio.to_thread(act, hall.store, hall.tournament, OPERATOR)
        await send_async(connect_async(hall.redis.url), Written(hall.tournament, state))
        assert (await _next(news)).state == state
    assert [each async for each in news] == []


async def test_page_is_told_of_more_matches(hall: Hall) -> None:
    news = hall.watch()
    await _next(news)
    await asyncio.to_thread(lifecycle.extend, hall.store, hall.tournament, 2, OPERATOR)
    await send_async(connect_async(hall.redis.url), Written(hall.tournament, "running"))
    assert (await _next(news)).matches_total == 6


async def test_slow_page_is_told_the_newest_only(hall: Hall) -> None:
    slow, quick = hall.watch(), hall.watch()
    await _next(slow)
    await _next(quick)
    for done in (1, 2):
        await asyncio.to_thread(hall.play)
        await asyncio.to_thread(hall.announce)
        assert (await _next(quick)).matches_done == done
    assert (await _next(slow)).matches_done == 2


async def test_many_pages_need_one_reader(hall: Hall) -> None:
    with connect(hall.redis.url) as client:
        others = {each["id"] for each in client.client_list()}
    pages = [hall.watch() for _ in range(50)]
    await asyncio.gather(*map(_next, pages))
    await asyncio.to_thread(hall.play)
    await asyncio.to_thread(hall.announce)
    assert {each.matches_done for each in await asyncio.gather(*map(_next, pages))} == {1}
    with connect(hall.redis.url) as client:
        connections = [each for each in client.client_list() if each["id"] not in others]
    readers = [each for each in connections if each["cmd"] == "xread"]
    assert len(readers) == 1


async def test_unknown_tournament_is_not_found(hall: Hall) -> None:
    with pytest.raises(NotFound, match="tournament 99"):
        await _next(hall.live.follow(99))


async def test_redis_that_comes_back_empty_loses_no_news(store: Store) -> None:
    with running_redis() as redis:
        hall = Hall(store, redis)
        async with hall.live.running():
            news = hall.watch()
            await _next(news)
            redis.kill()
            await asyncio.to_thread(hall.play)
            await asyncio.to_thread(redis.start)
            assert (await _next(news)).matches_done == 1
