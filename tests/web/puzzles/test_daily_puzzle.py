"""The puzzle of the day: the same for all, only what the seat saw, and the answer when it was given."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from redis import Redis

from arena.games.registry import GAMES
from arena.match.choice_chances import ChoiceEstimate
from arena.messaging.job_queue import CHANCES
from arena.reports import match_views
from arena.reports.insights import stored_chances
from arena.web.boards import draw
from arena.web.matches.replay_points import Point
from arena.web.puzzles import daily_puzzle, puzzle_chances
from arena.web.puzzles.daily_puzzle import Puzzle
from tests.games.test_leaks import TWINS, most_seats

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser

    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

DAY = date(2026, 1, 5)
PLAYED_HERE = ("land_unter", "lifeboats", "lost_cities")


def puzzle(cast: Cast, game: str, day: date = DAY) -> Puzzle:
    found, _ = daily_puzzle.find(cast.store, day, game)
    assert found is not None
    return found


@pytest.mark.parametrize("game", PLAYED_HERE)
def test_puzzle_of_a_day_is_the_same_whenever_it_is_asked_for(cast: Cast, game: str) -> None:
    first, again = puzzle(cast, game), puzzle(cast, game)
    assert (first.match.id, first.number, first.seat) == (again.match.id, again.number, again.seat)
    others = [puzzle(cast, game, DAY + timedelta(days=days)) for days in range(1, 8)]
    assert {(each.match.id, each.number) for each in others} != {(first.match.id, first.number)}


@pytest.mark.parametrize("moment", [0.0, 1e12], ids=["first day", "later"])
def test_every_game_has_puzzles_however_many_matches_others_have(cast: Cast, moment: float) -> None:
    rows = match_views.stored_before(cast.store, moment, 2)
    assert {row.game for row in rows} == set(PLAYED_HERE)


def test_matches_that_are_not_open_give_no_puzzle(cast: Cast) -> None:
    """Set 1 of the running tournament is not over: its first match shares its deal with one that is still to be played."""
    asked = [puzzle(cast, "lost_cities", DAY + timedelta(days=days)).match for days in range(60)]
    assert {each.tournament_id for each in asked} >= {cast.finished}
    assert not any(each.tournament_id == cast.running and each.set >= 1 for each in asked)


@pytest.mark.parametrize("game", PLAYED_HERE)
def test_page_asks_and_then_says_what_was_played(client: TestClient, cast: Cast, game: str) -> None:
    found = puzzle(cast, game)
    address = f"/tournaments/{found.match.tournament_id}/sets/{found.match.set}"
    asked = client.get("/puzzle", params={"game": game, "day": str(DAY)})
    assert asked.status_code == 200
    offered = re.findall(r'class="option" name="action" value="([^"]+)"', asked.text)
    assert [unescape(each) for each in offered] == list(found.legal)
    assert address not in asked.text
    other = next(each for each in found.legal if each != found.played)
    for action, heading in ((found.played, "played the same"), (other, "played something else")):
        told = client.get("/puzzle", params={"game": game, "day": str(DAY), "action": action}).text
        assert f"{found.name} {heading}" in told
        assert f'href="{address}/matches/{found.match.match}?point={found.number}"' in told


def test_first_answers_are_counted_and_shown_only_with_the_answer(client: TestClient, cast: Cast) -> None:
    today = datetime.now(UTC).date()
    found = puzzle(cast, "land_unter", today)
    form = {"game": "land_unter", "day": str(today), "action": found.legal[0]}
    told = client.post("/puzzle", data=form)
    assert told.url.path == "/puzzle"
    assert "How readers answered" in told.text
    assert re.findall(r'<td class="number">(\d+)</td>', told.text) == ["1"]
    again = client.post("/puzzle", data=form | {"action": found.legal[1]})
    assert re.findall(r'<td class="number">(\d+)</td>', again.text) == ["1"]
    asked = client.get("/puzzle", params={"game": "land_unter", "day": str(today)}).text
    assert "How readers answered" not in asked


def test_chances_of_the_choices_are_shown_only_with_the_answer(client: TestClient, cast: Cast) -> None:
    found = puzzle(cast, "lifeboats")
    asked = {"game": "lifeboats", "day": str(DAY)}
    answered = asked | {"action": found.played}
    assert "Computing win chances" in client.get("/puzzle", params=answered).text
    best = found.legal[-1]
    stored_chances.OF_CHOICES.save(
        cast.store,
        puzzle_chances.key_of(found),
        [ChoiceEstimate(each, 0.9 if each == best else 0.123, 0.045) for each in found.legal],
    )
    told = unescape(client.get("/puzzle", params=answered).text)
    assert "Chances of the choices" in told
    assert "12.3 %" in told
    assert "± 4.5 %" in told
    assert ("The house bot “search” would rather play" in told) == (found.played != best)
    assert "as good as any" in client.get("/puzzle", params=asked | {"action": best}).text
    before = client.get("/puzzle", params=asked).text
    assert "Chances of the choices" not in before
    assert "Computing win chances" not in before


def test_puzzle_that_is_looked_at_is_queued_for_its_chances(
    client: TestClient, cast: Cast, redis_server: RunningRedis
) -> None:
    found = puzzle(cast, "land_unter")
    client.get("/puzzle", params={"game": "land_unter", "day": str(DAY)})
    name = f"choices-{'-'.join(str(number) for number in puzzle_chances.key_of(found))}-"
    queued: Any = Redis.from_url(redis_server.url).lrange(f"rq:queue:{CHANCES}", 0, -1)
    assert any(job_id.startswith(name.encode()) for job_id in queued)


def test_answers_to_an_old_puzzle_are_not_counted(client: TestClient, cast: Cast) -> None:
    form = {"game": "land_unter", "day": str(DAY), "action": puzzle(cast, "land_unter").legal[0]}
    assert "How readers answered" not in client.post("/puzzle", data=form).text


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
        shown = Puzzle(DAY, match, course, 0, seat, legal, legal[0] if legal else "")
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
    page.locator(f'.own button[value="{found.played}"]').click()
    assert page.get_by_role("heading", name=f"{found.name} played the same").is_visible()
    page.get_by_role("link", name="Watch the match from here").click()
    assert page.locator(".position").get_attribute("data-point") == str(found.number)
    context.close()
