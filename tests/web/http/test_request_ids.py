"""Each request has an id: in its answer, on its error page, and with the work that it creates."""

from __future__ import annotations

import re

from fastapi.testclient import TestClient

from arena.messaging.redis_connection import connect_async
from arena.storage.schema import Tournament
from arena.web.app import create_app
from tests.web.access import ACCESS
from tests.web.named_users import House, furnished, house

__all__ = ["furnished", "house"]

GIVEN = "0123456789abcdef" * 2


def test_each_answer_has_an_id_of_its_own(house: House) -> None:
    with house.client() as client:
        ids = {client.get(path).headers["x-request-id"] for path in ("/", "/", "/api/v1/games", "/nowhere")}
    assert len(ids) == 4
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in ids)


def test_the_id_of_a_trusted_proxy_is_taken(house: House) -> None:
    with house.client(address="127.0.0.1") as client:
        answer = client.get("/", headers={"X-Request-ID": GIVEN, "X-Forwarded-For": "2001:db8::1"})
    assert answer.headers["x-request-id"] == GIVEN


def test_the_id_of_a_stranger_is_not(house: House) -> None:
    with house.client() as client:
        answer = client.get("/", headers={"X-Request-ID": GIVEN})
    assert answer.headers["x-request-id"] != GIVEN


def test_what_is_no_id_is_not_taken_from_a_proxy_either(house: House) -> None:
    with house.client(address="127.0.0.1") as client:
        answer = client.get("/", headers={"X-Request-ID": "x" * 32})
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])


def test_error_pages_and_problems_show_it(house: House) -> None:
    with house.client() as client:
        page, problem = client.get("/nowhere"), client.get("/api/v1/tournaments/99")
    assert f"<code>{page.headers['x-request-id']}</code>" in page.text
    assert problem.json()["request_id"] == problem.headers["x-request-id"]


def test_an_answer_to_an_error_of_our_own_has_it_too(house: House) -> None:
    app = create_app(house.store, connect_async(house.redis.url), ACCESS)

    @app.get("/breaks")
    def fail() -> None:
        raise RuntimeError("a slip")

    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get("/breaks")
    assert f"<code>{answer.headers['x-request-id']}</code>" in answer.text


def test_a_tournament_keeps_the_id_of_the_request_that_created_it(house: House) -> None:
    wish = {"game": "lost_cities", "bots": ["greedy", "random"]}
    with house.client(house.token("olga")) as client:
        made = client.post("/api/v1/tournaments", json=wish)
    with house.store.read() as session:
        assert session.get_one(Tournament, made.json()["id"]).request_id == made.headers["x-request-id"]
