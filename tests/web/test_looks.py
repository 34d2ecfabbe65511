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


def test_match_is_stepped_through_by_keyboard(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.tables}/sets/0/matches/0?point=3")
    page.evaluate("window.stayed = true")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#board .where:text('4 /')")
    assert page.locator(".steps [aria-current]").get_attribute("data-point") == "4"
    assert page.url.endswith("?point=4")
    assert page.evaluate("window.stayed")


def test_match_plays_by_itself(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.tables}/sets/0/matches/0?point=0")
    page.get_by_role("button", name="Play").click()
    page.wait_for_selector("#board .where:text('2 /')")
    page.get_by_role("button", name="Pause").click()


def test_match_is_stepped_through_without_scripts(browser: Browser, origin: str, cast: Cast) -> None:
    context = browser.new_context(base_url=origin, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/tournaments/{cast.tables}/sets/0/matches/0?point=3")
    page.get_by_label("One point on").click()
    assert page.locator("#board .where").inner_text().startswith("4 / ")
    context.close()


def test_table_is_sorted_by_its_header(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.running}")
    page.locator("#standings th", has_text="Bot").get_by_role("button").click()
    names = page.locator("#standings tbody th").all_inner_texts()
    assert names == sorted(names)
    assert page.locator("#standings th[aria-sort=ascending]").count() == 1


def test_first_tab_reaches_the_skip_link(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
