"""Pages in a real browser: their scripts do what they say (how they look: test_every_page.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser


def test_first_tab_reaches_the_skip_link(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
