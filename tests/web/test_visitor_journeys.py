"""Strangers find their way through the pages that show matches, in both languages, without a script.

What needs scripts is in tests/web/matches/test_stepper.py, test_tv_page.py, test_match_chart.py and test_play_in_browser.py.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from arena.bot_registry import bots
from arena.scheduling import stop_rules
from tests.web.conftest import opened
from tests.web.served_app import served
from tests.web.tournaments.test_tournament_page import NAMES, create, play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

    from tests.parts.redis_server import RunningRedis

pytestmark = pytest.mark.browser

BOTH = pytest.mark.parametrize("language", ["en", "es"])
SAID = {
    "en": {
        "best": "Best matches of the day",
        "results": "show results",
        "next": "Next step",
        "readers": "How readers answered",
        "watch": "Watch the match from here",
        "winner": "Winner",
        "final": "Final",
        "table": "As a table",
    },
    "es": {
        "best": "Las mejores partidas del día",
        "results": "mostrar los resultados",
        "next": "Paso siguiente",
        "readers": "Qué respondieron los lectores",
        "watch": "Ver la partida desde aquí",
        "winner": "Ganador",
        "final": "Final",
        "table": "Como tabla",
    },
}


@contextmanager
def stranger(browser: Browser, origin: str, language: str) -> Iterator[Page]:
    """Open a page on a phone, without scripts; each answer that it gets is one that was meant.

    It scrolls at once: a press and a release while a page glides are on two things, and follow no link.
    """
    with browser.new_context(
        base_url=origin,
        locale=language,
        java_script_enabled=False,
        viewport={"width": 390, "height": 844},
        reduced_motion="reduce",
    ) as context:
        page = context.new_page()
        failed: list[str] = []
        page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
        yield page
        assert failed == []


def follow(page: Page, link: Locator) -> None:
    """Click a link or button, and wait for the page that it leads to."""
    link.scroll_into_view_if_needed()
    with page.expect_navigation():
        link.click()


@pytest.fixture(scope="module")
def contests(
    tmp_path_factory: pytest.TempPathFactory, redis_server: RunningRedis
) -> Iterator[tuple[str, int, int]]:
    """Serve a knockout that is over and a test (SPRT) that is not; their numbers after the origin."""
    with opened(tmp_path_factory.mktemp("contests")) as store:
        bots.register_house(store, {"lost_cities": NAMES})
        knockout = create(store, sorted(NAMES), format="knockout")
        play(store, knockout)
        sprt = create(store, NAMES[:2], cycles=100, stop=stop_rules.parse("sprt:0,10"))
        play(store, sprt, 4, even=2)
        with served(store, redis_server) as origin:
            yield origin, knockout, sprt


@BOTH
def test_spectator_goes_from_the_best_match_of_the_day_to_where_it_was_decided_and_on_to_tv(
    browser: Browser, origin: str, language: str
) -> None:
    said = SAID[language]
    with stranger(browser, origin, language) as page:
        page.goto("/")
        assert page.locator("#best-title").inner_text() == said["best"]
        assert page.locator(".tv-small .board").count() == 1
        follow(page, page.get_by_role("link", name=said["results"]))
        assert page.locator(".best .result").count() == page.locator(".best > li").count() >= 2

        follow(page, page.locator(".best a.strong").first)
        assert page.locator(".position").get_attribute("data-point") == "0"
        follow(page, page.get_by_role("link", name=said["next"]))
        assert page.locator(".position").get_attribute("data-point") == "1"
        follow(page, page.locator(".match-chart .goto a").nth(4))
        at = int(page.locator(".position").get_attribute("data-point") or "")
        assert at > 1
        assert page.locator(".told").first.inner_text()
        follow(page, page.locator('.steps a[data-point$="s"]').last)
        assert page.locator(".score-sheet").is_visible()
        assert page.locator("html").get_attribute("lang") == language

        page.goto("/live")
        follow(page, page.locator(".channels a[href='/live/land_unter']"))
        assert page.locator(".tv .board.board-land_unter").is_visible()
        shown = page.locator(".tv .position").get_attribute("data-point")
        follow(page, page.locator("[data-open]"))
        assert int(page.locator(".position").get_attribute("data-point") or "") >= int(shown or "")


@BOTH
def test_reader_answers_the_puzzle_and_sees_how_others_did(
    browser: Browser, origin: str, language: str
) -> None:
    said = SAID[language]
    with stranger(browser, origin, language) as page:
        page.goto("/puzzle?game=lifeboats")
        follow(page, page.locator("button.option").first)
        page.get_by_text(said["readers"]).click()
        numbers = page.locator("details .answers td.number:nth-of-type(1)").all_inner_texts()
        assert sum(map(int, numbers)) >= 1
        follow(page, page.get_by_role("link", name=said["watch"]))
        assert page.locator(".position").is_visible()


@BOTH
def test_knockout_has_lines_to_its_winner_and_a_test_its_curve(
    browser: Browser, contests: tuple[str, int, int], language: str
) -> None:
    origin, knockout, sprt = contests
    said = SAID[language]
    with stranger(browser, origin, language) as page:
        page.goto("/tournaments")
        follow(page, page.locator(f'a[href="/tournaments/{knockout}"]').first)
        stages = page.locator(".bracket > li")
        assert stages.last.locator("h3").inner_text() == said["final"]
        line = "e => getComputedStyle(e, '::before').borderTopStyle"
        assert stages.last.locator(".slots > li").evaluate(line) == "solid"
        assert page.locator("#standings").get_by_text(said["winner"]).is_visible()

        page.goto(f"/tournaments/{sprt}")
        curve = page.locator(".llr svg")
        assert curve.get_attribute("aria-label")
        box = curve.bounding_box()
        assert box is not None
        assert box["width"] > 250
        page.locator("#llr-table summary").click()
        assert page.locator("#llr-table td.number").first.is_visible()
        assert page.locator("#llr-table summary").inner_text() == said["table"]
