"""A person plays in a real browser: with the script by keyboard, and without any script."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from arena.referee_client import local_referee
from arena.web.play.human_games import PlayTerms
from tests.web.browser import watch_for_trouble
from tests.web.conftest import opened
from tests.web.play.http_player import move_in
from tests.web.served_app import served
from tests.web.test_every_page import IN_COLOUR, LOOK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.parts.redis_server import RunningRedis

_MAX_DECISIONS = 40
_TABLES = {
    "lost_cities": ".felt",
    "land_unter": ".shore",
    "bottle_imp": ".felt",
    "lifeboats": ".waters",
    "teotlatolli": ".gods",
}
"""What lies on the table of each game, which one decides by."""


BOXES = """table => {
  const shown = [".dock", ".dock .option", table].map(selector => [...document.querySelectorAll(selector)]);
  const boxes = [shown[0][0], shown[1][0], shown[2].at(-1)].map(each => each?.getBoundingClientRect().toJSON());
  return boxes.every(each => each?.height) && boxes;
}"""
"""The boxes of the choices, of the first of them and of the table, all of one moment: the page may just be drawn anew."""


pytestmark = pytest.mark.browser


def hold_to_the_standards(page: Page) -> None:
    """Hold a page against WCAG 2.1 AA, light and dark; what the sticky controls cover until one scrolls is not hidden."""
    page.evaluate(
        "document.querySelectorAll('.stepper').forEach(each => { each.style.position = 'static'; })"
    )
    page.evaluate(AXE_SCRIPT)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        found = page.evaluate(LOOK, IN_COLOUR)
        assert [(each["id"], node["target"]) for each in found["violations"] for node in each["nodes"]] == []


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory, redis_server: RunningRedis) -> Iterator[str]:
    with opened(tmp_path_factory.mktemp("journey")) as store, local_referee() as control:
        move_in(store)
        with served(store, redis_server, PlayTerms(control)) as origin:
            yield origin


def test_person_plays_a_match_to_its_end_by_keyboard(browser: Browser, origin: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    trouble = watch_for_trouble(page)
    page.goto(f"{origin}/play")
    page.get_by_role("link", name="Choose opponents for The Bottle Imp").click()
    page.get_by_role("combobox", name="Opponent 1").select_option("daring")
    page.get_by_role("spinbutton", name="Hands").fill("1")
    page.get_by_role("button", name="Take the seat").press("Enter")
    page.wait_for_selector(".turn.yours")
    hold_to_the_standards(page)
    page.locator(".answer button[name=action]").first.focus()
    for _ in range(_MAX_DECISIONS):
        page.wait_for_selector(".turn.yours, #result")
        if page.locator("#result").count():
            break
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        decision = page.locator(".answer input[name=decision]").get_attribute("value")
        # The focus is where it was before the part was drawn anew: on what may be chosen.
        page.wait_for_function("() => document.activeElement.name === 'action'")
        page.keyboard.press("Enter")
        page.wait_for_selector(f".answer input[name=decision][value='{decision}']", state="detached")
    assert page.locator("#result").inner_text() in {
        "You have won",
        "You finished 2nd",
        "You finished 3rd",
        "You share first place",
    }
    assert not page.locator(".turn").count()
    assert page.get_by_role("link", name="Download the record").is_visible()
    hold_to_the_standards(page)
    assert trouble == []
    page.close()


def test_table_follows_the_match_in_every_page_that_shows_it(browser: Browser, origin: str) -> None:
    context = browser.new_context()
    page, other = context.new_page(), context.new_page()
    page.goto(f"{origin}/play?game=lost_cities")
    page.get_by_label("Your seat").select_option("0")
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_selector(".turn.yours")
    other.goto(page.url)
    clock = other.locator("[data-clock]").inner_text()
    other.wait_for_function("text => document.querySelector('[data-clock]').textContent !== text", arg=clock)
    page.locator(".answer button[name=action]").first.click()
    other.wait_for_selector(".log .seat")
    assert "play" in other.locator(".log").inner_text() or "discard" in other.locator(".log").inner_text()
    other.get_by_text("Resign", exact=True).click()
    assert other.get_by_text("Resign? greedy wins.").is_visible()
    other.get_by_role("button", name="Resign and reveal all cards").click()
    page.wait_for_selector("#result")
    assert "You resigned" in page.content()
    context.close()


def test_table_with_talk_is_for_every_eye_and_hand(browser: Browser, origin: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{origin}/play?game=lifeboats&seats=3")
    page.get_by_role("combobox", name="Opponent 1").select_option("liar")
    page.get_by_role("button", name="Take the seat").click()
    page.get_by_role("textbox", name="Your message").fill("I vote white.")
    page.locator(".talk summary").click()
    page.get_by_role("combobox", name="What").select_option("promise")
    hold_to_the_standards(page)
    page.get_by_role("button", name="Say it").click()
    page.wait_for_function(
        "() => document.querySelector('.log').textContent.includes('“I vote white.” · promises to vote')"
    )
    page.get_by_role("button", name="Leave the table").click()
    page.wait_for_url(f"{origin}/play")
    page.close()


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)], ids=["phone", "desktop"])
@pytest.mark.parametrize("game", ["lost_cities", "land_unter", "bottle_imp", "lifeboats", "teotlatolli"])
def test_hand_and_choices_are_in_sight_without_scrolling(
    browser: Browser, origin: str, game: str, size: tuple[int, int]
) -> None:
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(f"{origin}/play?game={game}")
    talks = page.get_by_role("checkbox", name="Ask me to talk")
    if talks.count():
        talks.uncheck()
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_load_state()  # before it, a busy machine lays the page out without its styles
    page.wait_for_selector(".turn.yours")
    dock, first, table = page.wait_for_function(BOXES, arg=_TABLES[game]).json_value()
    if pictures := os.environ.get("ARENA_TEST_PICTURES"):
        page.screenshot(path=f"{pictures}/play-{game}-{width}.png")
    assert dock["y"] + dock["height"] <= height + 1
    assert height / 3 < first["y"] < height - 24
    assert table["y"] + table["height"] <= dock["y"] + 1
    page.get_by_role("button", name="Leave the table").click()
    page.wait_for_url(f"{origin}/play")
    context.close()


@pytest.mark.parametrize(
    ("language", "level", "scored"),
    [("en", "Beginner – random", "random scored"), ("es", "Principiante – random", "random ha hecho")],
)
def test_person_plays_at_a_level_and_is_told_what_a_bot_makes_of_the_same_deal(
    browser: Browser, origin: str, language: str, level: str, scored: str
) -> None:
    context = browser.new_context(base_url=origin, locale=language, viewport={"width": 390, "height": 844})
    page = context.new_page()
    trouble = watch_for_trouble(page)
    page.goto("/play?game=land_unter&seats=3")
    for opponent in page.locator("select[name=opponent]").all():
        opponent.select_option(label=level)
    page.locator("[name=option_rounds]").fill("1")
    page.locator("form[aria-labelledby=table] .main").click()
    for _ in range(_MAX_DECISIONS):
        page.wait_for_selector(".turn.yours, #result")
        if page.locator("#result").count():
            break
        decision = page.locator(".answer input[name=decision]").get_attribute("value")
        page.locator(".answer button[name=action]").first.click()
        page.wait_for_selector(f".answer input[name=decision][value='{decision}']", state="detached")
    page.evaluate("window.stayed = true")
    told = page.locator("[data-part=deal]:not([data-pending]) .deal")
    told.wait_for(timeout=60_000)
    assert scored in told.inner_text()
    assert page.evaluate("window.stayed")
    page.locator("form[action$='/again'] button").click()
    page.wait_for_selector(".turn.yours")
    assert trouble == []
    context.close()


def test_person_plays_without_scripts(browser: Browser, origin: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{origin}/play")
    page.get_by_role("button", name="Play Land Unter against greedy").click()
    for _ in range(2):
        page.wait_for_selector(".turn.yours")
        page.locator(".answer button[name=action]").first.click()
    page.wait_for_selector(".turn.yours")
    page.get_by_role("button", name="Leave the table").click()
    assert page.url == f"{origin}/play"
    context.close()
