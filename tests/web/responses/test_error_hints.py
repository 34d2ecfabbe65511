"""Error pages say what to do next, whoever looks and whatever is away."""

from __future__ import annotations

import pytest
from fastapi import HTTPException
from fastapi.testclient import TestClient

from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from tests.web.access import ACCESS
from tests.web.named_users import House, furnished, house, post

__all__ = ["furnished", "house"]


@pytest.mark.parametrize("status", [400, 403, 404, 409, 410, 422, 429, 500, 503])
def test_every_error_has_a_heading_a_remedy_and_a_way_on(house: House, status: int) -> None:
    app = create_app(house.store, connect_async(house.redis.url), ACCESS)

    @app.get("/tournaments/breaks/here")
    def fail() -> None:
        raise HTTPException(status, "what was wrong", {"Retry-After": "7"})

    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get("/tournaments/breaks/here", headers={"Accept-Language": "en"})
    assert (answer.status_code, answer.headers["retry-after"]) == (status, "7")
    main = answer.text.partition("<main")[2]
    assert "what was wrong" in main
    assert main.count("<p>") == 1
    assert 'href="/">Go to the start page' in main
    assert 'href="/tournaments">All tournaments' in main
    assert ("Try again</a>" in main) == (status >= 500)


def test_stranger_is_sent_to_sign_in_and_comes_back(house: House) -> None:
    with house.client() as client:
        answer = client.get("/organise/tournament?game=lost_cities", follow_redirects=False)
    assert answer.headers["location"] == "/sign-in?next=/organise/tournament%3Fgame%3Dlost_cities"


def test_whoever_may_not_is_told_who_they_are(house: House) -> None:
    with house.browser("ada") as ada:
        answer = ada.get("/organise")
    assert answer.status_code == 403
    assert "You are signed in as ada (author); this needs another role." in answer.text
    assert "You are not allowed to do this" in answer.text


def test_form_of_an_older_session_says_that_nothing_was_changed(house: House) -> None:
    with house.browser("olga") as olga:
        answer = post(olga, "/organise/ladders", csrf="0" * 64)
    assert answer.status_code == 403
    assert "This form has expired" in answer.text
    assert "nothing was changed" in answer.text


def test_page_that_breaks_is_told_when_the_store_is_away_too(house: House) -> None:
    app = create_app(house.store, connect_async(house.redis.url), ACCESS)

    @app.get("/breaks")
    def fail() -> None:
        raise RuntimeError("a slip")

    with house.browser("olga") as olga:
        cookies = olga.cookies
    with house.store.write() as session:
        for table in ("web_session", "tournament"):
            session.connection().exec_driver_sql(f"ALTER TABLE {table} RENAME TO lost_{table}")
    with TestClient(app, raise_server_exceptions=False, cookies=cookies) as client:
        broken, away = client.get("/breaks"), client.get("/tournaments")
    assert (broken.status_code, away.status_code) == (500, 503)
    assert "Something went wrong on our side" in broken.text
    assert "a slip" not in broken.text
    assert "Part of the arena is unavailable" in away.text
