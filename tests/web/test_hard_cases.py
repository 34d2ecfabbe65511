"""Pages of what is hard to lay out: the widest names, six seats, 128 bots, matches of one step and of none, ratings that nobody knows.

Nothing is cut off, nothing lies on anything else, no page is wider than its window: on a phone and on a desk, with
fonts twice as large, without scripts, with reduced motion.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from arena.accounts import sessions, users
from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.rankings import public_ratings
from arena.storage import Store
from arena.web.auth.api_auth import COOKIE
from tests import random_tournaments
from tests.web.access import ACCESS
from tests.web.browser import watch_for_trouble
from tests.web.conftest import opened
from tests.web.layout_faults import layout_faults
from tests.web.served_app import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.parts.redis_server import RunningRedis

pytestmark = pytest.mark.browser

WIDE = "w" * 40
"""The widest name that a bot or a person can have."""

NAMES = (WIDE, f"{'m' * 39}w", f"{'w' * 20}-{'w' * 19}", "i", "greedy", f"{'w' * 39}m")
MANY = tuple(f"bot_{number:03}" for number in range(128))
PASSWORD = "three or four words"


@dataclass(frozen=True)
class Hall:
    """An arena of hard cases."""

    origin: str
    cookie: str
    tournaments: dict[str, int]

    @property
    def addresses(self) -> list[str]:
        """List the pages to walk over."""
        match = "/tournaments/{}/sets/0/matches/0".format
        fault = match(self.tournaments["fault"])
        return [
            *(
                "/",
                "/tournaments",
                "/games",
                "/live/tables",
                "/live",
                "/play",
                "/status",
                "/account",
                "/admin/users",
            ),
            *(
                "/games/lost_cities",
                "/games/lifeboats",
                "/games/teotlatolli",
                "/sdk",
                "/nowhere",
                "/docs",
                "/submit",
            ),
            *(f"/tournaments/{number}" for number in self.tournaments.values()),
            *(f"/bots/lost_cities/{name}" for name in (WIDE, "i")),
            *(f"/bots/lifeboats/{WIDE}", "/bots/lost_cities/bot_127"),
            *(fault, f"{match(self.tournaments['seats'])}?point=40", match(self.tournaments["none"])),
            *(f"{match(self.tournaments['seats'])}?point=9999", "/puzzle?game=lifeboats"),
        ]


def _fill(store: Store) -> dict[str, int]:
    bots.register_house(store, {game: [*NAMES, *MANY] for game in ("lost_cities", "lifeboats")})
    made: dict[str, int] = {}

    def begin(key: str, game: str, names: tuple[str, ...], **more: Any) -> int:
        spec = TournamentSpec(
            game=game, bots=names, time=random_tournaments.RATED, secret=random_tournaments.SECRET, **more
        )
        made[key] = creation.create(store, spec)
        return made[key]

    random_tournaments.play(store, begin("names", "lost_cities", NAMES, name="W" * 60))
    random_tournaments.play(store, begin("fault", "lost_cities", NAMES[:3]), limit=1, fault=True)
    random_tournaments.play(store, begin("seats", "lifeboats", NAMES, seats=6, name="Six seats"), limit=1)
    random_tournaments.play(store, begin("many", "lost_cities", MANY, format="swiss"), limit=40)
    random_tournaments.play(store, begin("bracket", "lost_cities", (*NAMES, *MANY[:10]), format="knockout"))
    begin("none", "lost_cities", NAMES[:2])
    begin("open", "lost_cities", (), begin="open")
    for pool in public_ratings.pools(store):
        public_ratings.refresh(store, pool.key)
    return made


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, redis_server: RunningRedis) -> Iterator[Hall]:
    with opened(tmp_path_factory.mktemp("hall")) as store:
        made = _fill(store)
        users.create(store, OPERATOR, WIDE, "admin", PASSWORD)
        with served(store, redis_server) as origin:
            yield Hall(origin, sessions.begin(store, ACCESS.secret, WIDE, PASSWORD).cookie, made)


@contextmanager
def tab(browser: Browser, hall: Hall, width: int, **how: Any) -> Iterator[Page]:
    """Open a tab in which the one with the widest name is signed in."""
    context = browser.new_context(base_url=hall.origin, viewport={"width": width, "height": 900}, **how)
    context.add_cookies([{"name": COOKIE, "value": hall.cookie, "url": hall.origin}])
    yield context.new_page()
    context.close()


def walk(page: Page, hall: Hall, without: tuple[str, ...] = ()) -> list[str]:
    """Open every page; what is wrong with the layout, by its address."""
    found = []
    for address in hall.addresses:
        if address in without:
            continue
        page.goto(address)
        found += [f"{address[:50]}: {fault}" for fault in layout_faults(page)]
    return found


@pytest.mark.parametrize("width", [390, 1280])
def test_hard_cases_are_neither_cut_nor_on_top_of_each_other(
    browser: Browser, hall: Hall, width: int
) -> None:
    with tab(browser, hall, width) as page:
        trouble = watch_for_trouble(page)
        found = walk(page, hall)
    assert not found, "\n".join(found)
    assert [each for each in trouble if "404" not in each] == []


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "how", [{"java_script_enabled": False}, {"reduced_motion": "reduce"}, {"locale": "es-ES"}], ids=str
)
def test_hard_cases_hold_without_scripts_with_reduced_motion_and_in_spanish(
    browser: Browser, hall: Hall, width: int, how: dict[str, Any]
) -> None:
    with tab(browser, hall, width, **how) as page:
        found = walk(page, hall)
    assert not found, "\n".join(found)


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 1280])
def test_hard_cases_hold_with_fonts_twice_as_large(browser: Browser, hall: Hall, width: int) -> None:
    with tab(browser, hall, width) as page:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
        found = walk(page, hall, without=("/live",) if width < 400 else ())  # a table of six columns
    assert not found, "\n".join(found)
