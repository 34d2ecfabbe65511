"""Submitting on a page: what is wrong with an upload stands beside its field, what is right has a page of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from arena.bot_registry import bots
from arena.bundle_format import zip_archive
from arena.competition.matches import blocks
from arena.messaging import presence
from arena.messaging.redis_connection import connect
from tests.bundle_format.uploads import BOT, TOML, project, zipped
from tests.web.named_users import House, beside, furnished, house, post

if TYPE_CHECKING:
    import httpx
    from fastapi.testclient import TestClient

__all__ = ["furnished", "house"]


@pytest.fixture
def ada(house: House) -> Iterator[TestClient]:
    with house.browser("ada") as browser:
        yield browser


def send(
    ada: TestClient, data: bytes | None = None, filename: str = "mine.zip", **fields: str
) -> httpx.Response:
    files = {"upload": (filename, project() if data is None else data)}
    return post(ada, "/submit", files=files, **fields)


def test_upload_becomes_a_version_that_waits(house: House, ada: TestClient) -> None:
    for data, filename, fields in (
        (project(), "mine.zip", {}),
        (BOT.encode(), "mine.py", {"game": "lost_cities"}),
        (BOT.encode(), "bot.py", {"game": "lost_cities", "name": "mine"}),
    ):
        answer = send(ada, data, filename, **fields)
        assert (answer.status_code, answer.headers["location"]) == (303, "/account/bots/lost_cities/mine")
    page = ada.get("/account/bots/lost_cities/mine").text
    assert "Version 3" in page
    assert "Qualifying against house bots" in page
    assert re.search(r'data-live="/api/v1/tournaments/\d+/events"', page)
    assert len(blocks.reconcile(house.store)) == 3


REFUSED: list[tuple[bytes, str, dict[str, str], int, str, str]] = [
    (b"", "", {}, 422, "upload", "no file chosen"),
    (b"no zip", "mine.zip", {}, 422, "upload", "it must be a zip"),
    (b"a note", "note.txt", {}, 422, "upload", "upload a .py or a .zip"),
    (bytes(zip_archive.MAX_BYTES + 1), "mine.zip", {}, 413, "upload", "leave out what"),
    (bytes(zip_archive.MAX_BYTES + (1 << 20)), "mine.zip", {}, 413, "upload", "leave out what"),
    (zipped({"mine.py": BOT}), "mine.zip", {}, 422, "upload", "has no bot.toml"),
    (project(TOML.replace("mine.py", "other.py")), "mine.zip", {}, 422, "upload", "no such file"),
    (project(f'{TOML}requires = ["torch"]\n'), "mine.zip", {}, 422, "upload", "requires 'torch'"),
    (BOT.encode(), "mine.py", {}, 422, "game", "name its game"),
    (project(), "mine.zip", {"game": "land_unter"}, 422, "game", "names lost_cities"),
    (BOT.encode(), "mine.py", {"game": "lost_cities", "name": "My Bot"}, 422, "name", "lower-case"),
    (BOT.encode(), "mine.py", {"game": "lost_cities", "name": "greedy"}, 409, "name", "choose another"),
]


def test_upload_that_is_refused_says_why_beside_the_field_and_leaves_nothing(
    house: House, ada: TestClient
) -> None:
    before = bots.listing(house.store)
    for data, filename, fields, status, field, says in REFUSED:
        page = send(ada, data, filename, **fields)
        assert (page.status_code, says in beside(page, "upload", field)) == (status, True), says
        for name, value in fields.items():
            selected = " selected" if name == "game" else ""
            assert f'value="{value}"{selected}' in page.text
    assert bots.listing(house.store) == before


def test_upload_of_another_page_than_ours_is_refused(house: House, ada: TestClient) -> None:
    ada.headers["X-CSRF-Token"] = "0" * 64
    assert send(ada).status_code == 403
    assert not blocks.reconcile(house.store)


def test_form_that_cannot_be_read_is_refused(ada: TestClient) -> None:
    for kind in ("multipart/form-data; boundary=x", "multipart/form-data", "text/plain"):
        for body in (b"", b"--x\r\nnonsense", b"a" * 100_000):
            answer = ada.post("/submit", content=body, headers={"Content-Type": kind})
            assert answer.status_code in {403, 413, 422}, kind


def test_token_of_a_dial_in_bot_is_shown_once_and_renewed(house: House, ada: TestClient) -> None:
    made = post(ada, "/submit/dial-in", game="lost_cities", name="far")
    assert made.headers["cache-control"] == "no-store"
    (token,) = re.findall(r'<code id="made">([\w-]{43})<', made.text)
    first = bots.admitted(house.store)
    page = ada.get("/account/bots/lost_cities/far")
    assert token not in page.text
    assert "not connected" in page.text
    with connect(house.redis.url) as redis:
        presence.show(redis, "r", "arena.example:8001", {next(iter(first)): presence.Presence("far", "7")})
    there = ada.get("/account/bots/lost_cities/far").text
    assert "it reports version 7" in there
    assert "ARENA_REFEREE=arena.example:8001 ARENA_TOKEN=…" in there
    assert ada.get("/api/v1/bots/lost_cities/far/connection").json()["present"] is True
    again = post(ada, "/account/bots/lost_cities/far/token")
    assert re.search(r'<code id="made">([\w-]{43})<', again.text)
    assert bots.admitted(house.store).keys() != first.keys()
    assert post(ada, "/account/bots/lost_cities/far/token/revoke").status_code == 303
    assert bots.admitted(house.store) == {}


def test_bot_that_runs_elsewhere_is_refused_beside_its_field(ada: TestClient) -> None:
    taken = post(ada, "/submit/dial-in", game="lost_cities", name="greedy")
    assert (taken.status_code, "choose another" in beside(taken, "dial-in", "name")) == (409, True)
    there = {"game": "lost_cities", "name": "there"}
    wrong = post(ada, "/submit/endpoint", **there, address="here", secret="sesame")
    assert beside(wrong, "endpoint", "address")
    assert "sesame" not in wrong.text
    private = post(ada, "/submit/endpoint", **there, address="127.0.0.1:7001")
    assert beside(private, "endpoint", "address")
    assert post(ada, "/submit/endpoint", **there, address="bots.example.org:7001").status_code == 303
    assert "bots.example.org:7001" in ada.get("/account/bots/lost_cities/there").text


def test_starter_can_be_submitted_as_it_is(ada: TestClient, house: House) -> None:
    game = "lifeboats"
    bots.register_house(house.store, {game: ["random", "greedy"]})
    starter = ada.get(f"/submit/starters/{game}.zip")
    assert send(ada, starter.content, "starter.zip").headers["location"] == f"/account/bots/{game}/ada-bot"
