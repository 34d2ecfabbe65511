"""The chart of scores under a replay: its lines, links and table, with and without scripts."""

from __future__ import annotations

import os
import re
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from arena.games.kernel import Played
from arena.games.registry import GAMES
from arena.match import drama
from arena.match.chances import Estimate
from arena.match.record import from_json
from arena.match.score_series import score_series, shown_states
from arena.messaging.redis_connection import connect
from arena.reports import match_views
from arena.reports.insights import stored_chances
from arena.storage.record_compression import unpack
from arena.storage.schema import MatchChances
from arena.web.matches.match_chart import HEIGHT, WIDTH, MatchChart, draw_scores
from tests.examples import scaled
from tests.games.test_leaks import TWINS, most_seats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser

    from arena.games.twins import Twin
    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast


def test_line_stays_at_a_score_until_it_changes() -> None:
    chart = draw_scores([(0, 0), (0, 4), (2, 4)], (), ())
    assert chart is not None
    assert chart.paths == (f"M0 {HEIGHT}H{WIDTH}V50H{WIDTH}", f"M0 {HEIGHT}H500V0H{WIDTH}")


def test_scores_below_nothing_have_a_line_at_nothing() -> None:
    chart = draw_scores([(0, 0), (-5, 15)], (), ())
    assert chart is not None
    assert (chart.low, chart.high) == (-5, 15)
    assert [(tick.value, tick.y) for tick in chart.ticks] == [
        (-5, 100.0),
        (0, 75.0),
        (5, 50.0),
        (10, 25.0),
        (15, 0.0),
    ]


@pytest.mark.parametrize("high", [1, 3, 7, 26, 90, 333, 1000])
def test_axis_has_zero_and_some_round_ticks(high: int) -> None:
    chart = draw_scores([(0, 0), (-high // 3, high)], (), ())
    assert chart is not None
    values = [tick.value for tick in chart.ticks]
    assert 0 in values
    assert 2 <= len(values) <= 6


def test_area_between_the_players_has_the_colour_of_the_leader() -> None:
    chart = draw_scores([(0, 0), (5, 0), (5, 10), (5, 10)], (), ())
    assert chart is not None
    first, second = chart.leads
    assert first == "M333.3 50H666.7V100H333.3Z"
    assert second == "M666.7 0H1000V50H666.7Z"


def chart_so_far(name: str, match: Twin) -> MatchChart | None:
    """Draw the scores of a match up to where it is, with the turns of the lead."""
    game, states, read = GAMES[name], [match.start], 0
    chosen = [step for step in match.steps if isinstance(step, Played) and step.seat < match.seats]
    while read < len(chosen) and (decisions := game.to_act(states[-1])):
        answers = [each.action for each in chosen[read : read + len(decisions)]]
        read += len(decisions)
        states.append(game.apply(states[-1], answers)[0])
    series = score_series(name, [*states[:-1], match.state], match.seats)
    return draw_scores(series, (), drama.measure(series).lead_changes)


@pytest.mark.parametrize("name", [name for name in TWINS if name in GAMES])
@settings(max_examples=scaled(30))
@given(seed=st.integers(0, 1 << 32), place=st.integers(0, 59), length=st.floats(0, 1))
def test_what_is_hidden_at_a_step_does_not_show_in_the_scores_so_far(
    name: str, seed: int, place: int, length: float
) -> None:
    true, twin = TWINS[name](Random(seed), place % most_seats(name), length)
    assert chart_so_far(name, true) == chart_so_far(name, twin)


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


@pytest.fixture
def with_chances(cast: Cast) -> Iterator[str]:
    """The address of a match whose chances are stored, a large swing at step 5 among them."""
    shares = {0: 0.5, 4: 0.55, 5: 0.9, 9: 0.85}
    found = [Estimate(point, (share, 1 - share), (0.05, 0.05)) for point, share in shares.items()]
    address = f"/tournaments/{cast.finished}/sets/1/matches/1"
    page = match_views.page(cast.store, cast.finished, 1, 1)
    assert page.packed_record is not None
    final = len(list(shown_states(from_json(unpack(page.packed_record))))) - 1
    stored_chances.OF_MATCHES.save(
        cast.store, (cast.finished, 1, 1), [*found, Estimate(final, (1.0, 0.0), (0.0, 0.0))]
    )
    yield address
    with cast.store.write() as session:
        session.execute(delete(MatchChances))


def test_page_says_that_the_chances_are_being_computed(client: TestClient, cast: Cast) -> None:
    page = client.get(f"/tournaments/{cast.finished}/sets/2/matches/0")
    assert page.status_code == 200
    assert "Computing win chances" in page.text


def test_look_at_a_match_asks_for_its_chances(
    client: TestClient, cast: Cast, redis_server: RunningRedis
) -> None:
    client.get(f"/tournaments/{cast.finished}/sets/2/matches/1")
    queue = connect(redis_server.url)
    assert queue.keys(f"rq:job:chances-{cast.finished}-2-1-*")
    queue.close()


def test_match_that_is_not_open_is_not_asked_for(
    client: TestClient, cast: Cast, redis_server: RunningRedis
) -> None:
    client.get(f"/tournaments/{cast.running}/sets/1/matches/0")
    queue = connect(redis_server.url)
    assert not queue.keys(f"rq:job:chances-{cast.running}-1-0-*")
    queue.close()


def test_page_of_a_match_that_cannot_be_played_on_promises_no_chances(client: TestClient, cast: Cast) -> None:
    stored_chances.OF_MATCHES.save(cast.store, (cast.finished, 1, 1), ())
    page = client.get(f"/tournaments/{cast.finished}/sets/1/matches/1")
    with cast.store.write() as session:
        session.execute(delete(MatchChances))
    assert page.status_code == 200
    assert "Computing win chances" not in page.text
    assert "<kbd>k</kbd>" not in page.text


def test_page_shows_chances_and_key_moments(client: TestClient, with_chances: str) -> None:
    page = client.get(with_chances, params={"point": 1}).text
    assert "Computing win chances" not in page
    assert "55 % → 90 %" in page
    assert re.search(r'data-key="forward" data-point="5"', page)
    assert re.search(r'data-key="back" aria-disabled', page)
    assert "<kbd>k</kbd>" in page


def test_chances_of_a_match_whose_record_is_hidden_are_not_shown(client: TestClient, cast: Cast) -> None:
    stored_chances.OF_MATCHES.save(
        cast.store,
        (cast.running, 1, 0),
        [Estimate(0, (0.123, 0.877), (0.0, 0.0)), Estimate(5, (1.0, 0.0), (0.0, 0.0))],
    )
    page = client.get(f"/tournaments/{cast.running}/sets/1/matches/0").text
    assert "12 ±" not in page
    assert "data-chart" not in page


@pytest.mark.browser
def test_key_goes_to_the_next_key_moment(browser: Browser, origin: str, with_chances: str) -> None:
    with browser.new_context(base_url=origin, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{with_chances}?point=1")
        page.locator("#board").focus()
        page.keyboard.press("k")
        page.wait_for_selector('.position[data-point="5"]')
        page.keyboard.press("k")
        page.wait_for_selector('.position:not([data-point="5"])')
        page.locator('[data-key="back"]').click()
        page.wait_for_selector('.position[data-point="5"]')
        if folder := os.environ.get("ARENA_TEST_PICTURES"):
            page.locator("label[for=whole]").click()
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.locator("[data-chart]").screenshot(path=f"{folder}/chances-{scheme}.png")
