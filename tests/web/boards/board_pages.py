"""Positions of matches as pages of their own, without a server: the board of a replay in its frame, with the styles of the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.web.boards import pieces
from arena.web.matches import stepper
from arena.web.matches.stepper import ALL, Course
from arena.web.ui import static_assets
from arena.web.ui.templating import fragment

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

_SITE = "http://boards.test"
_SHEETS = ("tokens.css", "layout.css", "components.css", "stats.css")


def position(course: Course, number: int, language: str = "en") -> str:
    """Return a point of a match as its page shows it, all cards open."""
    return fragment("board.html", language, **stepper.position(course, language, number=number, view=ALL))


def show(page: Page, course: Course, number: int, language: str = "en") -> None:
    """Show a point of a match, and nothing else, at the width that the match's page gives it."""
    sheets = [*map(static_assets.address, _SHEETS), *static_assets.board_sheets(course.game)]
    links = "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets)
    document = (
        f'<!doctype html><html lang="{language}"><meta name="viewport" content="width=device-width">'
        f'<meta name="color-scheme" content="light dark"><title>Board</title>{links}<body><main class="wide">'
        f'{pieces(course.game)}<div class="match"><section class="panel" id="board"><div data-board>'
        f"{position(course, number, language)}</div></section><div></div></div></main></body></html>"
    )

    def answer(route: Route) -> None:
        asset = static_assets.find(route.request.url.removeprefix(_SITE))
        if asset:
            route.fulfill(body=asset.body, content_type=asset.media_type)
        else:
            route.fulfill(body=document, content_type="text/html; charset=utf-8")

    page.unroute_all()
    page.route("**/*", answer)
    page.goto(f"{_SITE}/{course.game}")
