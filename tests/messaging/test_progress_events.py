import asyncio
import threading
import time
from itertools import islice

import pytest
from redis import Redis
from redis.exceptions import RedisError

from arena.messaging.progress_events import (
    Event,
    EventKind,
    afollow,
    follow,
    publish,
    read,
    tournament_stream,
)
from arena.messaging.redis_connection import connect, connect_async
from tests.parts import RunningRedis, running_redis

STREAM = tournament_stream(7)


def results(*numbers: int) -> list[Event]:
    return [Event(EventKind.RESULT, {"set": number}) for number in numbers]


def test_read_gives_events_in_the_order_they_were_published(client: Redis) -> None:
    publish(client, STREAM, *results(1, 2))
    publish(client, STREAM, Event(EventKind.STATE, {"state": "finished"}))
    found = read(client, STREAM)
    assert [event.kind for event in found] == [EventKind.RESULT, EventKind.RESULT, EventKind.STATE]
    assert [event.data for event in found] == [{"set": 1}, {"set": 2}, {"state": "finished"}]


def test_read_gives_what_came_after_an_id(client: Redis) -> None:
    publish(client, STREAM, *results(1, 2, 3))
    first = read(client, STREAM)[0]
    assert [event.data["set"] for event in read(client, STREAM, first.id)] == [2, 3]


def test_a_stream_is_capped(client: Redis) -> None:
    for _ in range(12):
        publish(client, STREAM, *results(*range(100)))
    assert 1000 <= client.xlen(STREAM) < 1200


def test_a_stream_goes_away_in_the_end(client: Redis) -> None:
    publish(client, STREAM, *results(1))
    assert 0 < client.ttl(STREAM) <= 24 * 3600


def test_follow_gives_events_as_they_come(client: Redis, server: RunningRedis) -> None:
    found: list[Event] = []
    reader = threading.Thread(
        target=lambda: found.extend(islice(follow(connect(server.url), STREAM), 2)), daemon=True
    )
    publish(client, STREAM, *results(1))
    reader.start()
    time.sleep(0.2)
    publish(client, STREAM, *results(2, 3))
    reader.join(5)
    assert [event.data["set"] for event in found] == [2, 3]


async def test_afollow_catches_up_and_goes_on(client: Redis, server: RunningRedis) -> None:
    publish(client, STREAM, *results(1, 2))
    reader = connect_async(server.url)
    events = afollow(reader, STREAM, read(client, STREAM)[0].id)
    assert (await anext(events)).data["set"] == 2
    publish(client, STREAM, *results(3))
    assert (await asyncio.wait_for(anext(events), 5)).data["set"] == 3
    await reader.aclose()


def test_publishing_without_redis_is_no_error(server: RunningRedis) -> None:
    with running_redis() as other:
        client = connect(other.url)
        other.kill()
        with pytest.raises(RedisError):
            publish(client, STREAM, *results(1))


async def test_afollow_outlasts_a_redis_that_comes_back_empty() -> None:
    with running_redis() as server:
        writer, reader = connect(server.url), connect_async(server.url)
        publish(writer, STREAM, *results(1))
        events = afollow(reader, STREAM, "0")
        assert (await anext(events)).data["set"] == 1
        server.kill()
        server.forget()
        following = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0.1)
        server.start()
        publish(writer, STREAM, *results(2))
        assert (await asyncio.wait_for(following, 5)).data["set"] == 2
        await reader.aclose()
