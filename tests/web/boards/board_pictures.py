"""Draws the pictures of boards in the docs, `board.png` and `board.webp` of each game, as the page of a match shows them now.

Those in Spanish are `board-es.png` and `board-es.webp`.

make board-pictures                             all games of this tree
make board-pictures ARGS="lost_cities:46"       one game, at a point of the match in its docs/match.json
"""

from __future__ import annotations

import base64
import sys
from typing import TYPE_CHECKING

from playwright.sync_api import ViewportSize

from arena.games import registry
from arena.match.clock import parse_time_control
from arena.match.record import from_json
from arena.web.matches import stepper
from arena.web.ui.languages import LANGUAGES
from tests.web.boards import board_pages
from tests.web.browser import running_browser

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

_POINTS = {"lost_cities": 46, "land_unter": 5, "bottle_imp": 20, "lifeboats": 37, "teotlatolli": 34}
"""The point of each game's annotated match at which its table is neither empty nor full."""
_WINDOW: ViewportSize = {"width": 778, "height": 900}
_SMALL_BYTES = 20_000
"""Of the picture for lists of games, which is the upper part of the board, 16:9."""


def main(wanted: list[str]) -> None:
    """Draw the pictures of some games, `game` or `game:point`; of all without any."""
    with running_browser() as browser:
        page = browser.new_page(viewport=_WINDOW, color_scheme="light")
        for each in wanted or _POINTS:
            game, _, point = each.partition(":")
            draw(page, game, int(point or _POINTS[game]))


def draw(page: Page, game: str, point: int, folder: Path | None = None) -> None:
    """Draw both pictures of a game, in each language, into a folder, that of its docs if none is named."""
    docs = registry.package(game).docs
    found = from_json((docs / "match.json").read_text())
    course = stepper.course(found, parse_time_control("30+0.1"), "/match")
    folder = folder or docs
    for language in LANGUAGES:
        board_pages.show(page, course, point, language)
        name = "board" if language == "en" else f"board-{language}"
        page.locator("#board").screenshot(path=folder / f"{name}.png")
        (folder / f"{name}.webp").write_bytes(_small(page))


def _small(page: Page) -> bytes:
    """Take the upper part of the board as WebP, at the best quality that is small enough."""
    page.evaluate("scrollTo(0, 0)")
    box = page.locator(".board").bounding_box()
    assert box
    clip = {**box, "height": box["width"] * 9 / 16, "scale": 1}
    devtools = page.context.new_cdp_session(page)
    for quality in range(90, 0, -10):
        shot = {"format": "webp", "quality": quality, "clip": clip, "captureBeyondViewport": True}
        picture = base64.b64decode(devtools.send("Page.captureScreenshot", shot)["data"])
        if len(picture) <= _SMALL_BYTES:
            break
    return picture


if __name__ == "__main__":
    main(sys.argv[1:])
