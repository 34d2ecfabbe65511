"""Records in bulk, of open matches alone, and Elo tables as CSV."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient
from zstandard import ZstdDecompressor

from arena.match.record import from_json
from arena.match.verification import verify
from arena.messaging.redis_connection import connect_async
from arena.reports.match_lists import record_lines
from arena.web.app import create_app
from tests import random_tournaments
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    from pathlib import Path

    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast


def lines(client: TestClient, address: str, **question: int | str) -> list[dict[str, Any]]:
    """Download records as a program would, and unpack them."""
    answer = client.get(address, params=question)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zstd")
    unpacked = ZstdDecompressor().decompressobj().decompress(answer.content)
    return [json.loads(line) for line in unpacked.decode().splitlines()]


def key(line: dict[str, Any]) -> tuple[int, int, int]:
    return line["tournament_id"], line["set"], line["match"]


def test_records_of_a_tournament_are_those_of_its_matches(client: TestClient, cast: Cast) -> None:
    found = lines(client, f"/api/v1/tournaments/{cast.finished}/records")
    assert [key(line) for line in found] == [(cast.finished, number // 2, number % 2) for number in range(6)]
    for line in found:
        address = f"/api/v1/tournaments/{cast.finished}/sets/{line['set']}/matches/{line['match']}/record"
        assert line["record"] == client.get(address).json()


def test_record_of_a_line_verifies(client: TestClient, cast: Cast) -> None:
    line = lines(client, f"/api/v1/tournaments/{cast.tables}/records", limit=1)[0]
    assert verify(from_json(json.dumps(line["record"], separators=(",", ":")))) is None


def test_records_of_a_game_are_of_all_its_tournaments(client: TestClient, cast: Cast) -> None:
    found = lines(client, "/api/v1/games/lost_cities/records")
    assert {line["tournament_id"] for line in found} == {cast.finished, cast.running}
    assert {line["record"]["game"] for line in found} == {"lost_cities"}


def test_match_that_is_not_open_is_left_out(client: TestClient, cast: Cast) -> None:
    rows = client.get(f"/api/v1/tournaments/{cast.running}/matches").json()
    states = {(row["set"], row["match"]): row["state"] for row in rows}
    assert states[1, 0] == "hidden"
    for address in (f"/api/v1/tournaments/{cast.running}/records", "/api/v1/games/lost_cities/records"):
        found = [key(line) for line in lines(client, address) if line["tournament_id"] == cast.running]
        assert {states[each[1:]] for each in found} == {"finished"}


@pytest.mark.parametrize("address", ["/api/v1/tournaments/1/records", "/api/v1/games/lost_cities/records"])
def test_delayed_tournament_has_no_records_yet(
    tmp_path: Path, redis_server: RunningRedis, address: str
) -> None:
    with opened(tmp_path) as store:
        number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1, delay_s=3600).id
        assert number == 1
        random_tournaments.play(store, number)
        with TestClient(create_app(store, connect_async(redis_server.url), ACCESS)) as client:
            assert lines(client, address) == []


@pytest.mark.parametrize("at_once", [1, 4, 100])
def test_parts_by_cursor_have_each_record_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(record_lines, "AT_ONCE", at_once)
    whole = [key(line) for line in lines(client, "/api/v1/games/lost_cities/records")]
    found: list[tuple[int, int, int]] = []
    question: dict[str, int | str] = {"limit": 3}
    while part := [key(line) for line in lines(client, "/api/v1/games/lost_cities/records", **question)]:
        found += part
        question["cursor"] = "-".join(map(str, part[-1]))
    assert found == whole
    assert found == sorted(set(found))


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/v1/tournaments/99/records", 404),
        ("/api/v1/games/chess/records", 404),
        ("/api/v1/games/lost_cities/records?cursor=first", 422),
        ("/api/v1/games/lost_cities/records?limit=2001", 422),
    ],
)
def test_what_is_not_there_is_refused_before_anything_is_sent(
    client: TestClient, address: str, status: int
) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_elo_table_as_csv_has_the_rows_of_the_json(client: TestClient) -> None:
    answer = client.get("/api/v1/ratings/lost_cities/standard/csv")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    expected = client.get("/api/v1/ratings/lost_cities/standard").json()["rows"]
    assert [list(row) for row in rows] == [list(row) for row in expected]
    assert [row["bot"] for row in rows] == [row["bot"] for row in expected]
    assert [float(row["elo"]) for row in rows] == [row["elo"] for row in expected]
    assert {row["verified"] for row in rows} == {"true"}
