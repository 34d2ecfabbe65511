"""Lists of matches tell how often the lead changed: where it is measured, and of open matches alone."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING

from redis import Redis

from arena.competition.matches import stored_dramas
from arena.match.drama import Drama
from arena.messaging.job_queue import CHANCES
from arena.reports import match_views
from arena.web.matches import lead_changes
from tests.web import stage
from tests.web.conftest import opened

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient

    from tests.parts import RunningRedis
    from tests.web.conftest import Cast

THREE = Drama((3, 8, 11), 5, 8, 2, 4, 9)


def test_list_tells_lead_changes_that_are_stored(client: TestClient, cast: Cast) -> None:
    stored_dramas.save(cast.store, {(cast.tables, 0, 0): THREE})
    assert "3 lead changes" in unescape(client.get(f"/tournaments/{cast.tables}").text)
    assert "3 lead changes" in client.get("/bots/land_unter/greedy").text


def test_page_asks_workers_for_what_is_not_measured(
    client: TestClient, cast: Cast, redis_server: RunningRedis
) -> None:
    assert client.get(f"/tournaments/{cast.talk}", headers={"Cache-Control": "no-cache"}).status_code == 200
    queued = Redis.from_url(redis_server.url).lrange(f"rq:queue:{CHANCES}", 0, -1)
    assert any(job_id.startswith(f"drama-{cast.talk}-".encode()) for job_id in queued)


def test_match_that_is_not_open_tells_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        number = stage.create(store, "lost_cities", "random", "greedy", hands=1, delay_s=3600).id
        stage.play(store, number, limit=2)
        stored_dramas.save(store, {(number, 0, 0): THREE})  # as if it had been open before
        rows = match_views.of_tournament(store, number, 0, 1)
        found = lead_changes.read(store, rows)
        assert (found.counts, found.due) == ({}, {})


def test_match_without_lead_changes_is_not_due_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        number = stage.create(store, "lost_cities", "random", "greedy", hands=1).id
        stage.play(store, number, limit=2)
        stored_dramas.save(store, {(number, 0, match): Drama((), 5, 8, 2, 4, 9) for match in (0, 1)})
        found = lead_changes.read(store, match_views.of_tournament(store, number, 0, 1))
        assert (found.counts, found.due) == ({}, {})
