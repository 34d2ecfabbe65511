from collections.abc import Iterator

import pytest
from redis import Redis

from arena.messaging.redis_connection import connect
from tests.parts.redis_server import RunningRedis, running_redis


@pytest.fixture(scope="module")
def server() -> Iterator[RunningRedis]:
    with running_redis() as server:
        yield server


@pytest.fixture
def client(server: RunningRedis) -> Iterator[Redis]:
    client = connect(server.url)
    client.flushall()
    yield client
    client.close()
