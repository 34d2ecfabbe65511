"""Running matches in Redis."""

import json

from redis import Redis

from arena.messaging import live_steps
from arena.messaging.live_steps import RunningMatch
from arena.messaging.redis_connection import connect_async
from tests.parts.redis_server import RunningRedis


async def test_what_a_newer_release_adds_to_a_running_match_is_skipped(
    client: Redis, server: RunningRedis
) -> None:
    shown = RunningMatch("m-1", 7, 0, 1, 2, 12.5, followed=True)
    live_steps.show(client, "worker", [shown])
    row = json.loads(client.get("tables:worker"))[0]  # type: ignore[arg-type]
    client.set("tables:worker", json.dumps([[*row, "more"]]))
    async with connect_async(server.url) as reader:
        assert await live_steps.playing(reader) == (shown,)
