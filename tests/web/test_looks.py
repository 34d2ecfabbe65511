"""Pages in a real browser: their scripts do what they say (how they look: test_every_page.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.parts import RunningRedis
from tests.web.browser import running_browser
from tests.web.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.web.conftest import Cast

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def origin(cast: Cast, redis_server: RunningRedis) -> Iterator[str]:
    with served(cast.store, redis_server) as origin:
        yield origin


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, origin: str) -> Iterator[Page]:
    context = browser.new_context(base_url=origin, viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_first_tab_reaches_the_skip_link(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
