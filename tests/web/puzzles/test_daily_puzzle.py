"""The page of the puzzle: only what the seat saw, the solution with the answer, a rating and a streak from first answers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient
from redis import Redis

from arena.games.registry import GAMES
from arena.messaging.job_queue import CHANCES
from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from arena.web.boards import draw
from arena.web.matches.replay_points import Point
from arena.web.puzzles import daily_puzzle
from arena.web.puzzles.daily_puzzle import Puzzle
from tests import random_tournaments
from tests.games.test_leaks import TWINS, most_seats
from tests.settled_puzzles import settle
from tests.web.access import ACCESS
from tests.web.named_users import House, furnished, house

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

__all__ = ["furnished", "house"]

DAY = date(2026, 1, 5)
PLAYED_HERE = ("land_unter", "lifeboats", "lost_cities")


def puzzle(cast: Cast, game: str, day: date = DAY) -> Puzzle:
    found, _ = daily_puzzle.find(cast.store, day, game)
    assert found is not None
    return found


def other_than_best(found: Puzzle) -> str:
    return next(each for each in found.legal if each != found.best.action)


@pytest.fixture
def visitor(cast: Cast, redis_server: RunningRedis) -> Iterator[TestClient]:
    """A browser that has not been here before."""
    app = create_app(cast.store, connect_async(redis_server.url), ACCESS)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def facts(page: str) -> dict[str, str]:
    """What the page says of the puzzle and of the reader."""
    return dict(re.findall(r"<dt>([^<]+)</dt><dd[^>]*>([^<]+)</dd>", page))


@pytest.mark.parametrize("game", PLAYED_HERE)
def test_page_asks_and_then_says_what_is_best(client: TestClient, cast: Cast, game: str) -> None:
    found = puzzle(cast, game)
    address = f"/tournaments/{found.match.tournament_id}/sets/{found.match.set}"
    asked = client.get("/puzzle", params={"game": game, "day": str(DAY)})
    assert asked.status_code == 200
    offered = re.findall(r'class="option" name="action" value="([^"]+)"', asked.text)
    assert [unescape(each) for each in offered] == list(found.legal)
    assert address not in asked.text
    other = other_than_best(found)
    for action, heading in ((found.best.action, "Right!"), (other, "There is a better choice")):
        told = client.get("/puzzle", params={"game": game, "day": str(DAY), "action": action}).text
        assert heading in told
        assert f'href="{address}/matches/{found.match.match}?point={found.number}"' in told


def test_page_names_the_task(client: TestClient, cast: Cast) -> None:
    assert puzzle(cast, "land_unter").task == "Play a card"
    assert '<h2 id="question">Play a card</h2>' in client.get(f"/puzzle?game=land_unter&day={DAY}").text


def test_day_without_a_puzzle_shows_the_last_one(cast: Cast) -> None:
    assert puzzle(cast, "lifeboats", DAY + timedelta(days=3)).day == DAY


def test_chances_are_shown_only_with_the_answer(client: TestClient, cast: Cast) -> None:
    found = puzzle(cast, "lifeboats")
    asked = {"game": "lifeboats", "day": str(DAY)}
    told = unescape(client.get("/puzzle", params=asked | {"action": found.played}).text)
    assert "Chances of the choices" in told
    assert "62.0 %" in told
    assert "± 1.0 %" in told
    assert "62.0 %" not in client.get("/puzzle", params=asked).text


def test_first_answer_counts_and_is_shown_when_the_reader_comes_back(visitor: TestClient, cast: Cast) -> None:
    today = datetime.now(UTC).date()
    found = puzzle(cast, "land_unter", today)
    form = {"game": "land_unter", "day": str(found.day)}
    assert "How readers answered" not in visitor.get("/puzzle", params=form).text
    told = visitor.post("/puzzle", data=form | {"action": other_than_best(found)})
    assert told.url.path == "/puzzle"
    assert "How readers answered" in told.text
    before = facts(told.text)
    assert (before["Solved"], before["Streak"]) == ("0 / 1", "0 days")
    again = visitor.post("/puzzle", data=form | {"action": found.best.action})
    assert facts(again.text) == before
    assert "There is a better choice" in visitor.get("/puzzle?game=land_unter").text


def test_right_answers_raise_the_rating_and_the_streak(visitor: TestClient, cast: Cast) -> None:
    today = datetime.now(UTC).date()
    found = puzzle(cast, "lost_cities", today)
    form = {"game": "lost_cities", "day": str(found.day), "action": found.best.action}
    told = facts(visitor.post("/puzzle", data=form).text)
    assert (told["Solved"], told["Streak"]) == ("1 / 1", "1 day")
    assert float(told["You"]) > 1500


def test_account_keeps_its_rating_in_every_browser(house: House) -> None:
    day = datetime.now(UTC).date()
    random_tournaments.play(
        house.store, random_tournaments.create(house.store, "land_unter", "greedy", "hoarder", "counter").id
    )
    settle(house.store, "land_unter", day)
    found, _ = daily_puzzle.find(house.store, day, "land_unter")
    assert found is not None
    form = {"game": "land_unter", "day": str(day), "action": found.best.action}
    with house.browser("ada") as browser:
        browser.post("/puzzle", data=form)
    with house.browser("ada") as browser:
        assert facts(browser.get("/puzzle?game=land_unter").text)["Solved"] == "1 / 1"
    with house.browser("olga") as browser:
        assert "Solved" not in facts(browser.get("/puzzle?game=land_unter").text)


def test_answers_to_an_old_puzzle_are_not_counted(client: TestClient, cast: Cast) -> None:
    form = {"game": "land_unter", "day": str(DAY), "action": puzzle(cast, "land_unter").legal[0]}
    assert "How readers answered" not in client.post("/puzzle", data=form).text


def test_puzzle_of_the_day_is_searched_for_when_it_is_looked_at(
    empty: TestClient, redis_server: RunningRedis
) -> None:
    page = empty.get("/puzzle").text
    assert "data-pending" in page
    queued: Any = Redis.from_url(redis_server.url).lrange(f"rq:queue:{CHANCES}", 0, -1)
    assert any(job_id.startswith(b"puzzles-") for job_id in queued)


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({"day": "yesterday"}, 404, "must be a date"),
        ({"day": "2026-02-30"}, 404, "must be a date"),
        ({"day": "9999-12-31"}, 404, "not later"),
        ({"game": "chess"}, 404, "must be one of"),
        ({"game": "lost_cities", "action": "fold"}, 422, "is not legal here"),
    ],
)
def test_bad_question_has_a_page_with_the_way_on(
    client: TestClient, asked: dict[str, str], status: int, words: str
) -> None:
    answer = client.get("/puzzle", params=asked)
    assert answer.status_code == status
    assert words in answer.text
    assert 'href="/puzzle"' in answer.text


def test_game_without_open_matches_leads_to_playing(client: TestClient, cast: Cast) -> None:
    assert daily_puzzle.find(cast.store, DAY, "teotlatolli")[0] is None
    page = client.get("/puzzle?game=teotlatolli")
    assert page.status_code == 200
    assert "No puzzle yet" in page.text


def test_puzzle_without_a_day_is_todays(client: TestClient) -> None:
    before = datetime.now(UTC).date()
    page = client.get("/puzzle?game=lifeboats").text
    assert any(f'datetime="{day}"' in page for day in (before, datetime.now(UTC).date()))


@pytest.mark.parametrize("game", [game for game in TWINS if game in GAMES])
@pytest.mark.parametrize("place", range(12))
def test_puzzle_shows_nothing_that_its_seat_did_not_see(cast: Cast, game: str, place: int) -> None:
    """Twins differ only in what one seat cannot see: as puzzles of that seat they are drawn alike, asked and answered."""
    seat = place % most_seats(game)
    pair = TWINS[game](random.Random(place), seat, 0.1 + place / 15)
    base = puzzle(cast, "lost_cities")
    drawn = []
    for twin in pair:
        names = tuple(f"bot-{each}" for each in range(twin.seats))
        point = Point(0, 0, tuple(twin.steps[-2:]), (), (), twin.state)
        course = replace(
            base.course, game=game, names=names, replay=replace(base.course.replay, points=(point,))
        )
        match = replace(base.match, game=game)
        legal = tuple(GAMES[game].legal(twin.state, seat)) if _chooses(game, twin.state, seat) else ()
        shown = replace(
            base,
            match=match,
            course=course,
            number=0,
            seat=seat,
            legal=legal,
            played=legal[0] if legal else "",
        )
        drawn.append([draw(shown.scene(answered=answered)) for answered in (False, True)])
    assert drawn[0] == drawn[1]


def _chooses(game: str, state: object, seat: int) -> bool:
    return any(each.seat == seat for each in GAMES[game].to_act(state))


@pytest.mark.browser
def test_puzzle_is_answered_without_scripts(browser: Browser, origin: str, cast: Cast) -> None:
    found = puzzle(cast, "land_unter")
    context = browser.new_context(base_url=origin, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/puzzle?game=land_unter&day={DAY}")
    page.locator(f'.own button[value="{found.best.action}"]').click()
    assert page.get_by_role("heading", name="Right!").is_visible()
    page.get_by_role("link", name="Watch the match from here").click()
    assert page.locator(".position").get_attribute("data-point") == str(found.number)
    context.close()
