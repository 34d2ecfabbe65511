"""Boards with as much on them as a match can bring, and the longest names, in a real browser: nothing covers what is to be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from arena.games.registry import GAMES
from arena.match.clock import STANDARD
from arena.match.record import from_json
from arena.web.matches import stepper
from tests.web.boards import board_pages, board_pictures, full_boards
from tests.web.boards.test_action_words import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    Show = Callable[[str], Page]

pytestmark = pytest.mark.browser

LOWEST_PX = 390
"""The five gods of Teotlatolli leave half of a phone for the hands, the bar with the steps and the choices."""


@pytest.fixture(params=[390, 1280])
def show(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Show]:
    """Open the fullest position of a game on a phone or a desktop."""
    context = browser.new_context(viewport={"width": request.param, "height": 844})
    page = context.new_page()

    def open_board(game: str) -> Page:
        board_pages.show(page, full_boards.course(game), full_boards.fullest(game))
        if pictures := os.environ.get("ARENA_TEST_PICTURES"):
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                page.screenshot(path=f"{pictures}/full-{game}-{request.param}-{scheme}.png", full_page=True)
        return page

    yield open_board
    context.close()


def test_every_card_of_a_long_expedition_shows_its_number(show: Show) -> None:
    page = show("lost_cities")
    cards = page.locator(".pile .k")
    assert cards.count() >= 20
    for card in cards.all():
        card.scroll_into_view_if_needed()
        assert card.evaluate(
            """card => {
              const box = card.getBoundingClientRect();
              const at = [[8, 8], [8, 21.5], [21, 21.5]]; // corners of the number, in units of the card's drawing
              return at.every(([x, y]) => {
                const hit = document.elementFromPoint(box.x + box.width * x / 60, box.y + box.height * y / 84);
                return hit.closest("svg") === card || hit.contains(card);
              });
            }"""
        )


@pytest.mark.parametrize("game", GAMES)
def test_longest_names_are_whole_beside_their_hands_and_choices(show: Show, game: str) -> None:
    page = show(game)
    seats = page.locator(":is(.plate .who, .choices, .felt) .seat").filter(has_text=full_boards.PREFIX)
    assert seats.count() >= 2
    for seat in seats.all():
        assert seat.evaluate(
            """seat => {
              const text = document.createRange();
              text.selectNodeContents(seat);
              const [words, room] = [text, seat.closest(".who, .choices, .felt")].map(each => each.getBoundingClientRect());
              return words.right <= room.right + 0.5 && words.left >= room.left;
            }"""
        )


@pytest.mark.parametrize("game", GAMES)
def test_names_that_are_cut_end_in_an_ellipsis(show: Show, game: str) -> None:
    cut = (
        show(game)
        .locator(".position .seat")
        .evaluate_all(
            """seats => seats.filter(each => each.scrollWidth > each.clientWidth + 1 && each.textContent.trim())
          .filter(each => getComputedStyle(each).textOverflow !== "ellipsis" || getComputedStyle(each).display !== "block")
          .map(each => each.outerHTML)"""
        )
    )
    assert cut == []


@pytest.mark.parametrize("game", GAMES)
def test_fullest_board_is_not_wider_than_its_frame(show: Show, game: str) -> None:
    page = show(game)
    assert page.locator("[data-board]").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_marks_of_both_seats_lie_beside_the_signs_of_a_god_and_cover_nothing(show: Show) -> None:
    page = show("teotlatolli")
    assert page.locator(".god .lies.here").count() >= 10
    covered = page.locator(".god").evaluate_all(
        """gods => gods.flatMap(god => {
          const boxes = [...god.querySelectorAll(".lies.here, .stone, h3, .sign > span")].map(each => [each, each.getBoundingClientRect()]);
          return boxes.flatMap(([a, x]) => boxes.filter(([b, y]) => a !== b && x.left < y.right - 1 && y.left < x.right - 1
            && x.top < y.bottom - 1 && y.top < x.bottom - 1).map(([b]) => `${a.textContent}/${b.textContent}`));
        })"""
    )
    assert covered == []


def test_five_gods_are_seen_at_once(show: Show) -> None:
    page = show("teotlatolli")
    assert page.locator(".god").count() == 5
    width = page.viewport_size["width"] if page.viewport_size else 0
    gods = page.locator(".gods").bounding_box()
    assert gods
    assert gods["height"] <= (LOWEST_PX if width == 390 else 844)


@pytest.mark.long
def test_pictures_of_boards_are_drawn_anew(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": 766, "height": 900})
    board_pictures.draw(page, "lost_cities", 46, tmp_path)
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "board-es.png").read_bytes() != (tmp_path / "board.png").read_bytes()
    for name in ("board.webp", "board-es.webp"):
        small = (tmp_path / name).read_bytes()
        assert small[8:12] == b"WEBP"
        assert 5_000 < len(small) <= 20_000
    page.close()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 900)])
@pytest.mark.parametrize("game", GAMES)
def test_whole_table_is_in_sight_above_the_controls_and_legible(
    browser: Browser, game: str, width: int, height: int
) -> None:
    header = 80  # above the board on the page of a match, and not on this one
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    course = stepper.course(from_json(RECORDS[f"{game}.json"].read_text()), STANDARD, "/match")
    for point in (course.replay.final // 3, course.replay.final * 2 // 3):
        board_pages.show(page, course, point)
        bottom = page.locator(".board > .table").evaluate("table => table.getBoundingClientRect().bottom")
        assert bottom + header <= height - 53, (game, point)
        smallest = page.locator(".board > .table").evaluate(
            """table => Math.min(...[...table.querySelectorAll("*")]
              .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()) && !each.closest(".hidden")
                && each.checkVisibility() && getComputedStyle(each).fontSize !== "0px")
              .map(each => parseFloat(getComputedStyle(each).fontSize) * (each.ownerSVGElement ? Math.hypot(each.getScreenCTM().a, each.getScreenCTM().b) : 1)))"""
        )
        assert smallest >= 11, (game, point)
    context.close()
