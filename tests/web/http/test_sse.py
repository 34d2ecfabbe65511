"""Server-sent events, as a browser gets them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from tests.web.conftest import Cast


def _events(text: str) -> list[dict[str, str]]:
    said = text.replace("\r\n", "\n").split("\n\n")
    blocks = [
        block for block in said if block.strip() and not block.startswith(":")
    ]  # one that begins so is a comment
    return [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]


def test_finished_tournament_tells_its_end_and_closes(client: TestClient, cast: Cast) -> None:
    answer = client.get(f"/api/v1/tournaments/{cast.finished}/events")
    assert [event["event"] for event in _events(answer.text)] == ["progress", "end"]


def test_event_tells_progress_and_nothing_else(client: TestClient, cast: Cast) -> None:
    event = _events(client.get(f"/api/v1/tournaments/{cast.finished}/events").text)[0]
    assert json.loads(event["data"]) == {
        "tournament": cast.finished,
        "state": "finished",
        "matches_done": 6,
        "matches_total": 6,
    }


def test_event_has_an_id(client: TestClient, cast: Cast) -> None:
    assert _events(client.get(f"/api/v1/tournaments/{cast.finished}/events").text)[0]["id"]


def test_stream_is_never_kept(client: TestClient, cast: Cast) -> None:
    headers = client.get(f"/api/v1/tournaments/{cast.finished}/events").headers
    assert headers["cache-control"] == "no-store"
    assert headers["content-type"].startswith("text/event-stream")
