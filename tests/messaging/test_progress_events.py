import pytest
from redis import Redis
from redis.exceptions import RedisError

from arena.messaging.progress_events import (
    BEGINNING,
    Event,
    EventKind,
    events_of,
    publish,
    tournament_stream,
)
from arena.messaging.redis_connection import connect, connect_async
from arena.messaging.stream_reader import entries_by_stream, read_streams
from tests.parts.redis_server import RunningRedis, running_redis

STREAM = tournament_stream(7)


def results(*numbers: int) -> list[Event]:
    return [Event(EventKind.RESULT, {"set": number}) for number in numbers]


def read(client: Redis, after: str = BEGINNING) -> tuple[Event, ...]:
    return events_of(entries_by_stream(client.xread({STREAM: after})).get(STREAM, ()))


async def test_streams_are_read_after_the_ids_given_for_each(client: Redis, server: RunningRedis) -> None:
    other = tournament_stream(8)
    publish(client, STREAM, *results(1, 2))
    publish(client, other, *results(3))
    first = read(client)[0]
    async with connect_async(server.url) as reader:
        found = await read_streams(
            reader, {STREAM: first.id, other: BEGINNING, tournament_stream(9): BEGINNING}, 10
        )
    assert {
        stream: [event.data["set"] for event in events_of(entries)] for stream, entries in found.items()
    } == {
        STREAM: [2],
        other: [3],
    }


def test_read_gives_events_in_the_order_they_were_published(client: Redis) -> None:
    publish(client, STREAM, *results(1, 2))
    publish(client, STREAM, Event(EventKind.STATE, {"state": "finished"}))
    found = read(client)
    assert [event.kind for event in found] == [EventKind.RESULT, EventKind.RESULT, EventKind.STATE]
    assert [event.data for event in found] == [{"set": 1}, {"set": 2}, {"state": "finished"}]


def test_events_of_kinds_that_only_a_newer_release_knows_are_skipped(client: Redis) -> None:
    publish(client, STREAM, *results(1))
    client.xadd(STREAM, {"kind": "of a newer release", "data": "{}", "more": "1"})
    publish(client, STREAM, *results(2))
    assert [event.data["set"] for event in read(client)] == [1, 2]


def test_read_gives_what_came_after_an_id(client: Redis) -> None:
    publish(client, STREAM, *results(1, 2, 3))
    first = read(client)[0]
    assert [event.data["set"] for event in read(client, first.id)] == [2, 3]


def test_a_stream_is_capped(client: Redis) -> None:
    for _ in range(12):
        publish(client, STREAM, *results(*range(100)))
    assert 1000 <= client.xlen(STREAM) < 1200


def test_a_stream_goes_away_in_the_end(client: Redis) -> None:
    publish(client, STREAM, *results(1))
    assert 0 < client.ttl(STREAM) <= 24 * 3600


def test_publishing_without_redis_is_no_error(server: RunningRedis) -> None:
    with running_redis() as other:
        client = connect(other.url)
        other.kill()
        with pytest.raises(RedisError):
            publish(client, STREAM, *results(1))
