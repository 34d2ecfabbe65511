"""A record that is not kept any more: page and API say so, and show all else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from arena.competition import retention
from arena.competition.retention import RetentionPolicy
from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from tests import random_tournaments
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.parts.redis_server import RunningRedis


@pytest.fixture
def address(tmp_path: Path, redis_server: RunningRedis) -> Iterator[tuple[TestClient, str]]:
    """A client, and the address of a match whose record is not kept any more."""
    with opened(tmp_path) as store:
        number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
        random_tournaments.play(store, number)
        retention.prune(store, RetentionPolicy(records_days=1e-9))
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client, f"/tournaments/{number}/sets/0/matches/0"


def test_the_page_says_so_and_shows_the_result(address: tuple[TestClient, str]) -> None:
    client, match = address
    answer = client.get(match)
    assert answer.status_code == 200
    assert "is no longer stored" in answer.text
    assert "completed" in answer.text
    assert "/record" not in answer.text


def test_board_and_record_are_gone(address: tuple[TestClient, str]) -> None:
    client, match = address
    for path in (f"{match}/board", f"/api/v1{match}/record"):
        answer = client.get(path)
        assert answer.status_code == 410
        assert "no longer stored" in answer.text


def test_the_api_shows_the_match_and_that_its_record_is_not_kept(address: tuple[TestClient, str]) -> None:
    client, match = address
    document = client.get(f"/api/v1{match}").json()
    assert (document["end"], document["record_kept"]) == ("completed", False)
    assert document["seed"] is not None
