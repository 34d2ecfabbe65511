"""The chart of scores under a replay: its lines, links and table, with and without scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from arena.web.matches.match_chart import HEIGHT, WIDTH, draw_scores

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser

    from tests.web.conftest import Cast


def test_line_stays_at_a_score_until_it_changes() -> None:
    chart = draw_scores([(0, 0), (0, 4), (2, 4)], (), ())
    assert chart is not None
    assert chart.paths == (f"M0 {HEIGHT}H{WIDTH}V50H{WIDTH}", f"M0 {HEIGHT}H500V0H{WIDTH}")


def test_scores_below_nothing_have_a_line_at_nothing() -> None:
    chart = draw_scores([(0, 0), (-5, 15)], (), ())
    assert chart is not None
    assert (chart.low, chart.high, chart.zero) == (-5, 15, 75.0)


@pytest.mark.parametrize("series", [(), ((0, 0),), ((), ())])
def test_match_without_scores_has_no_chart(series: tuple[tuple[int, ...], ...]) -> None:
    assert draw_scores(series, (), ()) is None


@pytest.mark.parametrize("final", [1, 2, 9, 10, 11, 300])
def test_links_are_points_of_the_match_and_few_enough_for_a_phone(final: int) -> None:
    chart = draw_scores([(0, 0)] * (final + 1), (), ())
    assert chart is not None
    assert 0 < len(chart.links) <= 10
    assert set(chart.links) <= set(range(final + 1))


def test_lead_change_is_marked_on_the_line_of_the_seat_that_took_the_lead() -> None:
    chart = draw_scores([(1, 0), (1, 2), (1, 2)], (), [1])
    assert chart is not None
    assert [(mark.point, mark.seat, mark.x, mark.y) for mark in chart.marks] == [(1, 1, 500.0, 0.0)]


def test_table_ends_with_the_result(client: TestClient, cast: Cast) -> None:
    address = f"/tournaments/{cast.finished}/sets/1/matches/0"
    page = client.get(address).text
    scores = [seat["score"] for seat in client.get(f"/api/v1{address}").json()["seats"]]
    last = re.findall(r"<tr><th scope=\"row\".*?</tr>", page, re.DOTALL)[-1]
    cells = re.findall(r'<td class="number">([−\d]+)</td>', last)
    assert [int(cell.replace("−", "-")) for cell in cells] == scores


def test_match_that_is_not_open_has_no_chart(client: TestClient, cast: Cast) -> None:
    assert "data-chart" not in client.get(f"/tournaments/{cast.running}/sets/1/matches/0").text


def test_chart_ends_where_the_match_is_watched(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.finished}/sets/1/matches/0").text
    assert re.search(r'<rect x="0" y="-10" width="0.0"', page)


@pytest.mark.browser
def test_chart_goes_along_and_a_click_goes_to_the_step_under_it(
    browser: Browser, origin: str, cast: Cast
) -> None:
    with browser.new_context(base_url=origin, viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector('.position[data-point="1"]')
        final = int(page.locator("#board").get_attribute("data-final") or "")
        width = float(page.locator("[data-shown]").get_attribute("width") or "")
        assert width == pytest.approx(WIDTH / final, abs=0.1)
        strip = page.locator(".goto")
        box = strip.bounding_box()
        assert box is not None
        strip.click(position={"x": box["width"] * 0.37, "y": 20})
        page.wait_for_selector(f'.position[data-point="{round(final * 0.37)}"]')


@pytest.mark.browser
def test_whole_match_is_shown_without_scripts_when_it_is_asked_for(
    browser: Browser, origin: str, cast: Cast
) -> None:
    with browser.new_context(base_url=origin, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=5")
        clipped = "e => getComputedStyle(e).clipPath"
        assert page.locator(".match-chart .lines").evaluate(clipped) != "none"
        page.locator("label[for=whole]").click()
        assert page.locator(".match-chart .lines").evaluate(clipped) == "none"
        page.locator(".goto a").last.click()
        assert page.locator(".position").get_attribute("data-point") != "5"
