"""Live tables in a real browser: a match is published as a worker would, on a real Redis and a real store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx
import pytest

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.games.kernel import Played
from arena.match.record import RecordedStep
from arena.messaging import live_steps
from arena.messaging.live_steps import Frame
from arena.messaging.progress_events import Event, EventKind, publish, tournament_stream
from arena.messaging.redis_connection import connect
from arena.web.live.lobby_hub import MAX_SHOWN
from tests import random_tournaments
from tests.patience import wait_until
from tests.web.browser import watch_for_trouble
from tests.web.conftest import opened
from tests.web.live.published_match import PublishedMatch
from tests.web.served_app import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page
    from redis import Redis

    from arena.storage import Store
    from tests.parts.redis_server import RunningRedis

pytestmark = pytest.mark.browser

SOON_MS = 40_000


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(tmp_path_factory.mktemp("live")) as store:
        yield store


@pytest.fixture(scope="module")
def origin(store: Store, redis_server: RunningRedis) -> Iterator[str]:
    with served(store, redis_server) as origin:
        yield origin


@pytest.fixture
def page(browser: Browser, origin: str) -> Iterator[Page]:
    context = browser.new_context(base_url=origin)
    context.set_default_timeout(SOON_MS)
    page = context.new_page()
    yield page
    context.close()


@pytest.fixture
def redis_client(redis_server: RunningRedis) -> Iterator[Redis]:
    client = connect(redis_server.url)
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def published(store: Store, redis_client: Redis) -> PublishedMatch:
    tournament = random_tournaments.create(
        store, "bottle_imp", "random", "greedy", "daring", seats=3, name="Imp Cup"
    ).id
    return PublishedMatch(redis_client, store, tournament)


def _steps(page: Page) -> list[int]:
    listed: list[int] = page.evaluate(
        "[...document.querySelectorAll('[data-lines] [data-point]')].map((line) => Number(line.dataset.point))"
    )
    return listed


def test_a_board_follows_a_match_and_catches_up_after_offline(page: Page, published: PublishedMatch) -> None:
    trouble = watch_for_trouble(page)
    published.play(4)
    page.goto(published.address)
    page.wait_for_selector("[data-board][data-point='4'] .board")
    published.play(3)
    page.wait_for_selector("[data-board][data-point='7']")
    assert _steps(page) == list(range(7, -1, -1)), "the newest first, from the start"
    assert published.match.seed.hex() not in page.content()
    assert "gave a card to the devil" in page.inner_text("[data-lines]"), "secret choices are not told"
    assert trouble == []

    page.context.set_offline(True)
    published.play(5)
    page.context.set_offline(False)
    page.wait_for_selector("[data-board][data-point='12']")
    assert _steps(page) == list(range(12, -1, -1)), "what was missed came at once, and nothing twice"
    published.end()
    page.wait_for_selector("[data-live-tag]:not(.running)")


def test_programs_are_told_what_everybody_saw(origin: str, published: PublishedMatch) -> None:
    published.play(9)
    published.end()
    with httpx.stream("GET", f"{origin}/api/v1{published.address}/events", timeout=30) as answer:
        data = [json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: ")]
    assert data[0] == {"run": 1, "first": 0, "points": json.loads(json.dumps(published.points))}
    assert data[-1] == {"places": [1, 2, 3], "scores": [9, 3, 0], "end": "completed"}
    with httpx.stream(
        "GET", f"{origin}/api/v1{published.address}/events", headers={"Last-Event-ID": "1.8"}, timeout=30
    ) as answer:
        data = [json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: ")]
    assert (data[0]["first"], len(data[0]["points"])) == (8, 2), "who was away is told the rest"


def test_the_tables_are_shown_while_they_are_played(page: Page, published: PublishedMatch) -> None:
    trouble = watch_for_trouble(page)
    page.goto("/live/tables")
    assert "No table is playing" in page.inner_text("[data-count]")
    assert page.is_visible("#next")
    published.play(3)
    wait_until(
        lambda: published.show() or page.query_selector(".table-card .board"), "it is drawn", within_s=30
    )
    published.show()
    assert "1 match" in page.inner_text("[data-count]")
    assert page.inner_text(".table-card h2") == " – ".join(published.match.names)
    assert not page.is_visible("#next")
    listed = httpx.get(f"{page.url.removesuffix('/live/tables')}/api/v1/live").json()
    assert [(row["id"], row["live"]) for row in listed] == [(published.match.id, True)]
    page.click(".table-card h2 a")
    page.wait_for_selector("[data-board][data-point='3']")
    assert trouble == []


def test_match_whose_steps_were_lost_stays_in_the_list_of_tables(
    page: Page, published: PublishedMatch
) -> None:
    lost = Frame((RecordedStep(Played(0, "fly to the moon"), 5.0),))
    published.play(3)
    live_steps.publish(published.client, published.match.id, lost)
    page.goto("/live/tables")
    wait_until(
        lambda: published.show() or page.query_selector(".table-card .board"), "it is drawn", within_s=30
    )


def test_what_must_wait_is_not_shown_live(origin: str, page: Page, store: Store, redis_client: Redis) -> None:
    bots.register_house(store, random_tournaments.HOUSE)
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    spec = TournamentSpec("lost_cities", ("alice", "greedy"), trusted=True)
    held = PublishedMatch(redis_client, store, creation.create(store, spec))
    held.play(6)
    answer = httpx.get(f"{origin}/api/v1{held.address}/events", timeout=30)
    assert "points" not in answer.text
    assert "event: end" in answer.text
    answer = httpx.get(f"{origin}{held.address}/live", timeout=30)
    assert "board" not in answer.text
    page.goto(held.address)
    assert page.query_selector("[data-table]") is None
    assert "revealed when the set ends" in page.inner_text("main")


def test_standings_catch_up_after_offline(page: Page, store: Store, redis_client: Redis) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious", hands=1).id
    page.goto(f"/tournaments/{number}")
    assert page.inner_text("[data-part=progress] [data-done]") == "0"
    page.context.set_offline(True)
    random_tournaments.play(store, number)
    publish(redis_client, tournament_stream(number), Event(EventKind.RESULT))
    page.context.set_offline(False)
    page.wait_for_selector("[data-part=progress] .tag.finished")
    page.wait_for_selector("[data-part=standings] tbody tr:has-text('greedy')")
    assert page.inner_text("[data-part=progress] [data-done]") == "6"


def test_what_was_seen_a_moment_ago_stays_between_two_quick_matches(
    page: Page, published: PublishedMatch, redis_client: Redis
) -> None:
    page.goto("/live/tables")
    wait_until(
        lambda: published.show() or "1 match" in page.inner_text("[data-count]"), "it is listed", within_s=30
    )
    live_steps.show(redis_client, "a worker", ())
    page.wait_for_timeout(1000)
    assert "1 match" in page.inner_text("[data-count]")
    wait_until(
        lambda: (
            "No table is playing" in page.inner_text("[data-count]")
            or "have ended" in page.inner_text("[data-count]")
        ),
        "it is not any more",
        within_s=30,
    )


def _publish(store: Store, client: Redis, game: str) -> PublishedMatch:
    third = {"land_unter": "hoarder", "bottle_imp": "daring"}[game]
    return PublishedMatch(
        client, store, random_tournaments.create(store, game, "random", "greedy", third, seats=3).id
    )


def _publish_finished(store: Store, client: Redis, game: str) -> PublishedMatch:
    match = _publish(store, client, game)
    match.play(3)
    match.end()
    return match


def _ids(page: Page) -> list[str]:
    ids: list[str] = page.evaluate(
        "[...document.querySelectorAll('.table-card')].map((card) => card.dataset.id)"
    )
    return ids


def test_the_page_keeps_the_board_of_a_finished_match_and_its_height(
    page: Page, published: PublishedMatch, redis_client: Redis
) -> None:
    published.play(3)
    page.goto("/live/tables")
    wait_until(
        lambda: published.show() or published.match.id in _ids(page), "the match is drawn", within_s=30
    )
    height = page.evaluate("document.body.scrollHeight")
    published.end()
    live_steps.show(redis_client, "a worker", ())
    page.wait_for_selector("[data-id] footer >> text=over")
    wait_until(
        lambda: page.inner_text("[data-count]") == "All tables have ended.",
        "it is not listed any more",
        within_s=30,
    )
    page.wait_for_timeout(1000)
    assert published.match.id in _ids(page)
    assert page.locator(".table-card footer").inner_text().split("\n")[0].startswith("over")
    assert "won" not in page.inner_text(".table-card")
    assert page.evaluate("document.body.scrollHeight") >= height


def test_a_new_match_takes_the_place_of_a_finished_one_of_its_game(
    page: Page, store: Store, redis_client: Redis
) -> None:
    shown = [_publish_finished(store, redis_client, "land_unter") for _ in range(MAX_SHOWN - 1)]
    shown.append(_publish_finished(store, redis_client, "bottle_imp"))
    page.goto("/live/tables")

    def show(*matches: PublishedMatch) -> None:
        live_steps.show(redis_client, "a worker", tuple(match.table for match in matches))

    wait_until(lambda: show(*shown) or len(_ids(page)) == MAX_SHOWN, "all are drawn", within_s=30)
    before = _ids(page)
    new = _publish(store, redis_client, "bottle_imp")
    new.play(2)
    wait_until(lambda: show(new) or new.match.id in _ids(page), "the new one is drawn", within_s=30)
    place = before.index(shown[-1].match.id)
    assert _ids(page) == [*before[:place], new.match.id, *before[place + 1 :]]
