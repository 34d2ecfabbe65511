"""What is hidden of sets that are not over is nowhere: not on a page, not in the API, not in an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from arena.competition import plans
from arena.scheduling.seeds import SECRET_BYTES
from tests.random_tournaments import SECRET

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from tests.web.conftest import Cast

OPEN_SET = 1
"""One of its two matches is over."""

ADDRESSES = (
    "/",
    "/tournaments",
    "/tournaments/{id}",
    "/tournaments/{id}/sets/1/matches/0",
    "/tournaments/{id}/sets/1/matches/1",
    "/tournaments/{id}/sets/2/matches/0",
    "/tournaments/{id}/sets/1/matches/0/board",
    "/api/v1/tournaments/{id}",
    "/api/v1/tournaments/{id}/matches",
    "/api/v1/tournaments/{id}/export",
    "/api/v1/tournaments/{id}/sets/1/matches/0",
    "/api/v1/tournaments/{id}/sets/1/matches/1",
    "/api/v1/tournaments/{id}/sets/1/matches/0/record",
    "/api/v1/matches/recent",
)


def _seeds(cast: Cast) -> list[str]:
    with cast.store.read() as session:
        plan = plans.load(cast.store, session, cast.running).plan
    return [planned.seed.hex() for number in range(1, plan.sets_total) for planned in plan.set(number)]


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_names_the_seed_of_an_open_set(client: TestClient, cast: Cast, address: str) -> None:
    text = client.get(address.format(id=cast.running)).text
    assert not [seed for seed in _seeds(cast) if seed in text]


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_names_the_secret_of_a_running_tournament(
    client: TestClient, cast: Cast, address: str
) -> None:
    assert len(SECRET) == SECRET_BYTES
    assert SECRET.hex() not in client.get(address.format(id=cast.running)).text


def test_page_of_a_hidden_match_has_no_steps(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.running}/sets/{OPEN_SET}/matches/0").text
    assert "stepper" not in page
    assert "draw deck" not in page


def test_page_of_a_hidden_match_shows_its_commitment(client: TestClient, cast: Cast) -> None:
    address = f"/tournaments/{cast.running}/sets/{OPEN_SET}/matches/0"
    commitment = client.get(f"/api/v1{address}").json()["commitment"]
    assert commitment in client.get(address).text


def test_api_of_a_hidden_match_has_no_seed(client: TestClient, cast: Cast) -> None:
    match = client.get(f"/api/v1/tournaments/{cast.running}/sets/{OPEN_SET}/matches/0").json()
    assert match["seed"] is None
    assert match["state"] == "hidden"


def test_record_of_a_hidden_match_is_not_found(client: TestClient, cast: Cast) -> None:
    answer = client.get(f"/api/v1/tournaments/{cast.running}/sets/{OPEN_SET}/matches/0/record")
    assert answer.status_code == 404
    assert "it is shown when set 1 is over" in answer.json()["detail"]


def test_board_of_a_hidden_match_is_not_found(client: TestClient, cast: Cast) -> None:
    answer = client.get(f"/tournaments/{cast.running}/sets/{OPEN_SET}/matches/0/board")
    assert answer.status_code == 404


def test_record_of_a_set_that_is_over_is_open(client: TestClient, cast: Cast) -> None:
    answer = client.get(f"/api/v1/tournaments/{cast.running}/sets/0/matches/0/record")
    assert answer.json()["format"] == "arena-match/1"
