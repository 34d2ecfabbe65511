"""`/health`: strangers learn whether all is well, admins and the machine's operator which part is not."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fastapi.testclient import TestClient

from arena.messaging import presence
from arena.messaging.redis_connection import connect, connect_async
from arena.storage import Store
from arena.web.app import create_app
from tests.messaging import refusing
from tests.patience import wait_until
from tests.web.access import ACCESS
from tests.web.named_users import House, furnished, house

__all__ = ["furnished", "house"]

ALL = {
    "status": "ok",
    "store": "ok",
    "problem": "",
    "redis": "ok",
    "redis_problem": "",
    "protection": {},
    "missing_referees": [],
    "waiting_workers": [],
}
LIVENESS = {"status": "ok"}
NO_REDIS = "unix:///nowhere/redis.sock"


def test_stranger_learns_that_it_is_well_and_nothing_else(house: House) -> None:
    with house.client(address="203.0.113.7") as stranger:
        answer = stranger.get("/health")
    assert answer.json() == LIVENESS
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", ["ada", "olga"])
def test_author_and_organiser_learn_no_more(house: House, name: str) -> None:
    with house.client(house.token(name), address="203.0.113.7") as client:
        assert client.get("/health").json() == LIVENESS
    with house.browser(name) as browser:
        assert browser.get("/health").json() == LIVENESS


def test_admin_learns_which_parts_answer_by_token_and_by_session(house: House) -> None:
    with house.client(house.token("root"), address="203.0.113.7") as client:
        assert client.get("/health").json() == ALL
    with house.browser("root") as browser:
        assert browser.get("/health").json() == ALL


def test_that_workers_have_no_room_for_results_is_told_though_small_writes_succeed(house: House) -> None:
    client = connect(house.redis.url)
    presence.set_full(client, "vm-1")
    with house.browser("root") as admin:
        answer = admin.get("/health")
        assert (answer.status_code, answer.json()["store"]) == (503, "unwritable")
        assert "no room is left on the disk of the database's machine" in answer.json()["problem"]
        assert "no room is left on the disk of the database" in admin.get("/admin").text
    client.delete("workers:full")


def test_token_of_an_admin_without_that_scope_learns_no_more(house: House) -> None:
    with house.client(house.token("root", "read"), address="203.0.113.7") as client:
        assert client.get("/health").json() == LIVENESS


def test_wrong_token_is_answered_as_none_is(house: House) -> None:
    with house.client("arena_nothing", address="203.0.113.7") as client:
        answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (200, LIVENESS)


@pytest.mark.parametrize(
    ("address", "host"),
    [("127.0.0.1", "127.0.0.1:8000"), ("127.0.0.1", "localhost"), ("::1", "[::1]:8000"), ("::1", "[::1]")],
)
def test_operator_on_the_machine_itself_learns_which_parts_answer(
    house: House, address: str, host: str
) -> None:
    with house.client(address=address) as client:
        assert client.get("/health", headers={"Host": host}).json() == ALL


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "203.0.113.7"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=203.0.113.7"},
        {"X-Real-IP": "203.0.113.7"},
        {"X-Forwarded-Proto": "https"},
        {"Via": "1.1 proxy"},
        {"Host": "arena.example.org"},
        {"Host": "127.0.0.1.example.org"},
    ],
)
def test_what_a_proxy_or_a_page_of_another_site_sends_from_this_machine_is_a_strangers(
    house: House, headers: dict[str, str]
) -> None:
    with house.client(address="127.0.0.1") as client:
        assert client.get("/health", headers={"Host": "127.0.0.1:8000", **headers}).json() == LIVENESS


def test_forwarded_address_of_a_sender_who_is_not_believed_changes_nothing(house: House) -> None:
    with house.client(address="203.0.113.7") as client:
        answer = client.get("/health", headers={"Host": "127.0.0.1", "X-Forwarded-For": "127.0.0.1"})
    assert answer.json() == LIVENESS


def test_without_redis_it_is_degraded_and_pages_are_served(house: House) -> None:
    app = create_app(house.store, connect_async(NO_REDIS), ACCESS)
    with TestClient(app, client=("203.0.113.7", 5)) as client:
        answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "degraded"})


@contextmanager
def locked(store: Store) -> Iterator[None]:
    """Keep everybody else from writing to an SQLite store."""
    connection = sqlite3.connect(str(store.url.database), isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.close()


def test_a_redis_that_hangs_is_told_and_does_not_hold_up_the_answer(house: House) -> None:
    pid = house.redis.process.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        with house.client(house.token("root")) as client:
            answer = client.get("/health")
    finally:
        os.kill(pid, signal.SIGCONT)
    assert (answer.status_code, answer.json()["redis"]) == (200, "away")


def test_a_redis_that_refuses_writes_is_told_with_the_reason(house: House) -> None:
    with refusing.full(house.redis), house.client(house.token("root")) as client:
        answer = client.get("/health")
        shown = client.get("/status").text
    assert (answer.status_code, answer.json()["status"], answer.json()["redis"]) == (
        200,
        "degraded",
        "unwritable",
    )
    assert "its memory is full" in answer.json()["redis_problem"]
    assert "Redis refuses writes: pages are not live" in shown
    assert "no worker is running" not in shown


def test_a_store_that_cannot_be_written_is_told_with_the_reason(house: House) -> None:
    with house.client(house.token("root")) as client:
        client.get("/health")  # the first use of a token is noted in the store
        with locked(house.store):
            wait_until(lambda: client.get("/health").status_code == 503, "it is noticed", within_s=20)
            health = client.get("/health").json()
    assert (health["status"], health["store"]) == ("degraded", "unwritable")
    assert f"by process {os.getpid()} (" in health["problem"]


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Results cannot be stored"), ("es", "No se pueden guardar resultados")],
)
def test_admins_see_on_the_overview_that_nothing_can_be_stored(
    house: House, language: str, words: str
) -> None:
    with house.browser("root") as client, locked(house.store):
        headers = {"Accept-Language": language}
        wait_until(lambda: words in client.get("/admin", headers=headers).text, "it is shown", within_s=20)
