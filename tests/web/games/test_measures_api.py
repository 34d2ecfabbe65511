"""How sure a table is, and what more results tell: on the pages and in the API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from arena.competition.matches.blocks import BlockMatch
from arena.messaging.redis_connection import connect_async
from arena.rankings import public_ratings
from arena.web.app import create_app
from arena.web.ui.template_filters import along, error
from tests import decided_matches as decided
from tests.parts.redis_server import RunningRedis
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    from tests.web.conftest import Cast

LUCKY = "/tournaments/1"


def places(match: BlockMatch) -> list[int]:
    """The seat decides, but in each fifth set the alphabet."""
    return [1, 2] if match.set % 5 else decided.alphabetical(match)


@pytest.fixture(scope="module")
def lucky(tmp_path_factory: pytest.TempPathFactory, redis_server: RunningRedis) -> Iterator[TestClient]:
    """A client of an arena with one tournament, 1, in which sets have saved much."""
    with opened(tmp_path_factory.mktemp("lucky")) as store:
        decided.play(store, decided.new_tournament(store, cycles=20).id, places)
        public_ratings.refresh(store, "lost_cities/standard")
        with TestClient(create_app(store, connect_async(redis_server.url), ACCESS)) as client:
            yield client


def test_the_elo_table_shows_error_bars_rank_ranges_and_what_is_provisional(
    client: TestClient, cast: Cast
) -> None:
    page = client.get("/games/lost_cities").text
    rows = client.get("/api/v1/ratings/lost_cities/standard").json()["rows"]
    for row in rows:
        assert row["error"] > 0
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
        assert f'<td class="number">{error(row["error"])}</td>' in page
        assert f">{row['rank_low']}–{row['rank_high']}<" in page
    assert page.count('class="reach"') == len(rows)
    assert page.count('class="tag provisional"') == len(rows)


def test_a_game_shows_what_its_seats_are_worth(lucky: TestClient) -> None:
    (row,) = lucky.get("/api/v1/ratings/lost_cities/standard/seats").json()
    assert (row["seats"], row["sets"]) == (2, 60)
    assert row["shares"] == [0.9, 0.1]
    page = lucky.get("/games/lost_cities").text
    assert "90.0 % <span" in page
    assert f"± {100 * row['errors'][0]:.1f} %" in page


def test_seats_without_enough_sets_are_not_shown(client: TestClient, cast: Cast) -> None:
    assert client.get("/api/v1/ratings/lifeboats/standard/seats").json() == []
    assert 'id="seats-' not in client.get("/games/lifeboats").text


def test_a_tournament_says_how_sure_its_table_is_and_what_its_sets_saved(lucky: TestClient) -> None:
    page = lucky.get(LUCKY).text
    for row in lucky.get("/api/v1/tournaments/1").json()["standings"]:
        assert f"±&nbsp;{error(row['error'])}</span>" in page
        assert not row["provisional"]
    saved = lucky.get("/api/v1/tournaments/1/savings").json()
    assert saved["low"] > 1
    assert f"Playing in sets has saved {saved['saved']} matches: each is worth" in re.sub(r"\s+", " ", page)


def test_a_tournament_of_few_sets_says_nothing_of_savings(client: TestClient, cast: Cast) -> None:
    assert client.get(f"/api/v1/tournaments/{cast.finished}/savings").json() is None
    assert "in sets has" not in client.get(f"/tournaments/{cast.finished}").text


def test_superiority_is_a_matrix_in_the_tables_order(lucky: TestClient) -> None:
    for address, table in (
        ("/api/v1/ratings/lost_cities/standard/superiority", "/api/v1/ratings/lost_cities/standard"),
        ("/api/v1/tournaments/1/superiority", "/api/v1/tournaments/1"),
    ):
        found, shown = lucky.get(address).json(), lucky.get(table).json()
        rows = shown.get("rows") or shown["standings"]
        assert found["bots"] == [f"{row['bot']}@{row['version']}" for row in rows]
        assert found["input_sha256"] == shown["input_sha256"]
        assert [found["chances"][i][i] for i in range(3)] == [0.5] * 3
        assert found["chances"][0][1] + found["chances"][1][0] == pytest.approx(1, abs=1e-3)


def test_the_history_is_of_the_best_or_of_one_bot(lucky: TestClient) -> None:
    address = "/api/v1/ratings/lost_cities/standard/history"
    rows = lucky.get("/api/v1/ratings/lost_cities/standard").json()["rows"]
    best = lucky.get(f"{address}?best=2").json()
    assert [(each["bot"], each["version"]) for each in best] == [("greedy", "1"), ("random", "1")]
    (point,) = best[1]["points"]
    assert (point["elo"], point["error"], point["matches"]) == (
        rows[1]["elo"],
        rows[1]["error"],
        rows[1]["matches"],
    )
    assert lucky.get(f"{address}?bot=random").json() == best[1:]
    assert lucky.get(f"{address}?bot=nobody").status_code == 404
    assert lucky.get(f"{address}?hours=0").status_code == 422


def test_error_bars_are_rounded_up_and_end_where_the_scale_does() -> None:
    assert [error(value) for value in (None, 0.4, 12.0, 12.1)] == ["–", "1", "12", "13"]
    assert [along(value, (1400, 1600)) for value in (1300, 1450, 1600, 9999)] == [0.0, 25.0, 100.0, 100.0]
