"""Webs and workers announce themselves in Redis, and are forgotten when they stop."""

from redis import Redis

from arena.messaging import part_presence
from arena.messaging.part_presence import RunningPart

WEB = RunningPart("web", "one-1", 5, ("the clock is wrong",))
WORKER = RunningPart("worker", "one-2")


def test_parts_that_announce_themselves_are_listed_with_all_that_they_said(client: Redis) -> None:
    part_presence.announce(client, WORKER)
    part_presence.announce(client, WEB)
    assert part_presence.listing(client) == (WEB, WORKER)


def test_a_part_that_has_stopped_is_not_listed(client: Redis) -> None:
    part_presence.announce(client, WEB)
    part_presence.withdraw(client, WEB)
    assert part_presence.listing(client) == ()


def test_a_part_that_is_silent_is_not_listed(client: Redis) -> None:
    part_presence.announce(client, WEB)
    seconds, _ = client.time()
    client.zadd("workers:parts", {WEB.id: seconds - part_presence.KEPT_S - 1})
    assert part_presence.listing(client) == ()


def test_what_a_part_said_expires(client: Redis) -> None:
    part_presence.announce(client, WEB)
    assert 0 < client.ttl(f"workers:part:{WEB.id}") <= part_presence.KEPT_S


def test_a_silent_part_is_forgotten_when_another_announces_itself(client: Redis) -> None:
    client.zadd("workers:parts", {WEB.id: 1})
    part_presence.announce(client, WORKER)
    assert client.zcard("workers:parts") == 1
