"""Static files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import arena.web.ui
from arena.web.ui import static_assets

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


def test_address_names_the_content() -> None:
    assert re.fullmatch(r"/static/tokens-[0-9a-f]{12}\.css", static_assets.address("tokens.css"))


def test_file_may_be_kept_for_ever(client: TestClient) -> None:
    answer = client.get(static_assets.address("layout.css"))
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/css; charset=utf-8"


def test_file_that_a_browser_has_is_not_sent_again(client: TestClient) -> None:
    address = static_assets.address("tables.js")
    etag = client.get(address).headers["etag"]
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 304


def test_file_is_the_same_packed_and_unpacked(client: TestClient) -> None:
    address = static_assets.address("live.js")
    assert client.get(address, headers={"Accept-Encoding": "identity"}).text == client.get(address).text


def test_unknown_file_is_not_found(client: TestClient) -> None:
    assert client.get("/static/tokens-000000000000.css").status_code == 404


def test_files_fetch_nothing_from_elsewhere() -> None:
    folder = Path(arena.web.ui.__file__).parent / "static"
    text = "".join(path.read_text() for path in folder.iterdir()).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|@import|url\(", text)


def test_colours_stand_in_the_tokens_only() -> None:
    folder = Path(arena.web.ui.__file__).parent / "static"
    others = "".join(path.read_text() for path in folder.glob("*.css") if not path.name.startswith("tokens"))
    assert not re.search(r"#[0-9a-f]{3,8}\b|rgb\(", others)


def test_charts_are_served_by_ourselves(client: TestClient) -> None:
    assert static_assets.has_charts(), "make setup"
    page = client.get("/games/lost_cities").text
    assert f'<script src="{static_assets.address("uPlot.iife.min.js")}" defer></script>' in page
    library = client.get(static_assets.address("uPlot.iife.min.js"))
    assert library.status_code == 200
    assert not re.search(r"\beval\(|new Function|setAttribute\(.style", library.text)
