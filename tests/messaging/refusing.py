"""A real Redis that refuses writes, in each of the ways that a Redis does."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from arena.messaging.redis_connection import connect
from tests.patience import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.parts.redis_server import RunningRedis


@contextmanager
def full(server: RunningRedis) -> Iterator[None]:
    """Its memory is full."""
    with connect(server.url) as client:
        client.config_set("maxmemory", 1)
        try:
            yield
        finally:
            client.config_set("maxmemory", 0)


@contextmanager
def replica(server: RunningRedis) -> Iterator[None]:
    """It is a replica of another one, which is away."""
    with connect(server.url) as client:
        client.execute_command("REPLICAOF", "127.0.0.1", "1")
        try:
            yield
        finally:
            client.execute_command("REPLICAOF", "NO", "ONE")


@contextmanager
def unsaved(server: RunningRedis) -> Iterator[None]:
    """It cannot save to its disk, since its folder is gone."""
    aside = server.folder.with_name(f"{server.folder.name}-aside")
    with connect(server.url) as client:
        client.config_set("save", "3600 1")
        aside.mkdir()
        for entry in server.folder.iterdir():
            entry.rename(aside / entry.name)
        server.folder.rmdir()
        try:
            with suppress(RedisError):  # it answers that even PING is refused
                client.bgsave()
            wait_until(
                lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err", "it could not save"
            )
            yield
        finally:
            client.config_set("save", "")
            server.folder.mkdir()
            for entry in aside.iterdir():
                entry.rename(server.folder / entry.name)
            aside.rmdir()


@contextmanager
def lonely(server: RunningRedis) -> Iterator[None]:
    """It has fewer replicas than it must have."""
    with connect(server.url) as client:
        client.config_set("min-replicas-to-write", 1)
        try:
            yield
        finally:
            client.config_set("min-replicas-to-write", 0)
