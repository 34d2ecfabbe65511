"""Tournaments that are created over the API."""

from __future__ import annotations

from typing import Any

import pytest

from arena.services import audit, tournaments
from arena.services.accounts import OPERATOR
from tests.web.people import House, furnished, house

__all__ = ["furnished", "house"]

WISH = {"game": "lost_cities", "bots": ["greedy", "random"]}


def test_organiser_creates_a_tournament_and_the_log_says_so(house: House) -> None:
    wish = {**WISH, "options": {"hands": 1}, "time": "10+0.1", "cycles": 3, "name": "Spring Cup"}
    with house.client(house.token("olga")) as client:
        made = client.post("/api/v1/tournaments", json=wish)
    assert made.status_code == 201
    page = made.json()
    assert (page["name"], page["options"], page["time"], page["cycles"]) == (
        "Spring Cup",
        {"hands": 1},
        "10+0.1",
        3,
    )
    assert page["secret"] is None
    assert [row.id for row in tournaments.listing(house.store)] == [page["id"]]
    (row,) = audit.listing(house.store, OPERATOR, most=1)
    assert (row.actor, row.action, row.subject) == ("olga", "tournament.create", f"tournament/{page['id']}")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "chess"}, "game 'chess'"),
        ({"bots": ["greedy"]}, "name at least 2 bots"),
        ({"options": {"hands": 99}}, "hands"),
        ({"time": "soon"}, "time 'soon'"),
        ({"cycles": 0}, "cycles"),
        ({"secret": "00" * 32}, "secret"),
        ({"name": " "}, "name"),
    ],
)
def test_wish_that_cannot_be_names_the_field(house: House, change: dict[str, Any], said: str) -> None:
    with house.client(house.token("olga")) as client:
        answer = client.post("/api/v1/tournaments", json={**WISH, **change})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert said in answer.json()["detail"]
    assert tournaments.listing(house.store) == ()


def test_wish_with_a_bot_that_does_not_exist_names_it(house: House) -> None:
    with house.client(house.token("olga")) as client:
        answer = client.post("/api/v1/tournaments", json={**WISH, "bots": ["greedy", "nobody"]})
    assert (answer.status_code, answer.json()["code"]) == (404, "bot_unknown")
    assert "bot 'nobody'" in answer.json()["detail"]
