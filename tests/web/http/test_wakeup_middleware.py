"""Writes wake the reconciler, reads and refusals do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from arena.messaging.redis_connection import connect
from tests import random_tournaments
from tests.web.named_users import House, furnished, house

__all__ = ["furnished", "house"]

WISH = {"game": "lost_cities", "bots": ["random", "greedy"], "options": {"hands": 1}}


@pytest.fixture
def channel(house: House) -> Iterator[Any]:
    client = connect(house.redis.url)
    with client.pubsub(ignore_subscribe_messages=True) as channel:
        channel.subscribe("arena:wake")
        channel.get_message(timeout=5.0)
        yield channel
    client.close()


def test_a_new_tournament_wakes_it(house: House, channel: Any) -> None:
    random_tournaments.bots.register_house(house.store, random_tournaments.HOUSE)
    with house.client(house.token("olga")) as client:
        assert client.post("/api/v1/tournaments", json=WISH).status_code == 201
        assert channel.get_message(timeout=10.0) is not None


def test_reads_and_refusals_do_not(house: House, channel: Any) -> None:
    with house.client() as client:
        assert client.get("/api/v1/tournaments").status_code == 200
        assert client.post("/api/v1/tournaments", json=WISH).status_code == 401
        assert channel.get_message(timeout=0.3) is None
