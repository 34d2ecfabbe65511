"""Pages in a real browser: their scripts do what they say (how they look: test_every_page.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import Cast


pytestmark = pytest.mark.browser


def test_first_tab_reaches_the_skip_link(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"


def test_a_name_that_does_not_fit_into_the_bar_of_a_match_ends_with_an_ellipsis(
    page: Page, cast: Cast
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=60")
    name = page.locator(".seats-bar .seat").first
    name.evaluate("each => each.lastChild.textContent = 'a-name-that-is-far-too-long'")
    # Of a flex container the browser would cut the text in the middle of a letter.
    assert name.evaluate("each => [getComputedStyle(each).display, each.scrollWidth > each.clientWidth]") == [
        "block",
        True,
    ]
