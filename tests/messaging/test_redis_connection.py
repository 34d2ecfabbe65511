import pytest

from arena.core.errors import UsageError
from arena.messaging.redis_connection import RedisUnreachable, connect, connect_async
from tests.parts.redis_server import RunningRedis


def test_connect_gives_a_client_that_answers(server: RunningRedis) -> None:
    assert connect(server.url).ping()


async def test_connect_async_gives_a_client_that_answers(server: RunningRedis) -> None:
    client = connect_async(server.url)
    assert await client.ping()
    await client.aclose()


@pytest.mark.parametrize("url", ["unix:///nowhere/redis.sock", "redis://127.0.0.1:1/0"])
def test_connect_names_the_url_that_cannot_be_reached_and_the_remedy(url: str) -> None:
    with pytest.raises(RedisUnreachable, match="ARENA_REDIS_URL") as caught:
        connect(url)
    assert url in str(caught.value)


def test_connect_shows_no_password() -> None:
    with pytest.raises(RedisUnreachable) as caught:
        connect("redis://:geheim@127.0.0.1:1/0")
    assert "geheim" not in str(caught.value)


def test_connect_refuses_a_url_that_is_no_redis() -> None:
    with pytest.raises(UsageError, match="must be redis://"):
        connect("postgresql://localhost/arena")
