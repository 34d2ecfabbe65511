import pytest
from redis import Redis

from arena.messaging import presence
from arena.messaging.presence import Presence
from arena.messaging.redis_connection import connect_async
from tests.parts.redis_server import RunningRedis

MINE = Presence("mine", "1")


def test_what_a_referee_shows_is_present(client: Redis) -> None:
    presence.show(client, "one", "", {"bob": MINE})
    assert presence.present(client) == {"bob": Presence("mine", "1", ("one",))}


def test_a_bot_with_streams_to_two_referees_is_present_once(client: Redis) -> None:
    presence.show(client, "one", "", {"bob": MINE})
    presence.show(client, "other", "", {"bob": MINE})
    assert presence.present(client) == {"bob": Presence("mine", "1", ("one", "other"))}


def test_what_is_no_longer_shown_is_gone(client: Redis) -> None:
    presence.show(client, "one", "play1:7000", {"bob": MINE})
    presence.show(client, "one", "", {})
    assert (presence.present(client), presence.addresses(client)) == ({}, {})


def test_bots_come_and_go_one_by_one(client: Redis) -> None:
    presence.set_present(client, "bob", "one", "mine", "1")
    presence.set_present(client, "eve", "one", "hers", "2")
    presence.set_absent(client, "bob", "one")
    assert presence.present(client) == {"eve": Presence("hers", "2", ("one",))}


async def test_a_referee_says_what_protects_it(client: Redis, server: RunningRedis) -> None:
    presence.show(client, "one", "", {}, "full: all holds")
    presence.show(client, "other", "", {})
    async with connect_async(server.url) as reader:
        assert await presence.protections(reader) == {"one": "full: all holds"}


def test_a_referee_shows_its_release_and_that_it_drains(client: Redis) -> None:
    presence.show(client, "one", "", {}, "full", presence.RefereeState("0.2.0", 2, draining=True, matches=3))
    (row,) = presence.overview(client)
    assert (row.release, row.generation, row.draining, row.matches) == ("0.2.0", 2, True, 3)


def test_a_state_with_fields_of_a_newer_release_is_read(client: Redis) -> None:
    presence.show(client, "one", "", {}, "full")
    client.set("referee:one:state", '{"release": "0.9.0", "generation": 3, "mood": "good"}')
    (row,) = presence.overview(client)
    assert (row.release, row.draining) == ("0.9.0", False)


def test_referees_without_an_address_for_bots_are_not_listed(client: Redis) -> None:
    presence.show(client, "one", "play1:7000", {})
    presence.show(client, "other", "", {})
    assert presence.addresses(client) == {"one": "play1:7000"}


@pytest.mark.parametrize("key", ["referee:one:bots", "referee:one:address"])
def test_all_of_it_expires(client: Redis, key: str) -> None:
    presence.show(client, "one", "play1:7000", {"bob": MINE})
    assert 0 < client.ttl(key) <= presence.KEPT_S


def test_nothing_is_present_in_an_empty_redis(client: Redis) -> None:
    assert (presence.present(client), presence.addresses(client)) == ({}, {})
