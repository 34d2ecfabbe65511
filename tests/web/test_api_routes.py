"""The JSON API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from arena.match.record import from_json
from arena.match.verification import verify

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from tests.web.conftest import Cast


def test_games_are_listed_with_their_options(client: TestClient) -> None:
    games = {game["id"]: game for game in client.get("/api/v1/games").json()}
    options = games["lost_cities"]["variants"][0]["options"]
    assert [(option["name"], option["low"], option["high"]) for option in options] == [("hands", 1, 9)]


def test_ratings_list_the_pools(client: TestClient) -> None:
    pools = client.get("/api/v1/ratings").json()
    assert [pool["key"] for pool in pools] == ["land_unter/standard", "lost_cities/standard"]


def test_rating_table_is_anchored_at_greedy(client: TestClient) -> None:
    rows = client.get("/api/v1/ratings/lost_cities/standard").json()["rows"]
    assert {row["bot"]: row["elo"] for row in rows}["greedy"] == 1500.0


def test_tournament_names_its_entries(client: TestClient, cast: Cast) -> None:
    tournament = client.get(f"/api/v1/tournaments/{cast.finished}").json()
    assert [entry["bot"] for entry in tournament["entries"]] == ["random", "greedy", "cautious"]


def test_crosstable_of_a_tournament_is_mirrored(client: TestClient, cast: Cast) -> None:
    cells = client.get(f"/api/v1/tournaments/{cast.finished}").json()["crosstable"]
    assert cells[0][1]["wins"] == cells[1][0]["losses"]


def test_matches_of_a_tournament_include_those_to_come(client: TestClient, cast: Cast) -> None:
    matches = client.get(f"/api/v1/tournaments/{cast.running}/matches").json()
    assert [match["state"] for match in matches[:4]] == ["finished", "finished", "hidden", "open"]
    assert len(matches) == 12


def test_matches_of_a_tournament_are_listed_from_a_set_on(client: TestClient, cast: Cast) -> None:
    answer = client.get(f"/api/v1/tournaments/{cast.running}/matches", params={"first_set": 4, "sets": 1})
    assert [match["set"] for match in answer.json()] == [4, 4]


def test_recent_matches_are_limited(client: TestClient) -> None:
    assert len(client.get("/api/v1/matches/recent", params={"limit": 2}).json()) == 2


def test_record_downloads_as_a_file_that_verifies(client: TestClient, cast: Cast) -> None:
    answer = client.get(f"/api/v1/tournaments/{cast.finished}/sets/2/matches/1/record")
    record = from_json(answer.text)
    assert verify(record) is None
    assert answer.headers["content-disposition"] == f'attachment; filename="{record.match}.json"'


def test_export_is_what_the_services_write(client: TestClient, cast: Cast) -> None:
    from arena.reports import exports

    answer = client.get(f"/api/v1/tournaments/{cast.finished}/export")
    assert answer.text == exports.export(cast.store, cast.finished)


@pytest.mark.parametrize(
    ("address", "status", "named"),
    [
        ("/api/v1/tournaments/99", 404, "tournament 99"),
        ("/api/v1/tournaments/99/events", 404, "tournament 99"),
        ("/api/v1/tournaments/1/sets/99/matches/0", 404, "set 99"),
        ("/api/v1/games/chess", 404, "chess"),
        ("/api/v1/ratings/lost_cities/blitz", 404, "blitz"),
        ("/api/v1/tournaments/first", 422, "first"),
        ("/api/v1/tournaments/99999999999999999999", 422, "tournament_id"),
        ("/api/v1/matches/recent?limit=0", 422, "limit"),
        ("/api/v1/nothing", 404, "/api/v1/nothing"),
    ],
)
def test_problem_names_what_was_wrong(client: TestClient, address: str, status: int, named: str) -> None:
    answer = client.get(address)
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, problem["status"]) == (status, status)
    assert named in problem["detail"]
    assert problem["remedy"]


def test_openapi_describes_every_field(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    bare = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, shape in schema.get("properties", {}).items()
        if name not in ("HTTPValidationError", "ValidationError") and "description" not in shape
    ]
    assert not bare


def test_no_two_answers_have_the_same_name(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert [name for name in schemas if "__" in name] == []  # then the name of the module is put before it


@pytest.mark.parametrize(
    ("address", "schema"),
    [
        ("/api/v1/tournaments/{0.finished}", "TournamentPage"),
        ("/api/v1/tournaments/{0.finished}/sets/0/matches/0", "MatchPage"),
        ("/api/v1/ratings/lost_cities/standard/leaderboard", "LeaderboardPage"),
    ],
)
def test_an_answer_has_the_fields_that_the_document_names(
    client: TestClient, cast: Cast, address: str, schema: str
) -> None:
    named = client.get("/openapi.json").json()["components"]["schemas"][schema]["properties"]
    assert client.get(address.format(cast)).json().keys() == named.keys()


def test_what_is_for_pages_alone_is_not_in_an_answer(client: TestClient, cast: Cast) -> None:
    match = client.get(f"/api/v1/tournaments/{cast.finished}/sets/0/matches/0").json()
    assert "packed_record" not in match
    assert "name" not in match["seats"][0]


def test_openapi_has_a_summary_for_every_route(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert all(
        operation["summary"] and operation["description"]
        for methods in paths.values()
        for operation in methods.values()
    )


def test_openapi_declares_problems_as_we_write_them(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert "Problem" in schemas
    assert "HTTPValidationError" not in schemas
