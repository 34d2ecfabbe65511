"""Boards in other sites' frames: they alone may be framed, and never show what is not open."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from fastapi.testclient import TestClient

from arena.web.http.security_headers import FRAMED_POLICY
from tests.web.browser import watch_for_trouble
from tests.web.test_every_page import IN_COLOUR, violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import Cast


def finished(cast: Cast) -> str:
    return f"/embed/matches/{cast.finished}/1/0"


def test_only_embedded_boards_may_be_framed(client: TestClient, cast: Cast) -> None:
    embedded = client.get(finished(cast)).headers
    assert embedded["content-security-policy"] == FRAMED_POLICY
    assert "x-frame-options" not in embedded
    for address in ("/", f"/tournaments/{cast.finished}/sets/1/matches/0", "/embed/matches/x/0/0", "/embed"):
        headers = client.get(address).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"], address
        assert headers["x-frame-options"] == "DENY", address


def test_embedded_board_runs_no_script_and_sends_no_form(client: TestClient, cast: Cast) -> None:
    assert "script-src 'none'" in FRAMED_POLICY
    assert "form-action 'none'" in FRAMED_POLICY
    page = client.get(finished(cast)).text
    assert "<script" not in page
    assert "<form" not in page
    assert " style=" not in page


def test_embedded_board_links_to_the_steps_beside_it_and_to_the_match(client: TestClient, cast: Cast) -> None:
    page = unescape(client.get(f"{finished(cast)}?point=5&theme=dark&view=0").text)
    for number in (4, 6):
        assert f'href="{finished(cast)}?point={number}&view=0&theme=dark"' in page
    assert f'href="/tournaments/{cast.finished}/sets/1/matches/0?point=5" target="_blank"' in page


@pytest.mark.parametrize(("theme", "prefix"), [("light", "light-"), ("dark", "dark-"), ("", "")])
def test_theme_chooses_the_colours(client: TestClient, cast: Cast, theme: str, prefix: str) -> None:
    page = client.get(f"{finished(cast)}?theme={theme}").text
    sheets = re.findall(r'href="(/static/[\w-]*tokens-[0-9a-f]+\.css)"', page)
    assert [sheet.startswith(f"/static/{prefix}tokens-") for sheet in sheets] == [True]
    body = client.get(sheets[0]).text
    condition = {"light": "@media not all", "dark": "@media all"}.get(
        theme, "@media (prefers-color-scheme: dark)"
    )
    assert condition in body


@pytest.mark.parametrize("asked", ["point=9999", "point=-1", "point=x", "view=7", "view=nobody"])
def test_step_or_view_that_does_not_exist_has_a_page_with_the_way_on(
    client: TestClient, cast: Cast, asked: str
) -> None:
    answer = client.get(f"{finished(cast)}?{asked}")
    assert answer.status_code == 404
    assert answer.headers["content-security-policy"] == FRAMED_POLICY
    assert f'href="{finished(cast)}"' in answer.text
    assert 'class="board' not in answer.text


def test_match_that_is_not_open_shows_no_board(client: TestClient, cast: Cast) -> None:
    answer = client.get(f"/embed/matches/{cast.running}/2/0")
    assert answer.status_code == 404
    assert "This match is not open yet" in answer.text
    assert f'href="/tournaments/{cast.running}/sets/2/matches/0"' in answer.text
    assert 'class="board' not in answer.text


def test_match_that_does_not_exist_has_a_page(client: TestClient, cast: Cast) -> None:
    for address in ("/embed/matches/99999/0/0", f"/embed/matches/{cast.finished}/9999/0"):
        answer = client.get(address)
        assert answer.status_code == 404
        assert 'href="/live"' in answer.text
        assert answer.headers["content-security-policy"] == FRAMED_POLICY


@pytest.mark.browser
def test_embedded_board_is_stepped_through_in_a_frame(page: Page, cast: Cast) -> None:
    trouble = watch_for_trouble(page)
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(f"{finished(cast)}?point=3&theme=dark")
    page.get_by_role("link", name="Next step").click()
    page.wait_for_url("**point=4**")
    assert page.locator(".position").get_attribute("data-point") == "4"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.evaluate(AXE_SCRIPT)
    assert violations(page, IN_COLOUR) == []
    assert trouble == []
