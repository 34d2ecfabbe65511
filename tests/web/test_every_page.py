"""Every page in a real browser, at the widths of a phone and of a desk, light and dark, in English and in Spanish."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from fastapi.routing import iter_route_contexts
from playwright.sync_api import FloatRect, ViewportSize
from sqlalchemy import delete

from arena.accounts import sessions, users
from arena.accounts.actors import OPERATOR
from arena.match.chances import Estimate
from arena.messaging.redis_connection import connect_async
from arena.reports import bot_logs, match_views
from arena.reports.insights import stored_chances
from arena.storage.schema import MatchChances
from arena.web.app import create_app
from arena.web.auth.api_auth import COOKIE
from arena.web.matches.opened_records import open_match
from arena.web.puzzles import daily_puzzle
from tests.parts.redis_server import RunningRedis
from tests.web.access import ACCESS
from tests.web.browser import watch_for_trouble

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.web.conftest import Cast

pytestmark = pytest.mark.browser

ADMIN = "every-page"
PASSWORD = "three or four words"
DAY = date(2026, 1, 5)
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
ALIKE = 4
"""How many rows of a table, entries of a list, paragraphs or parts of a match are looked at: more are alike, and looking takes long.

Those that differ in name or class are counted apart; what is marked as the current one is looked at wherever it is.
"""
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
"""The last of them has the size of targets: 24 px, or so far apart that none is hit in place of another."""
CONTRAST = "color-contrast"
"""What of the standards depends on whether it is light or dark, and hardly on the width or the language."""
ALL_LAID_OUT = (
    """() => document.querySelectorAll(".later").forEach(each => each.style.contentVisibility = "visible")"""
)
"""What is not in sight has no sizes yet: axe would take its estimated ones."""
SHORTEN = """most => {
  const current = "[aria-current]";
  for (const parent of document.querySelectorAll("tbody, ol, ul, dl, optgroup, .stack, .steps, .later, .prose")) {
    const alike = {};
    for (const child of [...parent.children]) {
      const kind = `${child.tagName} ${child.className}`;
      alike[kind] = (alike[kind] ?? 0) + 1;
      if (alike[kind] > most && !child.matches(current) && !child.querySelector(current)) child.remove();
    }
  }
}"""
OUT_OF_ORDER = """() => {
  let last = 0;
  return [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(each => each.checkVisibility()).flatMap(each => {
    const level = Number(each.tagName[1]);
    const jump = level > last + 1 ? [`h${last} > h${level}: ${each.textContent.trim().slice(0, 40)}`] : [];
    last = level;
    return jump;
  });
}"""
"""Headings that are more than one level below the one before them."""
TOO_LONG = """() => document.documentElement.scrollHeight > 3 * innerHeight && !document.querySelector("nav.page-contents, nav.contents")"""
"""Whether a page is longer than three screens and has no contents to go by."""
ROWS_OF_THE_MASTHEAD = """() => new Set([...document.querySelectorAll(".masthead .wide > *")]
  .filter(each => each.offsetHeight)
  .map(each => Math.round((each.getBoundingClientRect().top + each.getBoundingClientRect().bottom) / 20))).size"""
"""Embeds have none."""
LOOK = (
    """only => axe.run(document, { ...only, resultTypes: ["violations"], preload: false, iframes: false })"""
)
IN_COLOUR = {"runOnly": STANDARDS}
WITHOUT_COLOUR = {"runOnly": STANDARDS, "rules": {CONTRAST: {"enabled": False}}}


@dataclass(frozen=True)
class Shown:
    """A page: its route, an address of it, and whether somebody who may do everything has to be signed in."""

    route: str
    address: Callable[[Cast], str]
    signed_in: bool = False


def at(route: str, address: str | None = None, *, signed_in: bool = False) -> Shown:
    """Name a page whose address does not depend on the store."""
    return Shown(route, lambda _: address or route, signed_in)


MATCH = "/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}"
OWN = "/account/bots/{game_id}/{name}"


def _log(cast: Cast) -> str:
    """A match of a house bot, as an admin sees it."""
    match = bot_logs.recent(cast.store, OPERATOR, "lost_cities", "greedy", 1)[0].id
    return f"/account/bots/lost_cities/greedy/matches/{match}"


def _sheet(cast: Cast) -> str:
    """The last score sheet of a replay."""
    course = open_match(match_views.page(cast.store, cast.tables, 0, 0)).course
    assert course is not None
    point = max(stop.point for stop in course.route if stop.sheet)
    return f"/tournaments/{cast.tables}/sets/0/matches/0?point={point}&sheet=1"


def _answered(cast: Cast) -> str:
    """A puzzle with its answer."""
    found, _ = daily_puzzle.find(cast.store, DAY, "lifeboats")
    assert found is not None
    return f"/puzzle?{urlencode({'game': 'lifeboats', 'day': DAY, 'action': found.played})}"


PAGES = [
    at("/"),
    at("/tournaments"),
    Shown("/tournaments/{tournament_id}", lambda cast: f"/tournaments/{cast.running}"),
    Shown("/tournaments/{tournament_id}", lambda cast: f"/tournaments/{cast.tables}"),
    Shown(MATCH, lambda cast: f"/tournaments/{cast.finished}/sets/1/matches/0?point=60"),
    Shown(MATCH, lambda cast: f"/tournaments/{cast.tables}/sets/0/matches/0?point=14"),
    Shown(MATCH, lambda cast: f"/tournaments/{cast.talk}/sets/0/matches/0?point=30"),
    Shown(MATCH, _sheet),
    Shown(MATCH, lambda cast: f"/tournaments/{cast.running}/sets/2/matches/0"),
    at("/games"),
    at("/games/{game_id}", "/games/lost_cities"),
    at("/games/{game_id}", "/games/lost_cities?cells=los"),
    at("/bots/{game_id}/{name}", "/bots/lost_cities/greedy?times=true"),
    at("/games/{game_id}/rules", "/games/lifeboats/rules"),
    at("/docs"),
    at("/docs/search", "/docs/search?q=cards"),
    at("/docs/{name}", "/docs/operating"),
    at("/docs/{name}", "/docs/bots"),
    at("/docs/{name}", "/docs/architecture"),
    at("/puzzle", "/puzzle?game=lost_cities"),
    Shown("/puzzle", _answered),
    at("/play"),
    at("/play", "/play?game=lifeboats&seats=4"),
    at("/play/{table_id}", "/play/nobodys"),
    at("/live"),
    at("/live/{game_id}", "/live/land_unter"),
    at("/live/tables"),
    Shown(
        "/embed/matches/{tournament_id}/{set_number}/{match_number}",
        lambda cast: f"/embed/matches/{cast.tables}/0/0?point=14",
    ),
    at("/status"),
    at("/organise", signed_in=True),
    at("/organise/tournament", signed_in=True),
    at("/organise/tournament", "/organise/tournament?game=lost_cities", signed_in=True),
    at("/organise/ladders", signed_in=True),
    Shown(
        "/tournaments/{tournament_id}/steer",
        lambda cast: f"/tournaments/{cast.running}/steer",
        signed_in=True,
    ),
    at("/admin", signed_in=True),
    at("/admin/queues", signed_in=True),
    at("/admin/workers", signed_in=True),
    at("/admin/referees", signed_in=True),
    at("/admin/users", signed_in=True),
    at("/admin/invitations", signed_in=True),
    at("/admin/faults", signed_in=True),
    at("/admin/audit", signed_in=True),
    at("/design", signed_in=True),
    at("/reference"),
    at("/sdk"),
    at("/sign-in"),
    at("/sign-in/link", "/sign-in/link?code=link_0"),
    at("/register"),
    at("/account", signed_in=True),
    at("/submit", signed_in=True),
    at(OWN, "/account/bots/lost_cities/greedy", signed_in=True),
    Shown(f"{OWN}/matches/{{match_id}}", _log, signed_in=True),
    at("/nowhere", signed_in=True),
]
"""Each page, and some that look quite different from another of the same route.  Who adds a page adds a row."""

MISSING = {"/nowhere", "/play/{table_id}"}
"""Those of which only the page for what is not there is looked at; tests/web/play/test_play_in_browser.py looks at tables."""

NOT_PAGES = {
    f"{OWN}/versions/{{version}}/upload",
    "/submit/starters/{game_id}.zip",
    f"{MATCH}/board",
    f"{MATCH}/live",
    "/design/chart",
    "/docs/{folder}/{name}",
    "/live/events",
    "/live/now",
    "/play/{table_id}/board",
    "/preview/bots/{game_id}/{name}.png",
    "/preview/matches/{tournament_id}/{set_number}/{match_number}.png",
    "/preview/tournaments/{tournament_id}.png",
    "/play/{table_id}/events",
    "/play/{table_id}/record",
    "/favicon.ico",
    "/sdk/",
    "/sdk/{name}",
    "/static/{name}",
}
"""What is read without /api/ before it and is no page: parts of pages, files."""


@pytest.fixture(scope="module", autouse=True)
def chances(cast: Cast) -> Iterator[None]:
    """Store the chances of the match with talk, so that its page shows them with their key moments."""
    course = open_match(match_views.page(cast.store, cast.talk, 0, 0)).course
    assert course is not None
    shares = {0: 0.5, 12: 0.3, 29: 0.8, course.replay.final: 1.0}
    rest = len(course.names) - 1
    found = [
        Estimate(at, (share, *[(2 - share) / rest] * rest), (0.04,) * len(course.names))
        for at, share in shares.items()
    ]
    stored_chances.OF_MATCHES.save(cast.store, (cast.talk, 0, 0), found)
    yield
    with cast.store.write() as session:
        session.execute(delete(MatchChances))


@pytest.fixture(scope="session")
def admin(cast: Cast) -> str:
    """The cookie of an admin.

    It is made once for the store, which all modules share: a process may run this module in two pieces.
    """
    users.create(cast.store, OPERATOR, ADMIN, "admin", PASSWORD)
    return sessions.begin(cast.store, ACCESS.secret, ADMIN, PASSWORD).cookie


@dataclass(frozen=True)
class Desk:
    """A tab that all pages are opened in, one after the other: a new one for each would read axe anew."""

    language: str
    page: Page
    asked: list[str]
    """The URLs that were asked for."""
    trouble: list[str]


@pytest.fixture(scope="module", params=["en", "es"])
def desk(request: pytest.FixtureRequest, browser: Browser, origin: str) -> Iterator[Desk]:
    page = browser.new_context(base_url=origin, locale=request.param).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield Desk(request.param, page, asked, watch_for_trouble(page))
    page.context.close()


def violations(page: Page, only: dict[str, Any]) -> list[str]:
    """Hold a page against rules of axe: each violation with the places that it is at."""
    found: dict[str, Any] = page.evaluate(LOOK, only)
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def _keep(page: Page, shown: Shown, language: str) -> None:
    """Make pictures, if somebody wants to look at them: at both widths, light and dark."""
    folder = os.environ.get("ARENA_TEST_PICTURES")
    for width, viewport in {"desk": DESK, "phone": PHONE}.items() if folder else ():
        for scheme in ("light", "dark"):
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=scheme)
            path = Path(str(folder), f"{PAGES.index(shown):02}-{language}-{width}-{scheme}.png")
            height = page.evaluate("Math.min(document.documentElement.scrollHeight, 3000)")
            clip: FloatRect = {"x": 0, "y": 0, "width": viewport["width"], "height": height}
            page.screenshot(path=path, full_page=True, clip=clip)
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="light")


def _fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.address.__name__ and shown.route)
def test_page_is_for_every_eye_and_hand(
    desk: Desk, origin: str, cast: Cast, admin: str, shown: Shown
) -> None:
    page = desk.page
    page.context.clear_cookies()
    if shown.signed_in:
        page.context.add_cookies([{"name": COOKIE, "value": admin, "url": origin}])
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(DESK)
    desk.asked.clear()
    desk.trouble.clear()
    page.goto(shown.address(cast))
    assert page.evaluate("document.documentElement.lang") == desk.language
    _keep(page, shown, desk.language)
    assert _fits(page)
    assert page.evaluate(ROWS_OF_THE_MASTHEAD) <= 1
    assert page.evaluate(OUT_OF_ORDER) == []
    assert not page.evaluate(TOO_LONG)
    page.set_viewport_size(PHONE)
    assert _fits(page)
    page.evaluate(ALL_LAID_OUT)
    page.evaluate(AXE_SCRIPT)
    page.evaluate(SHORTEN, ALIKE)
    if desk.language == "es":
        # On a phone, where its longer words leave the least room; colours are the same in both languages.
        page.emulate_media(color_scheme="dark")
        assert violations(page, IN_COLOUR) == []
    else:
        assert violations(page, IN_COLOUR) == []
        page.set_viewport_size(DESK)
        assert violations(page, WITHOUT_COLOUR) == []
    assert [url for url in desk.asked if not url.startswith((f"{origin}/", "data:", "blob:"))] == []
    assert [each for each in desk.trouble if "404" not in each or shown.route not in MISSING] == []


def test_table_of_pages_has_every_page(cast: Cast, redis_server: RunningRedis) -> None:
    app = create_app(cast.store, connect_async(redis_server.url), ACCESS)
    read = {
        str(route.path)
        for route in iter_route_contexts(app.routes)
        if "GET" in (route.methods or ()) and not str(route.path).startswith(("/api/", "/openapi", "/health"))
    }
    assert len(read) > len(NOT_PAGES)
    assert read - NOT_PAGES - {shown.route for shown in PAGES} == set()
