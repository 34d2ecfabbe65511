"""Tournaments that are created over the API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.accounts import audit_log
from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.reports import exports, tournaments
from arena.reports.archive_verification import check
from tests.decided_matches import new_tournament
from tests.reports.test_tournament_archive import play_whole
from tests.web.named_users import House, furnished, house

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
    (row,) = audit_log.listing(house.store, OPERATOR, most=1)
    assert (row.actor, row.action, row.subject) == ("olga", "tournament.create", f"tournament/{page['id']}")


@pytest.mark.parametrize(
    ("change", "code", "field", "said"),
    [
        ({"game": "chess"}, "invalid", "", "game 'chess'"),
        ({"options": {"hands": 99}}, "invalid", "", "hands"),
        ({"time": "soon"}, "invalid", "", "time 'soon'"),
        ({"cycles": 0}, "invalid", "cycles", "cycles"),
        ({"secret": "00" * 32}, "invalid", "secret", "secret"),
        ({"name": " "}, "name_invalid", "name", "name"),
        ({"begin": "later"}, "invalid", "begin", "begin"),
        ({"bots": ["greedy"]}, "too_few_bots", "bots", "name at least 2 bots"),
        ({"bots": []}, "too_few_bots", "bots", "bots none: a table has 2 seats, so name at least 2 bots"),
        ({"bots": ["greedy", "greedy@1"]}, "named_twice", "bots", "greedy@1 is named twice"),
        (
            {"bots": ["greedy", "hoarder"]},
            "other_game",
            "bots",
            "does not play lost_cities; it plays land_unter",
        ),
        ({"seats": 3}, "invalid", "", "seats 3: lost_cities (standard) is played with 2"),
        (
            {"format": "league"},
            "format_invalid",
            "format",
            "must be one of round-robin, gauntlet, swiss, knockout",
        ),
        ({"format": "swiss", "cycles": 2}, "cycles_invalid", "cycles", "cycles 2: a swiss has none"),
        (
            {"rounds": 3},
            "rounds_invalid",
            "rounds",
            "rounds 3: only a swiss or a race has them, not a round-robin",
        ),
        (
            {"sets": 3, "format": "swiss"},
            "sets_invalid",
            "sets",
            "sets 3: only a knockout has them, not a swiss",
        ),
        ({"stop": "soon"}, "stop_invalid", "stop", "stop 'soon': must be separated:K or sprt:ELO0,ELO1"),
        ({"stop": "sprt:10,0"}, "stop_invalid", "stop", "elo1 must be greater"),
        (
            {"stop": "sprt:0,10,0.7,0.1"},
            "stop_invalid",
            "stop",
            "alpha 0.7: must be more than 0 and less than",
        ),
        ({"stop": "separated:2"}, "stop_invalid", "stop", "2 bots are entered, so the best 1 to 1"),
        ({"stop": "separated:1", "format": "knockout"}, "stop_invalid", "stop", "a knockout ends by itself"),
        ({"stop": "separated:1"}, "cycles_invalid", "cycles", "allow at least 16 cycles"),
        ({"priority": 101}, "priority_invalid", "priority", "priority 101: must be 1 to 100"),
    ],
)
def test_wish_that_cannot_be_names_the_field(
    house: House, change: dict[str, Any], code: str, field: str, said: str
) -> None:
    bots.register_house(house.store, {"land_unter": ("hoarder",)})
    with house.client(house.token("olga")) as client:
        answer = client.post("/api/v1/tournaments", json={**WISH, **change})
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["field"]) == (422, code, field)
    assert said in problem["detail"]
    assert tournaments.listing(house.store) == ()


def test_wish_with_a_bot_that_does_not_exist_names_it(house: House) -> None:
    with house.client(house.token("olga")) as client:
        answer = client.post("/api/v1/tournaments", json={**WISH, "bots": ["greedy", "nobody"]})
    assert (answer.status_code, answer.json()["code"]) == (404, "bot_unknown")
    assert "bot 'nobody'" in answer.json()["detail"]


def test_export_is_json_csv_or_a_zip_that_can_be_checked(house: House, tmp_path: Path) -> None:
    bots.register_house(house.store, {"lost_cities": ("greedy", "random")})
    number = new_tournament(house.store, names=("greedy", "random"), options={"hands": 1}).id
    play_whole(house.store)
    address = f"/api/v1/tournaments/{number}/export"
    with house.client() as client:
        plain, as_csv, as_zip = (client.get(f"{address}?format={kind}") for kind in ("json", "csv", "zip"))
        assert client.get(f"{address}?format=pdf").status_code == 422
    assert plain.text == exports.export(house.store, number)
    assert (
        as_csv.text.splitlines()[0] == "set,match,bots,places,scores,end,forfeits,absent,annulled,groups,date"
    )
    assert as_csv.headers["content-disposition"] == f'attachment; filename="tournament-{number}.csv"'
    file = tmp_path / "tournament.zip"
    file.write_bytes(as_zip.content)
    assert check(file, lambda _done, _total: None).matches == 2
