"""Arena TV: never empty, the same for everybody, nothing of matches that are not open, and a page that does not jump."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from arena.games.registry import GAMES
from arena.match.drama import Drama
from arena.messaging.redis_connection import connect_async
from arena.reports import match_views
from arena.reports.insights import drama_measurement
from arena.reports.insights.match_strengths import MatchStrength
from arena.storage import Store
from arena.web.app import create_app
from arena.web.tv import best_matches, channels, featured_matches, programme
from arena.web.tv.programme import PERIOD_S
from tests import random_tournaments
from tests.web.access import ACCESS
from tests.web.browser import watch_for_trouble
from tests.web.conftest import opened
from tests.web.served_app import served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from arena.reports.match_details import MatchRow
    from tests.parts.redis_server import RunningRedis
    from tests.web.conftest import Cast

DAY_S = 86_400
BEGIN = 1_790_000_400.0
READ = st.lists(st.floats(1, 6), min_size=2, max_size=400)


def later(periods: int = 2) -> float:
    """The beginning of a period in which all matches of the store are old enough."""
    return programme.period_of(time.time()) + periods * PERIOD_S


@pytest.fixture(scope="module")
def of_all_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Open matches of each game, some of them with their drama."""
    with opened(tmp_path_factory.mktemp("games")) as store:
        for game in GAMES:
            random_tournaments.play(
                store, random_tournaments.create(store, game, *random_tournaments.HOUSE[game]).id, limit=6
            )
        drama_measurement.measure_newest(store, time.time())
        yield store


@given(st.lists(READ, min_size=1, max_size=30))
def test_programme_fills_its_period_without_a_gap(lengths: list[list[float]]) -> None:
    slots = programme.compose(range(len(lengths)), BEGIN, lengths.__getitem__)
    assert slots[0].begins_at == BEGIN
    assert [slot.begins_at for slot in slots[1:]] == [slot.ends_at for slot in slots[:-1]]
    assert slots[-1].ends_at == pytest.approx(BEGIN + PERIOD_S)
    for slot in slots:
        assert len(slot.shown_at) == len(lengths[slot.match])
        assert sorted(slot.shown_at) == list(slot.shown_at)


def test_match_that_cannot_be_drawn_is_left_out() -> None:
    slots = programme.compose(["broken", "whole"], BEGIN, {"broken": [], "whole": [3.0] * 50}.__getitem__)
    assert {slot.match for slot in slots} == {"whole"}
    assert programme.compose(["broken"], BEGIN, lambda _: []) == ()


def test_matches_take_turns_while_nothing_new_is_played() -> None:
    seen = {
        slot.match
        for period in range(12)
        for slot in programme.compose(range(24), BEGIN + period * PERIOD_S, lambda _: [3.0] * 100)
    }
    assert seen == set(range(24))


def test_match_that_is_longer_than_a_period_has_one_to_itself_when_its_turn_comes() -> None:
    lengths = {"long": [3.0] * 800, **{str(number): [3.0] * 200 for number in range(7)}}
    programmes = [
        [
            slot.match
            for slot in programme.compose(tuple(lengths), BEGIN + period * PERIOD_S, lengths.__getitem__)
        ]
        for period in range(8)
    ]
    assert ["long"] in programmes
    assert all("long" not in found for found in programmes if len(found) > 1)


@pytest.mark.parametrize("channel", [None, *GAMES])
def test_day_of_a_channel_has_no_empty_minute(of_all_games: Store, channel: str | None) -> None:
    begin = later()
    shown = set()
    for minute in range(0, DAY_S, 60):
        now = begin + minute + 0.5
        slots = channels.programme_of(of_all_games, channel, now)
        slot = slots[programme.on_air(slots, now)]
        assert slot.begins_at <= now < slot.ends_at
        assert 0 <= slot.point(now) <= slot.match.course.replay.final
        shown.add(slot.match.featured.row.game)
    assert shown == ({channel} if channel else set(GAMES))


@pytest.mark.parametrize("channel", [None, *GAMES])
def test_day_of_a_channel_goes_on_without_a_leap(of_all_games: Store, channel: str | None) -> None:
    """Matches follow each other without a gap, and each is shown from its first position to its last, none left out."""
    ends_at = begin = later()
    for period in range(int(DAY_S / PERIOD_S)):
        for slot in channels.programme_of(of_all_games, channel, begin + period * PERIOD_S):
            assert slot.begins_at == pytest.approx(ends_at, abs=0.01)
            assert len(slot.shown_at) == slot.match.course.replay.final + 1
            ends_at = slot.ends_at
    assert ends_at == pytest.approx(begin + DAY_S)


def test_steps_are_shown_for_as_long_as_they_take_to_read(cast: Cast) -> None:
    for game in ("lost_cities", "land_unter", "lifeboats"):
        slots = channels.programme_of(cast.store, game, later())
        steps = [
            after - at
            for slot in slots
            for at, after in zip(slot.shown_at[1:], slot.shown_at[2:], strict=False)
        ]
        # A match that is longer than a period is shown faster, all others about as slowly as they are read.
        longer = sum(channels.reading_times(slots[0].match.course)) > PERIOD_S
        assert (0.8 if longer else 1.5) < min(steps) <= sum(steps) / len(steps) < 5.0


def test_every_process_shows_the_same(cast: Cast) -> None:
    now = later(3)
    url = cast.store.url.render_as_string(hide_password=False)
    other = Store.open(url)
    try:
        plans = [
            [(slot.match.featured, slot.shown_at) for slot in channels.programme_of(store, None, now)]
            for store in (cast.store, other)
        ]
    finally:
        other.close()
    assert plans[0] == plans[1]
    assert plans[0]


def test_only_open_matches_are_featured(cast: Cast) -> None:
    found = featured_matches.at(cast.store, later())
    assert found
    for each in found:
        assert match_views.page(cast.store, *each.key).packed_record is not None
    assert (cast.running, 2, 0) not in {each.key for each in found}


def test_cards_that_are_delayed_are_not_shown_before_their_time(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1, delay_s=3600).id
        random_tournaments.play(store, number)
        stored = time.time()
        assert featured_matches.at(store, stored + 3000) == ()
        assert channels.programme_of(store, None, stored) == ()
        assert featured_matches.at(store, stored + 3700)


def test_reason_does_not_name_the_winner(cast: Cast) -> None:
    for each in featured_matches.at(cast.store, later()):
        for reason in each.reasons:
            assert not any(seat.name in reason for seat in each.row.seats)


def test_drama_that_is_measured_later_changes_no_programme(tmp_path: Path) -> None:
    """Another web process may make the programme of the same period before a worker has measured, and this one after."""
    with opened(tmp_path) as store:
        random_tournaments.play(
            store, random_tournaments.create(store, "land_unter", "random", "greedy", "hoarder").id
        )
        moment = time.time()
        before = featured_matches.at(store, moment)
        assert drama_measurement.measure_newest(store, time.time()) > 0
        other = Store.open(store.url.render_as_string(hide_password=False))
        try:
            assert featured_matches.at(other, moment) == before
        finally:
            other.close()


@pytest.fixture
def completed(of_all_games: Store) -> MatchRow:
    """A match that was played to its end."""
    return next(
        each.row for each in featured_matches.at(of_all_games, later()) if each.row.end == "completed"
    )


def between(row: MatchRow, name: str, number: int) -> MatchRow:
    """Return a match like another one, of a bot that no other match has."""
    seats = (replace(row.seats[0], bot=name, name=name), *row.seats[1:])
    return replace(row, id=name, match=number, seats=seats)


def test_matches_are_chosen_by_their_drama(completed: MatchRow) -> None:
    """Of two matches that differ in nothing else, the one whose lead changed is shown first."""
    quiet, lively = (between(completed, name, at) for at, name in enumerate(("quiet", "lively")))
    dramas = {lively.key: Drama((3, 5, 9), 8, 9, 1, 4, 10), quiet.key: Drama((), 1, 2, 1, 0, 10)}
    ranked = featured_matches.rank([quiet, lively], dramas, {}, time.time())
    assert [each.row.id for each in ranked] == ["lively", "quiet"]
    assert "The lead changed 3 times" in ranked[0].reasons


def test_match_of_the_stronger_weaker_seat_is_shown_first(completed: MatchRow) -> None:
    strong, weak = between(completed, "strong", 0), between(completed, "weak", 1)
    strengths = {
        strong.key: MatchStrength((1700.0, 1690.0), 1800.0),
        weak.key: MatchStrength((1800.0, 1510.0), 1800.0),
    }
    ranked = featured_matches.rank([weak, strong], {}, strengths, time.time())
    assert [each.row.id for each in ranked] == ["strong", "weak"]


def test_bot_far_below_the_best_is_not_shown(completed: MatchRow) -> None:
    strong, weak = between(completed, "strong", 0), between(completed, "weak", 1)
    strengths = {
        strong.key: MatchStrength((1700.0, 1600.0), 1800.0),
        weak.key: MatchStrength((1800.0, 1490.0), 1800.0),
    }
    assert [each.row.id for each in featured_matches.rank([weak, strong], {}, strengths, time.time())] == [
        "strong"
    ]
    alone = featured_matches.rank([weak], {}, strengths, time.time())
    assert [(each.row.id, each.strength.is_strong) for each in alone] == [("weak", False)]


def test_pairing_is_shown_once(completed: MatchRow) -> None:
    turned = replace(completed, match=9, seats=tuple(reversed(completed.seats)))
    assert len(featured_matches.rank([completed, turned], {}, {}, time.time())) == 1


def test_match_that_a_fault_ended_is_not_shown(completed: MatchRow) -> None:
    assert featured_matches.rank([replace(completed, end="fault")], {}, {}, time.time()) == ()


def test_reason_says_the_chance_of_an_underdog_that_won(completed: MatchRow) -> None:
    strength = MatchStrength((1800.0, 1510.0), 1800.0, chance=0.141)
    (found,) = featured_matches.rank([completed], {}, {completed.key: strength}, time.time())
    assert found.reason == "The underdog had a 14 % chance"


@pytest.fixture(scope="module")
def moment() -> float:
    """The moment that the clock of `tv` shows."""
    return later() + 100


@pytest.fixture(scope="module")
def tv(cast: Cast, redis_server: RunningRedis, moment: float) -> Iterator[TestClient]:
    app = create_app(cast.store, connect_async(redis_server.url), ACCESS, clock=lambda: moment)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def test_page_shows_the_position_of_its_moment_without_a_script(
    cast: Cast, tv: TestClient, moment: float
) -> None:
    slots = channels.programme_of(cast.store, None, moment)
    slot = slots[programme.on_air(slots, moment)]
    page = unescape(tv.get("/live").text)
    assert f'data-point="{slot.point(moment)}"' in page
    course = slot.match.course
    following = min(slot.point(moment) + 1, course.replay.final)
    assert f'href="{course.address}?point={following}#board"' in page
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in page
    assert "Up next" in page


def test_channel_shows_its_game_alone(tv: TestClient) -> None:
    page = tv.get("/live/land_unter").text
    assert "board-land_unter" in page
    assert '<div class="board board-lost_cities">' not in page
    assert '<a href="/live/land_unter" aria-current="page">' in page


def test_channel_without_a_match_says_so_and_leads_on(tv: TestClient, empty: TestClient) -> None:
    for page in (tv.get("/live/teotlatolli"), empty.get("/live")):
        assert page.status_code == 200
        assert "No match to show yet" in page.text
        assert 'href="/play' in page.text


def test_channel_of_a_game_that_does_not_exist_names_those_that_do(tv: TestClient) -> None:
    answer = tv.get("/live/chess")
    assert answer.status_code == 404
    assert "game chess: must be one of" in answer.text


def test_first_match_is_on_at_once(tmp_path: Path, redis_server: RunningRedis) -> None:
    with opened(tmp_path) as store:
        random_tournaments.play(
            store, random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
        )
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        with TestClient(app, raise_server_exceptions=False) as client:
            assert 'class="board board-lost_cities"' in client.get("/live").text


def test_best_matches_are_open_and_of_all_games(cast: Cast) -> None:
    found = best_matches.read(cast.store, later(), 12)
    assert found.of_the_day
    assert len({each.row.game for each in found.matches[:3]}) == 3
    for each in found.matches:
        assert match_views.page(cast.store, *each.key).packed_record is not None


def test_best_matches_of_a_game_are_of_no_other(cast: Cast) -> None:
    found = best_matches.read(cast.store, later(), 3, "lost_cities")
    assert [each.row.game for each in found.matches] == ["lost_cities"] * 3


def test_delayed_match_is_none_of_the_best_before_its_time(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        number = random_tournaments.create(
            store, "land_unter", "random", "greedy", "hoarder", delay_s=3600
        ).id
        random_tournaments.play(store, number, limit=3)
        stored = time.time()
        assert best_matches.read(store, stored + 3000, 6).matches == ()
        assert best_matches.read(store, stored + 4200, 6).matches


def test_board_alone_is_the_one_that_is_on(cast: Cast, tv: TestClient, moment: float) -> None:
    slots = channels.programme_of(cast.store, None, moment)
    slot = slots[programme.on_air(slots, moment)]
    page = tv.get("/live/now").text
    assert f'data-point="{slot.point(moment)}"' in page
    assert f'data-address="{slot.match.course.address}"' in page


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_page_goes_on_to_the_next_match_and_does_not_jump(
    browser: Browser, cast: Cast, redis_server: RunningRedis, width: int
) -> None:
    slots = channels.programme_of(cast.store, "land_unter", later())
    # Its final position is on, and stays for some seconds while the page is opened.
    ahead = max(slots[0].shown_at[-1], slots[0].ends_at - 9) - time.time()
    with served(cast.store, redis_server, clock=lambda: time.time() + ahead) as origin:
        context = browser.new_context(base_url=origin, viewport={"width": width, "height": 844})
        page: Page = context.new_page()
        trouble = watch_for_trouble(page)
        page.goto("/live/land_unter")
        page.evaluate("window.stayed = true")
        page.evaluate(
            """() => { window.shifts = 0; new PerformanceObserver((list) => {
              for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifts += each.value;
            }).observe({ type: "layout-shift", buffered: true }); }"""
        )
        final = slots[0].match.course.replay.final
        page.wait_for_selector(f'.tv .position[data-point="{final}"]', timeout=60_000)
        page.wait_for_selector(f'.tv[data-address="{slots[1].match.course.address}"]', timeout=60_000)
        page.wait_for_selector('.tv .position[data-point="2"]', timeout=60_000)
        assert page.evaluate("window.stayed")
        assert page.evaluate("window.shifts") <= 0.05
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.get_by_role("button", name="Pause").click()
        assert page.get_by_role("button", name="Back to the broadcast").is_visible()
        assert trouble == []
        context.close()


@pytest.mark.browser
def test_start_page_moves_on_without_a_jump_and_waits_if_paused(
    browser: Browser, cast: Cast, redis_server: RunningRedis
) -> None:
    programmes = (channels.programme_of(cast.store, None, later(period)) for period in range(2, 12))
    slots = next(each for each in programmes if len(each) > 1)
    ahead = slots[0].ends_at - 3 - time.time()
    with served(cast.store, redis_server, clock=lambda: time.time() + ahead) as origin:
        context = browser.new_context(base_url=origin, viewport={"width": 1280, "height": 900})
        page: Page = context.new_page()
        trouble = watch_for_trouble(page)
        page.goto("/")
        page.evaluate(
            """() => { window.shifts = 0; new PerformanceObserver((list) => {
              for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifts += each.value;
            }).observe({ type: "layout-shift", buffered: true }); }"""
        )
        page.wait_for_selector(f'.tv-small[data-address="{slots[1].match.course.address}"]', timeout=60_000)
        assert page.evaluate("window.shifts") <= 0.05
        box = page.locator(".tv-small [data-board]")
        assert box.evaluate("each => each.scrollHeight <= each.clientHeight + 1")
        page.get_by_role("button", name="Pause").click()
        assert page.get_by_role("button", name="Continue").is_visible()
        assert trouble == []
        context.close()
        calm = browser.new_context(base_url=origin, reduced_motion="reduce")
        page = calm.new_page()
        page.goto("/")
        assert page.get_by_role("button", name="Continue").is_visible()
        calm.close()


@pytest.fixture
def phone(browser: Browser, tv_origin: str) -> Iterator[Page]:
    """The start page on a phone that stands still, with its board laid out."""
    context = browser.new_context(
        base_url=tv_origin, viewport={"width": 390, "height": 844}, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/")
    page.wait_for_selector(".tv-small[data-size]")
    yield page
    context.close()


@pytest.fixture(scope="module")
def tv_origin(cast: Cast, redis_server: RunningRedis, moment: float) -> Iterator[str]:
    """A server whose clock stands at `moment`."""
    with served(cast.store, redis_server, clock=lambda: moment) as origin:
        yield origin


@pytest.mark.browser
def test_board_of_the_start_page_has_no_text_that_is_too_small_to_read(phone: Page) -> None:
    smallest = phone.locator(".tv-small .position").evaluate(
        """place => Math.min(...[...place.querySelectorAll(":not(svg *)")]
          .filter(each => each.checkVisibility() && [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
          .map(each => parseFloat(getComputedStyle(each).fontSize)))"""
    )
    assert smallest >= 10.9


@pytest.mark.browser
def test_phone_shows_the_table_without_the_hands(phone: Page) -> None:
    assert phone.locator(".tv-small .seats-bar").is_visible()
    assert phone.locator(".tv-small :is(.side, .sides):visible").count() == 0


@pytest.mark.browser
def test_start_page_lays_out_its_board_a_few_times_at_most(phone: Page) -> None:
    """Layouts are most of the start page's work on a phone: trying each width in turn takes seventeen."""
    devtools = phone.context.new_cdp_session(phone)
    devtools.send("Performance.enable")
    counted = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    assert counted["LayoutCount"] <= 10


@pytest.mark.browser
def test_board_of_the_start_page_is_not_drawn_anew_while_the_same_position_is_on(phone: Page) -> None:
    phone.evaluate(
        """() => {
          const box = document.querySelector(".tv-small [data-board]");
          window.drawn = [box.querySelector(".position").dataset.point];
          new MutationObserver(() => window.drawn.push(box.querySelector(".position").dataset.point))
            .observe(box, { childList: true });
        }"""
    )
    with phone.expect_response("**/live/now"):
        phone.get_by_role("button", name="Continue").click()
    phone.wait_for_function("() => window.drawn.length > 1")
    drawn = phone.evaluate("window.drawn")
    assert len(set(drawn)) == len(drawn)


@pytest.mark.browser
def test_games_of_the_start_page_are_laid_out_when_they_come_near_the_screen(phone: Page) -> None:
    last = phone.locator(".tile .top").last
    assert not last.evaluate("each => each.checkVisibility({ contentVisibilityAuto: true })")
    last.scroll_into_view_if_needed()
    phone.wait_for_function(
        "each => each.checkVisibility({ contentVisibilityAuto: true })", arg=last.element_handle()
    )
