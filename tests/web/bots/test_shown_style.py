"""The playing style on a bot's page: its style, scores, seats, best and worst matches; and what the page says until it is measured."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from pydantic import TypeAdapter
from sqlalchemy import delete, select

from arena.messaging.redis_connection import connect
from arena.reports.insights import playing_style as styles
from arena.reports.insights import stored_styles
from arena.storage.schema import Bot, StoredStyle, Version
from arena.web.bots.shown_style import arrange_scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser

    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
GREEDY = "/bots/lost_cities/greedy"


def version_of(cast: Cast, name: str) -> int:
    with cast.store.read() as session:
        query = select(Version.id).join(Bot, Bot.id == Version.bot_id)
        return session.scalars(query.where(Bot.name == name, Bot.game == "lost_cities")).one()


@pytest.fixture(autouse=True)
def _without_styles(cast: Cast) -> Iterator[None]:
    yield
    with cast.store.write() as session:
        session.execute(delete(StoredStyle))


@pytest.fixture(scope="module")
def rows(cast: Cast) -> dict[str, str]:
    """What is stored of the playing style of a bot and of its pool."""
    assert stored_styles.draw(cast.store, version_of(cast, "greedy"), "standard")
    with cast.store.read() as session:
        return {row.subject: row.data for row in session.scalars(select(StoredStyle))}


def put(cast: Cast, rows: dict[str, str]) -> None:
    with cast.store.write() as session:
        for subject, data in rows.items():
            session.merge(StoredStyle(subject=subject, results=4, measured_at=4e9, data=data))


@pytest.fixture
def measured(cast: Cast, rows: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The playing style of a bot, though it has fewer matches than that takes."""
    monkeypatch.setattr("arena.web.bots.shown_style.LEAST_MATCHES", 1)
    put(cast, rows)


def test_page_says_that_its_style_is_being_measured_and_asks_for_it(
    client: TestClient, cast: Cast, redis_server: RunningRedis
) -> None:
    page = client.get(GREEDY, headers={"Cache-Control": "no-cache"}).text
    assert "Analysing its latest matches" in page
    queue = connect(redis_server.url)
    assert queue.keys(f"rq:job:style-{version_of(cast, 'greedy')}-standard-*")
    queue.close()


def test_page_says_that_a_few_matches_are_not_enough(
    client: TestClient, cast: Cast, rows: dict[str, str]
) -> None:
    put(cast, rows)
    page = client.get(GREEDY, headers={"Cache-Control": "no-cache"}).text
    assert re.search(r"Not enough public matches yet: \d of the 10", page)
    assert 'id="scores"' not in page


@pytest.mark.usefixtures("measured")
def test_page_shows_style_scores_seats_and_time(client: TestClient) -> None:
    page = client.get(GREEDY, headers={"Cache-Control": "no-cache"}).text
    for shown in (
        "Expeditions started per hand",
        "Average bot",
        "Results by seat",
        "Thinking time by part of the match",
    ):
        assert shown in page


@pytest.mark.usefixtures("measured")
def test_best_and_worst_matches_are_links_to_open_matches(client: TestClient) -> None:
    page = client.get(GREEDY, headers={"Cache-Control": "no-cache"}).text
    panel = page[page.index('id="notable"') :].split("</section>")[0]
    links = re.findall(r'<a href="([^"]+)">', panel)
    assert links
    for link in links:
        assert client.get(f"/api/v1{link}").json()["state"] == "finished"


@pytest.mark.usefixtures("measured")
def test_style_is_in_spanish_too(client: TestClient) -> None:
    page = client.get(GREEDY, headers={"Cache-Control": "no-cache", "Accept-Language": "es"}).text
    assert "Expediciones empezadas por mano" in page
    assert "Estilo de juego" in page


@pytest.mark.usefixtures("measured")
def test_what_stands_out_is_said_in_words(client: TestClient, cast: Cast) -> None:
    lifted = styles.PlayingStyle(
        matches=12,
        faults=0,
        measured=12,
        traits={"expeditions": styles.TraitValue(4.5, 0.1)},
        scores=(10, 20),
        seats=(),
        margins=(),
        best=(),
        worst=(),
        phases=(styles.PhaseTime(1, 1.0),) * 3,
    )
    average = styles.AverageBot(12, 3, {"expeditions": styles.TraitRange(2.0, 1.0, 4.5)}, (10, 20, 30))
    put(
        cast,
        {
            f"version/{version_of(cast, 'greedy')}/standard": TypeAdapter(styles.PlayingStyle)
            .dump_json(lifted)
            .decode(),
            "pool/lost_cities/standard": TypeAdapter(styles.AverageBot).dump_json(average).decode(),
        },
    )
    page = client.get(GREEDY, headers={"Cache-Control": "no-cache"}).text
    assert "Starts many expeditions" in page
    assert "Starts few expeditions" not in page


@pytest.mark.usefixtures("measured")
def test_api_has_the_style_too(client: TestClient) -> None:
    found = client.get(f"/api/v1{GREEDY}/style", headers={"Cache-Control": "no-cache"}).json()
    assert (found["variant"], found["version"], found["average"]["bots"]) == ("standard", "1", 4)
    assert found["style"]["traits"]["expeditions"]["value"] > 0


def test_style_in_a_variant_that_does_not_exist_is_not_found(client: TestClient) -> None:
    answer = client.get(f"/api/v1{GREEDY}/style", params={"variant": "tlh"})
    assert answer.status_code == 404
    assert "standard" in answer.json()["detail"]


@pytest.mark.browser
@pytest.mark.usefixtures("measured")
def test_page_fits_a_phone_and_is_accessible(browser: Browser, origin: str) -> None:
    with browser.new_context(base_url=origin, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(GREEDY)
        assert page.locator("#style table").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate("only => axe.run('main', { runOnly: only })", STANDARDS)
        assert [each["id"] for each in found["violations"]] == []


def test_scores_fall_into_a_few_bars_of_round_width() -> None:
    found = arrange_scores([-33, 0, 120], [-50, 55])
    assert found is not None
    assert [bar.low for bar in found.bars] == list(range(-60, 121, 20))
    assert [bar.high for bar in found.bars] == list(range(-41, 140, 20))
    assert [round(bar.share, 2) for bar in found.bars if bar.share] == [0.33, 0.33, 0.33]
    assert sum(bar.usual or 0 for bar in found.bars) == 1


@pytest.mark.parametrize(("scores", "bars"), [([7], 1), ([7, 8], 2), ([0, 9], 5), ([-1, 1], 3)])
def test_small_scores_have_bars_of_their_own(scores: list[int], bars: int) -> None:
    found = arrange_scores(scores, ())
    assert found is not None
    assert len(found.bars) == bars
    assert found.bars[0].usual is None


def test_no_scores_no_bars() -> None:
    assert arrange_scores([], [1, 2]) is None
