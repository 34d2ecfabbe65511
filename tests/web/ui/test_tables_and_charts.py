"""Tables and charts in a real browser: sorted, filtered, drawn, and all of it there without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser import watch_for_trouble

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.web.conftest import Cast

pytestmark = pytest.mark.browser


def test_table_is_sorted_and_filtered_where_it_stands(page: Page, cast: Cast) -> None:
    page.goto("/games/lost_cities")
    page.evaluate("window.stayed = true")
    page.locator("#elo thead").get_by_role("link", name="Bot").press("Enter")
    page.wait_for_selector("#elo th[aria-sort=ascending]:has-text('Bot')")
    names = page.locator("#elo tbody th a").all_inner_texts()
    assert names == sorted(names)
    assert page.evaluate("document.activeElement.textContent") == "Bot"
    page.get_by_placeholder("Name or author").press_sequentially("ru")
    page.wait_for_selector("#elo .found:has-text('of 4 in all')")
    assert page.locator("#elo tbody th a").all_inner_texts() == ["rusher"]
    assert page.evaluate("document.activeElement.value") == "ru"
    assert "elo.sort=bot" in page.url
    assert "elo.find=ru" in page.url
    assert page.evaluate("window.stayed")


def test_table_is_sorted_and_filtered_without_scripts(browser: Browser, origin: str) -> None:
    context = browser.new_context(base_url=origin, java_script_enabled=False)
    page = context.new_page()
    page.goto("/games/lost_cities")
    page.locator("#elo thead").get_by_role("link", name="Bot").click()
    names = page.locator("#elo tbody th a").all_inner_texts()
    assert names == sorted(names)
    page.get_by_placeholder("Name or author").fill("ru")
    page.get_by_role("button", name="Filter").click()
    assert page.locator("#elo tbody th a").all_inner_texts() == ["rusher"]
    assert page.locator("figure.chart:visible").count() == 0
    assert page.get_by_text("The last 30 days as a table").count() == 1
    context.close()


def test_charts_are_drawn_and_read(page: Page, cast: Cast) -> None:
    trouble = watch_for_trouble(page)
    for address in ("/games/lost_cities", "/bots/lost_cities/greedy", f"/tournaments/{cast.tables}"):
        page.goto(address)
        page.wait_for_selector("figure[data-drawn] canvas")
    page.goto("/games/lost_cities")
    page.wait_for_selector("figure[data-drawn] canvas")
    keys = page.locator("figure .keys button")
    rows = page.locator("#elo tbody th a").all_inner_texts()
    assert [key.split()[0] for key in keys.all_inner_texts()] == rows
    keys.first.press("Enter")
    assert keys.first.get_attribute("aria-pressed") == "false"
    page.get_by_role("button", name="Week").click()
    page.wait_for_selector("figure .keys button[aria-pressed=true] >> nth=0")
    assert not trouble


def test_decision_times_come_when_they_are_in_sight(page: Page) -> None:
    page.goto("/bots/lost_cities/greedy")
    page.evaluate("document.querySelector('#times').scrollIntoView()")
    page.wait_for_selector("#times meter >> nth=0")
    assert "1.5 ms" in page.locator("#times").inner_text()
