"""Lists of matches tell of finished ones how they were won, on pages and in the API alike."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient
from redis import Redis

from arena.match.drama import Drama
from arena.messaging.job_queue import CHANCES
from arena.messaging.redis_connection import connect_async
from arena.reports.insights import stored_dramas
from arena.web.app import create_app
from tests import random_tournaments
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    from pathlib import Path

    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

THREE = Drama((3, 8, 11), 5, 8, 2, 4, 9)
LISTS = {
    "/api/v1/matches/recent?limit=100": None,
    "/api/v1/tournaments/{0}/matches": None,
    "/api/v1/bots/{1}/greedy": "last",
    "/api/v1/bots/{1}/greedy/matches": "matches",
}
"""Addresses that list matches, and under which key of the answer."""


def listed(client: TestClient, address: str, tournament_id: int, game: str) -> list[dict[str, object]]:
    answer = client.get(address.format(tournament_id, game), headers={"Cache-Control": "no-cache"}).json()
    rows = answer if LISTS[address] is None else answer[LISTS[address]]
    return [row for row in rows if row["tournament_id"] == tournament_id]


def test_page_tells_lead_changes_that_are_stored(client: TestClient, cast: Cast) -> None:
    stored_dramas.save(cast.store, {(cast.tables, 0, 0): THREE})
    assert "3 lead changes" in unescape(client.get(f"/tournaments/{cast.tables}").text)
    assert "3 lead changes" in client.get("/bots/land_unter/greedy").text


@pytest.mark.parametrize("address", LISTS)
def test_api_tells_lead_changes_that_are_stored(client: TestClient, cast: Cast, address: str) -> None:
    stored_dramas.save(cast.store, {(cast.tables, 3, 0): THREE})
    rows = listed(client, address, cast.tables, "land_unter")
    assert {row["lead_changes"] for row in rows if (row["set"], row["match"]) == (3, 0)} == {3}


def test_api_tells_by_how_much_a_match_was_won(client: TestClient, cast: Cast) -> None:
    rows = client.get(f"/api/v1/tournaments/{cast.running}/matches?sets=1").json()
    scores = [sorted((seat["score"] for seat in row["seats"]), reverse=True) for row in rows]
    assert [row["margin"] for row in rows] == [best - second for best, second in scores]


def test_match_that_ended_by_a_fault_has_no_margin(client: TestClient, cast: Cast) -> None:
    row = client.get(f"/api/v1/tournaments/{cast.finished}/matches?sets=1").json()[0]
    assert (row["end"], row["margin"], row["lead_changes"], row["upset"]) == ("fault", None, None, False)


@pytest.mark.parametrize("address", ["/tournaments/{0}", *LISTS])
def test_list_queues_what_is_not_measured(
    client: TestClient, cast: Cast, redis_server: RunningRedis, address: str
) -> None:
    queue = Redis.from_url(redis_server.url)
    queue.flushall()
    asked = client.get(address.format(cast.talk, "lifeboats"), headers={"Cache-Control": "no-cache"})
    assert asked.status_code == 200
    queued: Any = queue.lrange(f"rq:queue:{CHANCES}", 0, -1)
    assert any(job_id.startswith(f"drama-{cast.talk}-".encode()) for job_id in queued)


@pytest.mark.parametrize("address", LISTS)
def test_match_that_is_not_open_tells_nothing_of_how_it_was_won(
    tmp_path: Path, redis_server: RunningRedis, address: str
) -> None:
    with opened(tmp_path) as store:
        number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1, delay_s=3600).id
        random_tournaments.play(store, number, limit=2)
        stored_dramas.save(store, {(number, 0, match): THREE for match in (0, 1)})  # as if it had been open
        with TestClient(create_app(store, connect_async(redis_server.url), ACCESS)) as client:
            rows = [row for row in listed(client, address, number, "lost_cities") if row["end"] is not None]
    assert [row["state"] for row in rows] == ["hidden", "hidden"]
    assert {(row["margin"], row["lead_changes"], row["upset"]) for row in rows} == {(None, None, None)}
