"""A record that was stored under other rules than the program's: the pages say so, and show all else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from tests import other_rules
from tests.web import stage
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.parts import RunningRedis

WHY = "stored under version 2 of the rules of lost_cities, this program has version 1"


@pytest.fixture
def address(tmp_path: Path, redis_server: RunningRedis) -> Iterator[tuple[TestClient, str]]:
    """A client, and the address of a match whose record is of other rules."""
    with opened(tmp_path) as store:
        number = stage.create(store, "lost_cities", "random", "greedy", hands=1).id
        stage.play(store, number)
        other_rules.put(store, number, 0, 0)
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client, f"/tournaments/{number}/sets/0/matches/0"


def test_the_page_says_why_there_is_no_board(address: tuple[TestClient, str]) -> None:
    client, match = address
    answer = client.get(match)
    assert answer.status_code == 200
    assert WHY in answer.text
    assert "greedy" in answer.text
    assert client.get(f"{match}/board").status_code == 404


def test_the_api_shows_the_match_but_not_its_record(address: tuple[TestClient, str]) -> None:
    client, match = address
    assert client.get(f"/api/v1{match}").json()["end"] == "completed"
    answer = client.get(f"/api/v1{match}/record")
    assert answer.status_code == 501
    problem = answer.json()
    assert WHY in problem["detail"]
    assert "organiser" in problem["remedy"]


def test_the_other_matches_of_the_set_are_shown(address: tuple[TestClient, str]) -> None:
    client, match = address
    assert client.get(f"/api/v1{match[:-1]}1/record").status_code == 200
