"""`/health`: strangers learn whether all is well, admins and the machine's operator which part is not."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from arena.queue.connection import connect_async
from arena.web.app import create_app
from tests.web.access import ACCESS
from tests.web.people import House, furnished, house

__all__ = ["furnished", "house"]

ALL = {
    "status": "ok",
    "store": "ok",
    "redis": "ok",
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
        {"Host": ""},
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
