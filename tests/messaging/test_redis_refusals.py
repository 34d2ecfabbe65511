"""A Redis that answers and refuses writes is told from one that is away, with the reason."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import pytest
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from arena.messaging.redis_connection import connect, connect_quickly
from arena.messaging.redis_refusals import find_refusal, why_refused
from tests.messaging import refusing
from tests.parts.redis_server import RunningRedis, running_redis

if TYPE_CHECKING:
    from collections.abc import Callable

WAYS = [
    (refusing.full, "its memory is full"),
    (refusing.replica, "it is a read-only replica"),
    (refusing.unsaved, "it cannot save to its disk"),
    (refusing.lonely, "fewer replicas are connected to it"),
]


@pytest.mark.parametrize(("way", "reason"), WAYS, ids=[way.__name__ for way, _ in WAYS])
def test_each_reason_is_named_until_writes_are_taken_again(
    way: Callable[[RunningRedis], AbstractContextManager[None]], reason: str
) -> None:
    with running_redis() as server, connect(server.url) as client:
        assert find_refusal(client) == ""
        with way(server):
            assert reason in find_refusal(client)
            assert reason in why_refused(error_of(client))
        assert find_refusal(client) == ""


def error_of(client: Redis) -> RedisError:
    """Return the error of a transaction, as nearly all of the arena's writes are."""
    with client.pipeline(transaction=True) as pipeline:
        pipeline.zadd("workers:parts", {"web/a": 1})
        pipeline.sadd("rq:workers", "a")
        with pytest.raises(RedisError) as raised:
            pipeline.execute()
    return raised.value


def test_a_user_without_rights_is_named() -> None:
    with running_redis() as server, connect(server.url) as client:
        client.execute_command("ACL", "SETUSER", "guest", "on", ">word", "~*", "+ping", "+get")
        with connect(f"unix://guest:word@{server.socket}") as guest:
            assert "its user may not make them" in find_refusal(guest)


def test_a_redis_that_is_away_refuses_nothing() -> None:
    with pytest.raises(RedisError) as raised:
        find_refusal(connect_quickly("redis://127.0.0.1:1/0"))
    assert why_refused(raised.value) == ""


@pytest.mark.parametrize("text", ["wrong kind of value", "a value named READONLYX", ""])
def test_other_errors_are_no_refusals(text: str) -> None:
    assert why_refused(ResponseError(text)) == ""
