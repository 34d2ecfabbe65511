"""The replay in a real browser: buttons, keys, points of view, links; and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest

from arena.games.lost_cities import LOST_CITIES
from arena.web.boards import draw, pieces, seat_scene
from arena.web.ui import static_assets
from tests.web.browser import watch_for_trouble

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.web.conftest import Cast

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, origin: str) -> Iterator[Page]:
    context = browser.new_context(
        base_url=origin,
        viewport={"width": 1280, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = context.new_page()
    trouble = watch_for_trouble(page)
    yield page
    context.close()
    assert not trouble


def at(page: Page, point: int, view: str = "all") -> None:
    """Wait for the board of a point, and look whether all around it says the same."""
    page.wait_for_selector(f'.position[data-point="{point}"][data-view="{view}"]')
    assert page.locator("[data-where]").inner_text() == str(point)
    if point:
        assert page.locator(".steps [aria-current]").get_attribute("data-point") == str(point)
    assert page.url.endswith(f"?point={point}" + ("" if view == "all" else f"&view={view}"))


def test_match_is_stepped_through_by_keyboard(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=3")
    page.evaluate("window.stayed = true")
    for key, point in (
        ("ArrowRight", 4),
        ("ArrowLeft", 3),
        ("Shift+ArrowRight", 4),
        ("Home", 4),  # that of the page, as long as the match has not the focus
    ):
        page.keyboard.press(key)
        at(page, point)
    final = int(page.locator("#board").get_attribute("data-final") or "")
    page.locator("#board").focus()
    for key, point in (("Home", 0), ("End", final)):
        page.keyboard.press(key)
        at(page, point)
    page.keyboard.press("PageUp")
    page.wait_for_selector(f'.position:not([data-point="{final}"])')
    assert "Turn" in page.locator("span[data-here]").inner_text()
    page.keyboard.press("?")
    assert page.locator("[data-help][open]").count() == 1
    assert page.evaluate("window.stayed")


def test_list_of_steps_is_one_stop_of_the_tab_key_and_followed_by_arrows(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=3")
    page.wait_for_function("document.querySelectorAll('.steps a[tabindex=\"0\"]').length === 1")
    page.locator(".steps a[aria-current]").focus()
    page.keyboard.press("ArrowDown")
    at(page, 4)
    assert page.evaluate("document.activeElement.dataset.point") == "4"
    assert page.locator(".steps a[tabindex='0']").count() == 1


def test_notation_of_the_steps_is_shown_on_a_switch_that_is_remembered(page: Page, cast: Cast) -> None:
    address = f"/tournaments/{cast.finished}/sets/1/matches/0?point=3"
    page.goto(address)
    notation = page.locator(".told .notation").first
    assert not notation.is_visible()
    page.locator("#board").focus()
    page.keyboard.press("n")
    assert notation.is_visible()
    page.goto(address)
    assert page.locator(".told .notation").first.is_visible()
    page.evaluate("localStorage.clear()")


def test_point_of_view_is_changed_and_kept_in_the_address(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=8")
    assert page.locator('.fan use[href="#lc-back"]').count() == 0
    page.locator('[data-eye="1"]').click()
    at(page, 8, "1")
    hidden = page.locator('.fan use[href="#lc-back"]').count()
    assert 6 <= hidden <= 8
    page.keyboard.press("ArrowRight")
    at(page, 9, "1")
    page.locator("#board").focus()
    page.keyboard.press("v")
    at(page, 9, "public")
    assert page.locator('.fan use[href="#lc-back"]').count() > hidden
    assert page.locator(".choices").count() == 0
    page.get_by_role("link", name="Link to this step").click()
    page.wait_for_selector("[data-link]:text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()").endswith("?point=9&view=public#board")
    page.reload()
    at(page, 9, "public")


def test_match_plays_by_itself_at_the_speed_that_is_set(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.tables}/sets/0/matches/0?point=0")
    page.locator("[data-speed] select").select_option("4")
    page.locator("#board").press("Space")
    page.wait_for_selector('.position:not([data-point="0"]):not([data-point="1"])')
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play").count() == 1


def test_steps_beside_are_fetched_before_they_are_asked_for(page: Page, cast: Cast) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response(lambda answer: answer.url.endswith("/board?point=6")):
        page.goto(f"/tournaments/{cast.tables}/sets/0/matches/0?point=5")
    page.keyboard.press("ArrowRight")
    at(page, 6)
    assert sum(address.endswith("/board?point=6") for address in asked) == 1


def test_a_score_sheet_is_a_step_with_an_address_of_its_own(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0")
    listed = page.locator('.steps [data-point$="s"]').last
    mark = listed.get_attribute("data-point") or ""
    listed.click()
    page.wait_for_selector(f'.position[data-stop="{mark}"] .score-sheet')
    assert page.url.endswith(f"?point={mark[:-1]}&sheet=1")
    page.keyboard.press("ArrowLeft")
    at(page, int(mark[:-1]))
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f'.position[data-stop="{mark}"]')
    assert page.locator(".moves [data-step=forward]").get_attribute("aria-disabled") == "true"
    page.reload()
    assert page.locator(".score-sheet tr.of-seat").count() == 2


_COUNT = """
window.glides = []; window.tones = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...all) { window.glides.push(all[0]); return animate.apply(this, all); };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...all) { window.tones += 1; return start.apply(this, all); };
"""


def test_a_card_glides_from_the_hand_to_the_table(page: Page, cast: Cast) -> None:
    page.add_init_script(_COUNT)
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=0")
    page.get_by_role("button", name="Sound").wait_for()  # then the script is there
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('.position[data-point="1"]')
    assert any("translate" in frames for frames in page.evaluate("window.glides"))
    page.keyboard.press("ArrowRight")  # the page does not wait for what glides
    at(page, 2)
    assert page.evaluate("window.tones") == 0


def test_nothing_glides_where_less_motion_is_wanted(page: Page, cast: Cast) -> None:
    page.add_init_script(_COUNT)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=0")
    page.get_by_role("button", name="Sound").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('.position[data-point="1"]')
    assert page.evaluate("window.glides") == []


def test_sound_is_off_until_it_is_switched_on_and_is_remembered(page: Page, cast: Cast) -> None:
    page.add_init_script(_COUNT)
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=0")
    sound = page.get_by_role("button", name="Sound")
    sound.wait_for()
    assert sound.get_attribute("aria-pressed") == "false"
    sound.click()
    assert sound.get_attribute("aria-pressed") == "true"
    page.reload()
    sound.wait_for()
    assert sound.get_attribute("aria-pressed") == "true"
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('.position[data-point="1"]')
    assert page.evaluate("window.tones") == 1


def test_a_replay_that_plays_does_not_shift_the_page(page: Page, cast: Cast) -> None:
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver((list) => { for (const each of list.getEntries())"
        " if (!each.hadRecentInput) window.shift += each.value; }).observe({ type: 'layout-shift', buffered: true });"
    )
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=2")
    page.locator("[data-speed] select").select_option("4")
    page.evaluate("window.shift = 0")
    page.locator("#board").press("Space")
    later = ", ".join(f'.position[data-point="{point}"]' for point in range(8, 200))
    page.wait_for_selector(later)  # on a busy machine one point may have gone by unseen
    assert page.evaluate("window.shift") <= 0.05


def test_part_is_jumped_to(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.talk}/sets/0/matches/0?point=0")
    page.locator("[data-jump]").select_option(label="Changing boats")
    page.wait_for_selector('.position:not([data-point="0"])')
    assert "Changing boats" in page.locator("span[data-here]").inner_text()
    page.locator("[data-jump]").wait_for()
    assert page.locator("[data-eye]").count() == 0  # all see the same


@pytest.mark.parametrize("by_key", [False, True], ids=["mouse", "keyboard"])
def test_a_card_that_is_chosen_is_played_or_its_ways_are_lit(page: Page, *, by_key: bool) -> None:
    """The board as a person at a table gets it; what is sent is what the form's button says."""
    state, _ = LOST_CITIES.new(LOST_CITIES.setup(2), bytes(32))
    view = LOST_CITIES.view(state, 0)
    card = view.hand[0]
    for legal, lit, sent in (
        ((f"play {card}", f"discard {card}", f"discard {view.hand[-1]}"), 2, ""),
        ((f"discard {card}", f"discard {view.hand[-1]}"), 0, f"discard {card}"),
    ):
        scene = seat_scene("lost_cities", view, 0, ["you", "greedy"], legal=legal, answerable=True)
        script = f'<script type="module" src="{static_assets.address("pieces.js")}"></script>'
        page.goto("/sdk")
        page.set_content(f'{pieces("lost_cities")}<form action="/sdk">{draw(scene)}</form>{script}')
        piece = page.locator(".own .piece").first
        piece.press("Enter") if by_key else piece.click()
        assert page.locator(".option.lit").count() == lit
        if sent:
            page.wait_for_url(f"**/sdk?action={sent.replace(' ', '+')}")


def test_match_is_stepped_through_without_scripts(browser: Browser, origin: str, cast: Cast) -> None:
    context = browser.new_context(base_url=origin, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/tournaments/{cast.tables}/sets/0/matches/0?point=3&view=2")
    page.get_by_role("link", name="Next step").click()
    assert page.locator(".position").get_attribute("data-point") == "4"
    assert page.locator('[data-eye="2"][aria-current]').count() == 1
    page.locator("[data-jump]").select_option(label="Round 2")
    page.get_by_role("button", name="Go").click()
    assert page.locator(".position").get_attribute("data-view") == "2"
    assert "Round 2" in page.locator("span[data-here]").inner_text()
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_board_begins_in_the_first_150_pixels(page: Page, cast: Cast, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"/tournaments/{cast.talk}/sets/0/matches/0")
    board = page.locator("#board").bounding_box()
    controls = page.locator(".moves").bounding_box()
    assert board
    assert board["y"] <= 150
    assert controls
    assert controls["y"] + controls["height"] <= 844  # they stick to the bottom of the window


def test_result_is_shown_when_it_is_asked_for(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.tables}/sets/0/matches/0")
    table = page.locator("#result table")
    assert not table.is_visible()
    page.get_by_text("Show result").click()
    assert table.is_visible()


def test_a_replay_is_light(origin: str, cast: Cast) -> None:
    address = f"{origin}/tournaments/{cast.finished}/sets/1/matches/0"
    for path, most in ((address, 60_000), (f"{address}/board?point=60", 2_000)):
        with httpx.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
            assert sum(map(len, answer.iter_raw())) <= most
