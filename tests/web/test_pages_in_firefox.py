"""The pages in Firefox: they load without an error, their boards are there, they fit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.firefox import Firefox, running_firefox

if TYPE_CHECKING:
    from tests.web.conftest import Cast

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with running_firefox(tmp_path_factory.mktemp("firefox")) as firefox:
        yield firefox


@pytest.mark.parametrize("width", [390, 1280])
def test_pages_load_without_an_error_and_fit(firefox: Firefox, origin: str, cast: Cast, width: int) -> None:
    firefox.resize(width, 900)
    pages = [
        "/",
        "/tournaments",
        f"/tournaments/{cast.tables}",
        f"/tournaments/{cast.tables}/sets/0/matches/0?point=14",
    ]
    pages += [
        "/games",
        "/games/lost_cities",
        "/bots/lost_cities/greedy",
        "/play",
        "/live/land_unter",
        "/docs/bots",
        "/sdk",
    ]
    pages += ["/puzzle?game=lost_cities", "/status", "/reference", "/sign-in"]
    for number, address in enumerate(pages):
        firefox.goto(origin + address)
        assert firefox.evaluate("document.querySelectorAll('h1').length") == 1, address
        assert firefox.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, address
        if folder := os.environ.get("ARENA_TEST_PICTURES"):
            firefox.picture(Path(folder) / f"firefox-{number:02}-{width}.png")
    assert firefox.trouble == []


def test_a_replay_shows_its_board_and_steps(firefox: Firefox, origin: str, cast: Cast) -> None:
    firefox.resize(1280, 900)
    firefox.goto(f"{origin}/tournaments/{cast.tables}/sets/0/matches/0?point=14")
    board = "document.querySelector('[data-board] .position').getBoundingClientRect()"
    assert firefox.evaluate(f"{board}.height") > 200
    assert firefox.evaluate(f"{board}.top") < 400
    firefox.evaluate("document.querySelector('[data-step=forward]').click() ?? 0")
    moved = "new Promise(done => { const look = () => document.querySelector('[data-where]').textContent === '15' ? done(true) : setTimeout(look, 50); look(); })"
    assert firefox.evaluate(f"await {moved}") is True
    assert firefox.trouble == []
