"""Bots over the API: what an author can do with them, and what is refused, in a code, a sentence and a field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from arena.bot_registry import bots
from arena.bundle_format import zip_archive
from arena.competition.matches import blocks
from arena.competition.matches.results import Output
from tests import decided_matches
from tests.bundle_format.uploads import BOT, TOML, link, project, zipped
from tests.decided_matches import store_result
from tests.web.named_users import House, furnished, house

__all__ = ["furnished", "house"]

BOTS = "/api/v1/bots"


@pytest.fixture
def ada(house: House) -> Iterator[TestClient]:
    bots.register_house(house.store, {"lost_cities": decided_matches.NAMES})
    with house.client(house.token("ada")) as client:
        yield client


def send(client: TestClient, data: bytes | None = None, filename: str = "mine.zip", **more: str) -> Any:
    return client.post(
        f"{BOTS}/uploads", params={"filename": filename, **more}, content=project() if data is None else data
    )


def refused(answer: Any) -> tuple[int, str, str]:
    said = answer.json()
    assert said["detail"]
    return answer.status_code, said["code"], said["field"]


def qualify(house: House) -> list[str]:
    """Play all that is open; the matches' ids."""
    ids = []
    for key in blocks.reconcile(house.store):
        block = decided_matches.claim(house.store, key=key)
        for match in block.matches:
            text = decided_matches.record(block, match, decided_matches.alphabetical(match))
            said = {seat: Output(each.bot.encode(), 0) for seat, each in enumerate(match.seats)}
            store_result(house.store, key.tournament_id, match.set, match.match, match.attempt, text, said)
            ids.append(match.id)
        blocks.finish(house.store, key, "anna")
    return ids


def test_a_bot_is_submitted_qualifies_is_withdrawn_and_restored(house: House, ada: TestClient) -> None:
    answer = send(ada)
    assert answer.status_code == 201
    (row,) = answer.json()
    assert (row["bot"], row["version"], row["state"]) == ("mine", "1", "waiting")
    qualify(house)
    mine = f"{BOTS}/lost_cities/mine"
    assert [each["state"] for each in ada.get(f"{mine}/versions").json()] == ["active"]
    assert ada.post(f"{mine}/withdraw").json()["state"] == "withdrawn"
    assert ada.post(f"{mine}@1/restore").json()["state"] == "active"


def test_a_file_alone_is_submitted_with_its_game(ada: TestClient) -> None:
    (row,) = send(ada, BOT.encode(), "my_bot.py", game="lost_cities").json()
    assert row["bot"] == "my_bot"


def test_a_challenge_is_played_out_of_the_lists(house: House, ada: TestClient) -> None:
    send(ada)
    qualify(house)
    answer = ada.post(f"{BOTS}/lost_cities/mine/challenges", json={"others": ["greedy"]})
    assert answer.status_code == 201
    number = answer.json()["tournament"]
    assert ada.get(f"/api/v1/tournaments/{number}").json()["matches_total"] == 2
    assert ada.get("/api/v1/tournaments").json() == []
    wrong = ada.post(f"{BOTS}/lost_cities/mine/challenges", json={"others": ["greedy", "random"]})
    assert refused(wrong) == (422, "challenge_invalid", "others")
    assert refused(ada.post(f"{BOTS}/lost_cities/mine/challenges", json={"others": ["x"]}))[:2] == (
        404,
        "bot_unknown",
    )


def test_an_author_reads_the_logs_of_his_own_bot_alone(house: House, ada: TestClient) -> None:
    send(ada)
    match = qualify(house)[0]
    mine = f"{BOTS}/lost_cities/mine/logs"
    assert len(ada.get(mine).json()) == 2
    (log,) = ada.get(f"{mine}/{match}").json()
    assert (log["stderr"], log["row"]["id"]) == ("mine", match)
    assert refused(ada.get(f"{BOTS}/lost_cities/random/logs/{match}")) == (403, "not_yours", "bot")
    with house.client(house.token("olga")) as olga:
        assert refused(olga.get(f"{mine}/{match}")) == (403, "not_yours", "bot")


def test_everybody_sees_the_list_and_nobody_the_reasons(house: House, ada: TestClient) -> None:
    send(ada)
    ada.post(f"{BOTS}/lost_cities", json={"name": "far", "source": "dial_in"})
    with house.client() as stranger:
        rows = stranger.get(BOTS, params={"game": "lost_cities"}).json()
    found = {row["bot"]: (row["owner"], row["state"], row["verified"]) for row in rows}
    assert found["mine"] == ("ada", "waiting", True)
    assert found["far"] == ("ada", "waiting", False)
    assert found["greedy"] == (None, "active", True)
    assert "reason" not in rows[0]


def test_bots_that_run_elsewhere_are_added(house: House, ada: TestClient) -> None:
    made = ada.post(f"{BOTS}/lost_cities", json={"name": "far", "source": "dial_in"}).json()
    assert list(bots.admitted(house.store)) == [made["token_id"]]
    again = ada.post(f"{BOTS}/lost_cities/far/token").json()
    assert list(bots.admitted(house.store)) == [again["token_id"]] != [made["token_id"]]
    assert ada.delete(f"{BOTS}/lost_cities/far/token").status_code == 204
    assert bots.admitted(house.store) == {}
    body = {"name": "there", "source": "endpoint", "address": "bots.example.org:7001", "secret": "sesame"}
    assert ada.post(f"{BOTS}/lost_cities", json=body).json()["token"] is None


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"name": "greedy", "source": "dial_in"}, (409, "name_taken", "name")),
        ({"name": "My Bot", "source": "dial_in"}, (422, "name_invalid", "name")),
        ({"name": "far", "source": "endpoint"}, (422, "address_invalid", "address")),
        ({"name": "far", "source": "endpoint", "address": "here"}, (422, "address_invalid", "address")),
        (
            {"name": "far", "source": "endpoint", "address": "a:1", "secret": " "},
            (422, "secret_invalid", "secret"),
        ),
        ({"name": "far", "source": "dial_in", "secret": "x"}, (422, "secret_invalid", "secret")),
    ],
)
def test_what_cannot_be_added_is_refused(
    ada: TestClient, body: dict[str, str], refusal: tuple[int, str, str]
) -> None:
    assert refused(ada.post(f"{BOTS}/lost_cities", json=body)) == refusal


def test_the_token_of_anothers_bot_cannot_be_changed(house: House, ada: TestClient) -> None:
    ada.post(f"{BOTS}/lost_cities", json={"name": "far", "source": "dial_in"})
    before = bots.admitted(house.store)
    with house.client(house.token("olga")) as olga:
        assert refused(olga.post(f"{BOTS}/lost_cities/far/token")) == (403, "not_yours", "bot")
        assert refused(olga.delete(f"{BOTS}/lost_cities/far/token")) == (403, "not_yours", "bot")
    assert bots.admitted(house.store) == before


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (b"", (422, "archive_invalid", "upload")),
        (b"no zip", (422, "archive_invalid", "upload")),
        (bytes(zip_archive.MAX_BYTES + 1), (413, "too_large", "upload")),
        (zipped({f"{number}": bytes(8 << 20) for number in range(3)}), (413, "too_large", "upload")),
        (zipped({"../../arena.db": "x", "bot.toml": TOML}), (422, "path_invalid", "upload")),
        (link("weights", "/etc/shadow"), (422, "path_invalid", "upload")),
        (zipped({"mine.py": BOT}), (422, "manifest_invalid", "bot.toml")),
        (project(TOML.replace("mine.py", "other.py")), (422, "manifest_invalid", "entry")),
        (project(f'{TOML}requires = ["torch"]\n'), (422, "package_not_allowed", "requires")),
        (project(TOML.replace('"mine"', '"greedy"')), (409, "name_taken", "name")),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
def test_an_upload_that_is_refused_leaves_nothing(
    house: House, ada: TestClient, data: bytes, refusal: tuple[int, str, str]
) -> None:
    before = bots.listing(house.store)
    assert refused(send(ada, data)) == refusal
    assert bots.listing(house.store) == before
    assert blocks.reconcile(house.store) == ()


def test_the_same_upload_twice_is_refused(ada: TestClient) -> None:
    send(ada)
    assert refused(send(ada)) == (409, "already_submitted", "upload")
