"""Watching and playing in a browser: what a replay, its steps and a table to play at weigh, and how soon a replay shows its board.

A match of each game is played in this process at random, so it is a long one; the real web process serves it.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from arena.games import registry
from arena.messaging.redis_connection import connect
from arena.reports import match_views
from arena.storage import Store, upgrade
from arena.web.matches.opened_records import open_match
from bench import browsing
from bench.asking import Connection
from bench.figures import Figure
from bench.pages import Web, serving
from tests import random_tournaments

MAX_PAGE_KB = 60.0
MAX_STEP_KB = 2.0
MAX_PLAY_KB = 150.0
MAX_RATIO = 1.2
"""Of the largest content of a replay over that of the start page, in the same run."""
_RUNS = 5
_LARGEST = """
window.largest = 0;
new PerformanceObserver((list) => { for (const each of list.getEntries()) window.largest = each.startTime; })
  .observe({type: "largest-contentful-paint", buffered: true});
"""


def measure() -> list[Figure]:
    """Measure all."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        url = f"sqlite:///{Path(folder, 'arena.sqlite3')}"
        upgrade(url)
        with closing(Store.open(url)) as store:
            courses = [_play(store, game) for game in registry.GAMES]
        with serving(url, Path(folder), accounts=()) as (_, web):
            steps = [
                asyncio.run(_largest_step(web, address, final, eyes)) for _, address, final, eyes in courses
            ]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=str(browsing.CHROMIUM), args=["--no-sandbox", "--disable-gpu"]
                )
                origin = f"http://127.0.0.1:{web.port}"
                start, _ = _visit(browser, f"{origin}/")
                pages = [_visit(browser, f"{origin}{address}") for _, address, _, _ in courses]
                _, play_kb = _visit(browser, f"{origin}/play")
                browser.close()
    figures = [_at_most("page /play with everything", play_kb, "KB", MAX_PLAY_KB)]
    for (game, _, final, _), (largest_ms, kb), step_kb in zip(courses, pages, steps, strict=True):
        note = f"{largest_ms:.0f} ms, start page {start:.0f} ms; 390 px, {browsing.SLOWDOWN} × CPU slowdown"
        figures += [
            _at_most(f"{game}: replay with everything", kb, "KB", MAX_PAGE_KB, f"{final + 1} positions"),
            _at_most(f"{game}: largest step", step_kb, "KB", MAX_STEP_KB),
            _at_most(
                f"{game}: largest content over the start page's", largest_ms / start, "", MAX_RATIO, note
            ),
        ]
    return figures


def _at_most(name: str, value: float, unit: str, limit: float, note: str = "") -> Figure:
    return Figure(name, round(value, 2), unit, limit, at_least=False, note=note)


def _play(store: Store, game: str) -> tuple[str, str, int, Sequence[str]]:
    """Play a set; return the game, and its first match's address, last position and two views: of all cards, and of a seat."""
    number = random_tournaments.create(
        store, game, *random_tournaments.HOUSE[game][: max(registry.GAMES[game].variants["standard"])]
    ).id
    random_tournaments.play(store, number)
    course = open_match(match_views.page(store, number, 0, 0)).course
    assert course is not None
    return game, course.address, course.replay.final, course.eyes[:2]


async def _largest_step(web: Web, address: str, final: int, eyes: Sequence[str]) -> float:
    connection = Connection(web.port)
    sizes = []
    for eye in eyes:
        for point in range(final + 1):
            step = f"{address}/board?point={point}&view={eye}"
            if (answer := await connection.get(step)).status == HTTPStatus.TOO_MANY_REQUESTS:
                with connect(web.redis) as client:
                    client.flushdb()  # one reader asks for more in a minute than one reader may
                answer = await connection.get(step)
            assert answer.status == HTTPStatus.OK, answer.text
            sizes.append(len(answer.body) / 1000)
    connection.close()
    return max(sizes)


def _visit(browser: Browser, address: str) -> tuple[float, float]:
    """Visit a page some times, each for the first time; return when its largest content was there, in ms, and its KB over the wire."""
    largest, sizes = [], []
    for _ in range(_RUNS):
        context = browser.new_context(
            viewport={"width": browsing.PHONE[0], "height": browsing.PHONE[1]}, is_mobile=True, has_touch=True
        )
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        received: list[int] = []
        devtools.on(
            "Network.loadingFinished", lambda at, to=received: to.append(int(at["encodedDataLength"]))
        )
        devtools.send("Network.enable")
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": browsing.SLOWDOWN})
        page.add_init_script(_LARGEST)
        page.goto(address, wait_until="load")
        page.wait_for_timeout(800)
        largest.append(float(page.evaluate("window.largest")))
        sizes.append(sum(received) / 1000)
        context.close()
    return statistics.median(largest), max(sizes)
