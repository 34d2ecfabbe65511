"""What every answer carries, and what happens where something is wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from arena.games.kernel import Line, Talk
from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from tests import random_tournaments
from tests.games.playing import choose
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.conftest import Cast

NO_REDIS = "unix:///nowhere/redis.sock"


@pytest.mark.parametrize(
    "address", ["/", "/nothing", "/api/v1/games", "/health", "/docs", "/sdk", "/api/v1/sdk"]
)
def test_answer_has_a_strict_content_security_policy(client: TestClient, address: str) -> None:
    policy = client.get(address).headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy


def test_answer_is_not_sniffed_or_framed(client: TestClient) -> None:
    headers = client.get("/").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    "address", ["/", "/tournaments", "/games/lost_cities", "/tournaments/1", "/reference"]
)
def test_page_has_no_inline_script_or_style(client: TestClient, address: str) -> None:
    page = client.get(address).text
    assert "<style" not in page
    assert " style=" not in page
    assert page.count("<script") == len(re.findall(r'<script( type="module")? src="/static/', page))


def test_body_that_is_too_large_is_not_taken(client: TestClient) -> None:
    chunks = (b" " * 65536 for _ in range(1000))
    for content in (b" " * (1 << 20), chunks):
        answer = client.post("/api/v1/login", content=content, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert client.post("/api/v1/login", content=b" " * (1 << 17)).status_code == 422


def test_page_says_404_and_what_to_do(client: TestClient) -> None:
    answer = client.get("/tournaments/99")
    assert answer.status_code == 404
    assert "tournament 99: there is none" in answer.text
    assert "start page" in answer.text


def test_page_says_422_and_names_the_value(client: TestClient) -> None:
    answer = client.get("/tournaments/first")
    assert answer.status_code == 422
    assert "first" in answer.text


def test_wish_for_a_table_that_it_cannot_have_is_named(client: TestClient, cast: Cast) -> None:
    for address in (f"/tournaments/{cast.finished}?matches.page=0", "/games/lost_cities?elo.sort=beauty"):
        answer = client.get(address)
        assert answer.status_code == 422
        assert address.partition("?")[2].partition("=")[0] in answer.text


def test_point_beyond_the_last_is_not_found(client: TestClient, cast: Cast) -> None:
    answer = client.get(f"/tournaments/{cast.tables}/sets/0/matches/0", params={"point": 999})
    assert answer.status_code == 404
    assert "point 999" in answer.text


def test_store_that_is_away_gives_503(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        with store.write() as session:
            session.connection().exec_driver_sql("ALTER TABLE tournament RENAME TO lost")
        with TestClient(
            create_app(store, connect_async(NO_REDIS), ACCESS), raise_server_exceptions=False
        ) as client:
            answer = client.get("/tournaments")
    assert answer.status_code == 503
    assert "Try again" in answer.text


def test_page_says_500_with_all_headers(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        app = create_app(store, connect_async(NO_REDIS), ACCESS)

        @app.get("/breaks")
        def fail() -> None:
            raise RuntimeError("a slip")

        with TestClient(app, raise_server_exceptions=False) as client:
            answer = client.get("/breaks")
    assert answer.status_code == 500
    assert "reason is in the server" in answer.text
    assert "a slip" not in answer.text
    assert "content-security-policy" in answer.headers


def test_pages_are_served_without_redis(cast: Cast) -> None:
    with TestClient(create_app(cast.store, connect_async(NO_REDIS), ACCESS)) as client:
        assert client.get(f"/tournaments/{cast.running}").status_code == 200
        assert client.get("/health").json() == {"status": "degraded"}


def test_names_are_escaped(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        random_tournaments.create(store, "lost_cities", "random", "greedy", name="<script>alert(1)</script>")
        with TestClient(create_app(store, connect_async(NO_REDIS), ACCESS)) as client:
            page = client.get("/tournaments/1").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_head_has_the_headers_and_no_body(client: TestClient) -> None:
    answer = client.head("/tournaments")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert not answer.content


def test_head_of_a_stream_comes_back(client: TestClient, cast: Cast) -> None:
    assert client.head(f"/api/v1/tournaments/{cast.running}/events").status_code == 200


def test_page_that_did_not_change_is_not_sent_again(client: TestClient) -> None:
    etag = client.get("/tournaments").headers["etag"]
    assert client.get("/tournaments", headers={"If-None-Match": etag}).status_code == 304


def test_pages_are_packed(client: TestClient) -> None:
    assert client.get("/tournaments").headers["content-encoding"] == "gzip"


def test_posting_to_a_page_is_refused(client: TestClient) -> None:
    assert client.post("/tournaments").status_code == 405


def test_what_bots_say_cannot_write_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def say_a_script(game: Any, state: Any, decision: Any, chance: Any) -> Any:
        if isinstance(decision, Talk):
            return Line("<script>alert(1)</script> \u202e")
        return choose(game, state, decision, chance)

    monkeypatch.setattr(random_tournaments, "choose", say_a_script)
    with opened(tmp_path) as store:
        tournament = random_tournaments.create(store, "lifeboats", "random", "greedy", "keeper", dealt=1).id
        random_tournaments.play(store, tournament)
        with TestClient(create_app(store, connect_async(NO_REDIS), ACCESS)) as client:
            page = client.get(f"/tournaments/{tournament}/sets/0/matches/0?point=1").text
    assert "<script>alert" not in page
    assert "<bdi>“&lt;script&gt;alert(1)&lt;/script&gt;" in page  # <bdi> keeps its direction from the rest
