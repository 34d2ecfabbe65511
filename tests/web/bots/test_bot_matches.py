"""All matches of a bot, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from tests import random_tournaments
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    from pathlib import Path

    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

GREEDY = "/api/v1/bots/lost_cities/greedy/matches"


def page(client: TestClient, address: str = GREEDY, **question: int | str | None) -> dict[str, Any]:
    asked = {name: value for name, value in question.items() if value is not None}
    found: dict[str, Any] = client.get(address, params=asked, headers={"Cache-Control": "no-cache"}).json()
    return found


def all_pages(client: TestClient, limit: int) -> list[tuple[int, int, int]]:
    """Follow the cursors from the newest match to the first one."""
    keys, cursor = [], None
    while True:
        found = page(client, limit=limit, cursor=cursor)
        assert len(found["matches"]) <= limit
        keys += [(row["tournament_id"], row["set"], row["match"]) for row in found["matches"]]
        cursor = found["cursor"]
        if cursor is None:
            return keys


def test_pages_have_each_match_of_the_bot_once_the_newest_first(client: TestClient, cast: Cast) -> None:
    expected = {
        (number, row["set"], row["match"])
        for number in (cast.finished, cast.running)
        for row in client.get(f"/api/v1/tournaments/{number}/matches?sets=200").json()
        if row["stored_at"] is not None and "greedy" in {seat["bot"] for seat in row["seats"]}
    }
    found = all_pages(client, 2)
    assert found == sorted(expected, reverse=True)
    assert len(found) > 4


def test_page_that_has_all_matches_has_no_cursor(client: TestClient) -> None:
    assert page(client, limit=200)["cursor"] is None


def test_matches_played_in_between_do_not_shift_the_next_page(
    tmp_path: Path, redis_server: RunningRedis
) -> None:
    with opened(tmp_path) as store:
        number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious", hands=1).id
        random_tournaments.play(store, number, limit=4)
        with TestClient(create_app(store, connect_async(redis_server.url), ACCESS)) as client:
            before = page(client, "/api/v1/bots/lost_cities/random/matches", limit=2)
            random_tournaments.play(store, number)
            after = page(client, "/api/v1/bots/lost_cities/random/matches", cursor=before["cursor"])
    last = before["matches"][-1]
    assert all((row["set"], row["match"]) < (last["set"], last["match"]) for row in after["matches"])
    assert after["matches"]


@pytest.mark.parametrize("cursor", ["1", "1-2", "a-b-c", "1-2-3-4", "-1-2-3", "12345678901-0-0"])
def test_cursor_that_the_api_has_not_made_is_refused(client: TestClient, cursor: str) -> None:
    answer = client.get(GREEDY, params={"cursor": cursor})
    assert (answer.status_code, answer.json()["field"]) == (422, "cursor")


def test_unknown_bot_has_no_matches(client: TestClient) -> None:
    assert client.get("/api/v1/bots/lost_cities/nobodys/matches").status_code == 404
    assert client.get("/api/v1/bots/chess/greedy/matches").status_code == 404
