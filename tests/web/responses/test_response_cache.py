"""Answers are given again while they are what would be made now, and never after."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from fastapi import HTTPException
from fastapi.testclient import TestClient

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from arena.messaging.redis_connection import connect_async
from arena.storage import Store
from arena.web.app import create_app
from arena.web.responses.response_cache import CACHED
from tests import random_tournaments
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until
from tests.web.access import ACCESS
from tests.web.conftest import opened
from tests.web.named_users import House, furnished, house

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["furnished", "house"]


@contextmanager
def counted(store: Store, redis: RunningRedis) -> Iterator[tuple[TestClient, list[int]]]:
    """A client of an app with a page that counts how often it is made, and a page that is not the store's alone."""
    app = create_app(store, connect_async(redis.url), ACCESS)
    made: list[int] = []

    @app.get("/counted", dependencies=[CACHED])
    def count() -> dict[str, int]:
        made.append(1)
        return {"made": len(made)}

    @app.get("/slow", dependencies=[CACHED])
    def count_slowly(seconds: float = 0.2) -> dict[str, int]:
        time.sleep(seconds)
        return count()

    @app.get("/once", dependencies=[CACHED])
    def count_once() -> dict[str, int]:
        if made:
            raise HTTPException(410)
        return count()

    @app.get("/else")
    def count_else() -> dict[str, int]:
        made.append(1)
        return {"made": len(made)}

    with TestClient(app) as client:
        yield client, made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path) as store:
        yield store


@pytest.fixture
def worker(tmp_path: Path, store: Store) -> Iterator[Store]:
    """The same store, as another process has it."""
    other = Store.open(f"sqlite:///{tmp_path / 'arena.sqlite3'}")
    yield other
    other.close()


def test_an_answer_is_made_once_until_something_is_committed(
    store: Store, redis_server: RunningRedis
) -> None:
    with counted(store, redis_server) as (client, made):
        assert [client.get("/counted").json()["made"] for _ in range(3)] == [1, 1, 1]
        assert client.head("/counted").status_code == 200
        random_tournaments.create(store, "lost_cities", "random", "greedy")
        assert client.get("/counted").json()["made"] == 2
        assert client.get("/counted", headers={"Accept-Language": "es"}).json()["made"] == 3
        assert client.get("/counted?page=2").json()["made"] == 4
        assert client.get("/counted", headers={"Host": "elsewhere.example.org"}).json()["made"] == 5
        assert [client.get("/else").json()["made"] for _ in range(2)] == [6, 7]
        assert len(made) == 7


def test_of_many_that_ask_at_once_one_makes_the_answer(store: Store, redis_server: RunningRedis) -> None:
    with counted(store, redis_server) as (client, made):
        threads = [threading.Thread(target=client.get, args=("/counted",)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(made) == 1


def test_a_browser_that_has_the_answer_is_told_so(store: Store, redis_server: RunningRedis) -> None:
    with counted(store, redis_server) as (client, made):
        etag = client.get("/counted").headers["etag"]
        again = client.get("/counted", headers={"If-None-Match": etag})
        assert (again.status_code, again.content, len(made)) == (304, b"", 1)
        assert "content-security-policy" in again.headers


def test_pages_and_their_twins_follow_the_store(store: Store, redis_server: RunningRedis) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious").id
    with counted(store, redis_server) as (client, _):
        twin, page = f"/api/v1/tournaments/{number}", f"/tournaments/{number}"
        assert client.get(twin).json()["matches_done"] == 0
        before = client.get(page).text
        assert client.get(page).text == before
        random_tournaments.play(store, number, limit=1)
        assert client.get(twin).json()["matches_done"] == 1
        assert client.get(page).text != before
        lifecycle.pause(store, number, OPERATOR)
        assert client.get(twin).json()["state"] == "paused"


def test_who_is_signed_in_is_not_answered_from_memory(house: House) -> None:
    with house.client() as stranger:
        shown = stranger.get("/tournaments").text
        assert stranger.get("/tournaments").text == shown
    with house.browser("ada") as browser:
        assert ">ada<" in browser.get("/tournaments").text
        browser.cookies.clear()
        assert ">ada<" not in browser.get("/tournaments").text


def test_results_that_come_in_make_nobody_wait(
    store: Store, worker: Store, redis_server: RunningRedis
) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious").id
    began = time.monotonic()
    random_tournaments.play(worker, number, limit=1)
    slow = f"/slow?seconds={max(0.2, time.monotonic() - began)}"
    with counted(store, redis_server) as (client, _):
        assert client.get(slow).json()["made"] == 1
        random_tournaments.play(worker, number, limit=1)
        assert client.get(slow).json()["made"] == 1


def test_who_reloads_gets_what_is_so_now(store: Store, worker: Store, redis_server: RunningRedis) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious").id
    with counted(store, redis_server) as (client, _):
        assert client.get("/slow").json()["made"] == 1
        random_tournaments.play(worker, number, limit=1)
        assert client.get("/slow", headers={"Cache-Control": "max-age=0"}).json()["made"] == 2
        assert client.get("/slow", headers={"Cache-Control": "no-cache"}).json()["made"] == 2, (
            "nothing came in"
        )


def test_next_answer_is_made_beside_the_one_that_is_given(
    store: Store, worker: Store, redis_server: RunningRedis
) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious").id
    with counted(store, redis_server) as (client, _):
        assert client.get("/counted").json()["made"] == 1
        random_tournaments.play(worker, number, limit=1)
        wait_until(lambda: client.get("/counted").json()["made"] > 1, "another answer")


def test_what_was_changed_here_is_seen_at_once(store: Store, redis_server: RunningRedis) -> None:
    with counted(store, redis_server) as (client, _):
        assert client.get("/slow").json()["made"] == 1
        random_tournaments.create(store, "lost_cities", "random", "greedy")
        assert client.get("/slow").json()["made"] == 2


def test_answer_that_cannot_be_made_anew_is_forgotten(
    store: Store, worker: Store, redis_server: RunningRedis
) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious").id
    with counted(store, redis_server) as (client, _):
        assert client.get("/once").json() == {"made": 1}
        random_tournaments.play(worker, number, limit=1)
        wait_until(lambda: client.get("/once").status_code == 410, "no answer any more")
