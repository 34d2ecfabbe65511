"""Weights sent to the API: stored when they are whole and what they are called; nothing stays of others."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from arena.bot_registry import stored_weights
from arena.bot_registry.stored_weights import PART_BYTES, WeightsLimits
from arena.competition.qualification.submissions import Rules
from arena.storage.schema import Weights, WeightsPart
from tests.web.people import House, furnished, house

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient

__all__ = ["furnished", "house"]

CONTENT = bytes(range(256)) * 10_000
SHA256 = sha256(CONTENT).hexdigest()
PATH = f"/api/v1/weights/{SHA256}"


@pytest.fixture
def ada(house: House) -> Iterator[TestClient]:
    with house.client(house.token("ada")) as client:
        client.app.state.rules = Rules(weights=WeightsLimits(3, 4))  # type: ignore[attr-defined]
        yield client


def rows(house: House) -> list[int | None]:
    with house.store.read() as session:
        return [session.scalar(select(func.count()).select_from(each)) for each in (Weights, WeightsPart)]


def test_weights_are_sent_in_pieces_and_stored_in_parts(ada: TestClient, house: House) -> None:
    assert ada.head(PATH).status_code == 404
    pieces = (CONTENT[at : at + 300_000] for at in range(0, len(CONTENT), 300_000))
    sent = ada.put(PATH, content=pieces)
    assert (sent.status_code, sent.json()) == (200, {"sha256": SHA256, "size": len(CONTENT)})
    assert ada.head(PATH).status_code == 200
    assert rows(house) == [1, 3]
    number = stored_weights.find(house.store, SHA256)
    assert number is not None
    assert stored_weights.read_part(house.store, number, 1) == CONTENT[PART_BYTES : 2 * PART_BYTES]


def test_weights_that_are_there_are_taken_as_sent(ada: TestClient, house: House) -> None:
    ada.put(PATH, content=CONTENT)
    assert ada.put(PATH, content=b"").json() == {"sha256": SHA256, "size": len(CONTENT)}
    assert rows(house) == [1, 3]


def test_weights_with_another_sha256_are_refused_and_nothing_stays(ada: TestClient, house: House) -> None:
    refused = ada.put(PATH, content=CONTENT[:-1])
    assert refused.status_code == 422
    problem = refused.json()
    found = sha256(CONTENT[:-1]).hexdigest()
    assert (problem["code"], problem["field"]) == ("weights_wrong", "sha256")
    assert (
        f"sha256 {SHA256}: the {len(CONTENT) - 1} bytes that came have the SHA-256 {found}"
        in problem["detail"]
    )
    assert rows(house) == [0, 0]


def test_weights_that_are_too_large_are_refused_before_they_are_stored(ada: TestClient, house: House) -> None:
    refused = ada.put(PATH, content=bytes((3 << 20) + 1))
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert f"at most {3 << 20} are possible" in refused.json()["detail"]
    refused = ada.put(PATH, content=iter([bytes(1 << 20)] * 4))
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert rows(house) == [0, 0]


def test_weights_beyond_the_quota_of_their_author_are_refused(ada: TestClient) -> None:
    ada.put(PATH, content=CONTENT)
    refused = ada.put(f"/api/v1/weights/{'ab' * 32}", content=CONTENT)
    assert (refused.status_code, refused.json()["code"]) == (413, "storage_exhausted")
    assert f"ada's weights have {len(CONTENT)} bytes already" in refused.json()["detail"]


def test_weights_of_others_are_not_shown(ada: TestClient, house: House) -> None:
    ada.put(PATH, content=CONTENT)
    with house.client(house.token("olga")) as olga:
        assert olga.get(PATH).status_code == 404
