"""What pages and API say of the course of a tournament: formats, rounds, tests, decisions, who has left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import creation, lifecycle
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import blocks
from arena.messaging.progress_events import Event, EventKind, publish, tournament_stream
from arena.messaging.redis_connection import connect, connect_async
from arena.reports import tournaments
from arena.reports.by_format import sprt_course
from arena.scheduling import stop_rules
from arena.storage import Store
from arena.web.app import create_app
from tests import decided_matches
from tests.decided_matches import NAMES, alphabetical
from tests.parts.redis_server import RunningRedis
from tests.web.access import ACCESS
from tests.web.browser import running_browser, watch_for_trouble
from tests.web.conftest import opened
from tests.web.served_app import served

if TYPE_CHECKING:
    from pathlib import Path


SOON_MS = 30_000


@dataclass(frozen=True)
class Courses:
    """Tournaments of every format, and in every state."""

    store: Store
    swiss: int
    """Five bots, the third of three rounds is to be played."""
    knockout: int
    """Six bots, over; the first tie took an extra set."""
    sprt: int
    """Two bots, 32 sets played, undecided."""
    departed: int
    """Round-robin of four, paused; random has left with its results annulled, and it was extended."""
    open: int
    """Open for entries, nobody has entered."""
    cancelled: int
    """Cancelled after some matches."""
    race: int
    """Five bots, over: one is left."""
    undecided: int
    """A race of two bots over after two rounds."""


@pytest.fixture(scope="module")
def courses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Courses]:
    with opened(tmp_path_factory.mktemp("courses")) as store:
        bots.register_house(store, {"lost_cities": NAMES})
        swiss = create(store, NAMES[:5], format="swiss", given={"rounds": 3})
        play(store, swiss, 2)
        knockout = create(store, sorted(NAMES), format="knockout")
        play(store, knockout, 1, even=0)
        play(store, knockout)
        sprt = create(store, NAMES[:2], cycles=100, stop=stop_rules.parse("sprt:0,10"))
        play(store, sprt, 4, even=2)
        departed = create(store, NAMES[:4], cycles=2)
        play(store, departed, 1)
        lifecycle.withdraw(store, departed, "random", OPERATOR, annul=True)
        lifecycle.extend(store, departed, 3, OPERATOR)
        lifecycle.pause(store, departed, OPERATOR)
        cancelled = create(store, NAMES[:4], cycles=2)
        play(store, cancelled, 1)
        lifecycle.cancel(store, cancelled, OPERATOR, "the wrong options")
        waiting = create(store, (), begin="open")
        race = create(store, NAMES[:5], format="race")
        play(store, race)
        undecided = create(store, NAMES[:2], format="race", given={"rounds": 2})
        play(store, undecided)
        yield Courses(store, swiss, knockout, sprt, departed, waiting, cancelled, race, undecided)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path) as store:
        yield store


@pytest.fixture(scope="module")
def client(courses: Courses, redis_server: RunningRedis) -> Iterator[TestClient]:
    app = create_app(courses.store, connect_async(redis_server.url), ACCESS)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def create(store: Store, names: Any, **spec: Any) -> int:
    return creation.create(store, TournamentSpec("lost_cities", tuple(names), **spec))


def play(store: Store, number: int, most: int = 1000, *, even: int | None = None) -> None:
    """Play at most so many blocks; in sets whose number `even` divides (0: set 0 alone) both bots win once."""
    for _ in range(most):
        keys = [key for key in blocks.reconcile(store) if key.tournament_id == number]
        if not keys:
            return
        block = decided_matches.claim(store, key=keys[0])
        for match in block.matches:
            shared = even is not None and (match.set % even == 0 if even else match.set == 0)
            places = [1, 2] if shared else alphabetical(match)
            decided_matches.add(store, block, match, places)
        blocks.finish(store, keys[0], "anna")


def words(client: TestClient, number: int) -> list[str]:
    return [each["words"] for each in client.get(f"/api/v1/tournaments/{number}").json()["decisions"]]


def test_rules_are_said_in_words(client: TestClient, courses: Courses) -> None:
    said = {
        courses.swiss: "Swiss, 3 rounds",
        courses.knockout: "Knockout, 1 set a tie",
        courses.sprt: "Round-robin until elo0 = 0 or elo1 = 10 is accepted (alpha 0.05, beta 0.05), at most 100 cycles",
        courses.departed: "Round-robin, 5 cycles",
    }
    for number, rules in said.items():
        assert client.get(f"/api/v1/tournaments/{number}").json()["rules"] == rules
        assert rules in client.get(f"/tournaments/{number}").text


def test_the_list_shows_formats_and_states(client: TestClient, courses: Courses) -> None:
    rows = client.get("/api/v1/tournaments").json()
    assert [(row["format"], row["state"]) for row in rows] == [
        ("race", "finished"),
        ("race", "finished"),
        ("round-robin", "open"),
        ("round-robin", "cancelled"),
        ("round-robin", "paused"),
        ("round-robin", "running"),
        ("knockout", "finished"),
        ("swiss", "running"),
    ]
    assert client.get("/api/v1/tournaments", params={"before": rows[1]["id"], "most": 3}).json() == rows[2:5]
    page = client.get("/tournaments").text
    assert '<span class="tag paused">paused</span>' in page
    assert 'class="nowrap">knockout</td>' in page


def test_a_swiss_has_its_points_with_byes_and_its_rounds(client: TestClient, courses: Courses) -> None:
    page = client.get(f"/api/v1/tournaments/{courses.swiss}").json()
    assert [each["name"] for each in page["rounds"]] == ["Round 1", "Round 2", "Round 3"]
    assert all(len(each["byes"]) == 1 for each in page["rounds"])
    assert sum(row["points"] for row in page["points"]) == 2 * 4 + 3 * 2
    assert sum(row["byes"] for row in page["points"]) == 3
    points = [row["points"] for row in page["points"]]
    assert points == sorted(points, reverse=True)
    assert client.get(f"/tournaments/{courses.swiss}").text.count("<summary>Round") == 3


def test_a_knockout_has_its_bracket_and_its_champion(client: TestClient, courses: Courses) -> None:
    page = client.get(f"/api/v1/tournaments/{courses.knockout}").json()
    assert [(each["name"], len(each["ties"]), len(each["byes"])) for each in page["rounds"]] == [
        ("Quarter-finals", 2, 2),
        ("Semi-finals", 2, 0),
        ("Final", 1, 0),
    ]
    first, second = page["rounds"][0]["ties"]
    assert (first["sets"], first["points"], second["sets"]) == (2, [3.0, 1.0], 1)
    assert page["entries"][page["champion"]]["bot"] == min(NAMES)
    shown = client.get(f"/tournaments/{courses.knockout}").text
    assert "Semi-finals" in shown
    assert f"Won by <strong>{min(NAMES)}</strong>" in shown


def test_a_test_shows_its_ratio_between_its_bounds(client: TestClient, courses: Courses) -> None:
    row = client.get(f"/api/v1/tournaments/{courses.sprt}").json()["sprt"]
    assert (row["sets"], row["elo0"], row["elo1"], row["accepted"]) == (32, 0.0, 10.0, None)
    assert row["next_look"] == 40
    assert row["low"] == pytest.approx(-2.944, abs=0.001)
    assert row["low"] < row["llr"] < row["high"] == pytest.approx(2.944, abs=0.001)
    assert (
        f"<strong>{row['llr']:.2f}</strong> after 32 sets. The next look is after 40 sets."
        in client.get(f"/tournaments/{courses.sprt}").text
    )


def test_two_versions_of_one_bot_go_by_bot_and_version(tmp_path: Path, redis_server: RunningRedis) -> None:
    with opened(tmp_path) as store:
        decided_matches.upload(
            store, decided_matches.person(store, "ada"), "lc", states=(bots.SUPERSEDED, bots.ACTIVE)
        )
        number = create(store, ("lc@2", "lc@1", "greedy"), format="gauntlet")
        play(store, number, 1)
        with TestClient(create_app(store, connect_async(redis_server.url), ACCESS)) as client:
            page = client.get(f"/tournaments/{number}").text
            entries = client.get(f"/api/v1/tournaments/{number}").json()["entries"]
            match = client.get(f"/tournaments/{number}/sets/0/matches/0").text
    assert [(row["bot"], row["version"]) for row in entries[:2]] == [("lc", "2"), ("lc", "1")]
    assert "lc@2" in page
    assert "lc@1" in page
    assert "lc@2" in match
    assert "Matches between two bots of the same owner count in this table" in page


def test_who_has_left_and_what_became_of_the_results_is_said(client: TestClient, courses: Courses) -> None:
    page = client.get(f"/api/v1/tournaments/{courses.departed}").json()
    assert {row["bot"]: row["left"] for row in page["entries"]}["random"] == "annulled"
    assert words(client, courses.departed) == [
        "cycles 3 to 5 were planned",
        "3 more cycles were allowed",
        "random@1 has left: withdrawn by operator; its results were annulled",
        "cycles 1 to 2 were planned",
    ]
    assert (
        "random v1 has left, its results were annulled" in client.get(f"/tournaments/{courses.departed}").text
    )


def test_standings_leave_out_a_bot_whose_results_were_annulled(client: TestClient, courses: Courses) -> None:
    page = client.get(f"/tournaments/{courses.departed}").text
    standings = page[page.index('<table id="standings"') :]
    standings = standings[: standings.index("</table>")]
    assert "/bots/lost_cities/random" not in standings
    assert standings.count("/bots/lost_cities/") == 3


def test_a_race_tells_who_left_when_and_who_has_won(client: TestClient, courses: Courses) -> None:
    found = client.get(f"/api/v1/tournaments/{courses.race}").json()
    looks = found["eliminations"]
    assert looks[-1]["remaining"] == 1
    assert sorted(entry for look in looks for entry in look["left"]) == [
        number for number in range(5) if number != found["champion"]
    ]
    assert found["entries"][found["champion"]]["bot"] == min(NAMES[:5])
    page = client.get(f"/tournaments/{courses.race}").text
    table = page[page.index('id="race"') : page.index('id="table"')]
    assert table.count('href="/bots/lost_cities/') == 4
    assert f"After {looks[-1]['rounds']} rounds, <strong>1</strong> bot may still be the best." in table
    assert f"Won by <strong>{min(NAMES[:5])}</strong>" in page


def test_the_log_of_a_race_counts_the_rounds_that_each_look_drew(
    client: TestClient, courses: Courses
) -> None:
    words = [row["words"] for row in client.get(f"/api/v1/tournaments/{courses.race}/decisions").json()]
    drawn = [re.fullmatch(r"rounds (\d+) to (\d+) were drawn", each) for each in words[:-1]]
    spans = [(int(found[1]), int(found[2])) for found in drawn if found]
    assert len(spans) == len(words) - 1
    assert [first for first, _ in spans] == [1, *(last + 1 for _, last in spans[:-1])]
    assert f"after {spans[-1][1]} rounds" in words[-1]


def test_a_race_undecided_has_no_winner(client: TestClient, courses: Courses) -> None:
    assert client.get(f"/api/v1/tournaments/{courses.undecided}").json()["champion"] is None
    page = client.get(f"/tournaments/{courses.undecided}").text
    assert "After 2 rounds, <strong>2</strong> bots may still be the best." in page
    assert "Won by" not in page


def test_page_of_a_swiss_has_one_kind_of_points_which_counts_byes(
    client: TestClient, courses: Courses
) -> None:
    page = client.get(f"/tournaments/{courses.swiss}").text
    assert "A match won is 1 point, a draw ½, a bye 2." in page
    assert "Pairing points" not in page
    standings = page[page.index('<table id="standings"') :]
    standings = standings[: standings.index("</table>")]
    assert standings.count("1 bye</span>") == 3
    row = client.get(f"/api/v1/tournaments/{courses.swiss}").json()
    points = {each["entry"]: each["points"] for each in row["points"]}
    shown = [
        re.findall(r'<td class="number">\s*(\S+?)[\s<]', each)[1] for each in standings.split("<tr>")[2:]
    ]
    assert [float(each) for each in shown] == [points[each["entry"]] for each in row["standings"]]


def test_bracket_has_a_place_for_each_tie_and_bye_between_those_it_follows_from(courses: Courses) -> None:
    page = tournaments.page(courses.store, courses.knockout)
    stages = page.bracket
    assert [(each.name, len(each.slots)) for each in stages] == [
        ("Quarter-finals", 4),
        ("Semi-finals", 2),
        ("Final", 1),
    ]
    for before, after in pairwise(stages):
        for number, slot in enumerate(after.slots):
            pair = before.slots[2 * number : 2 * number + 2]
            through = [each.bye if each.tie is None else each.tie.winner for each in pair]
            assert slot.tie is not None
            assert set(slot.tie.entries) == set(through)


def test_standings_of_a_knockout_go_by_the_round_reached(client: TestClient, courses: Courses) -> None:
    page = tournaments.page(courses.store, courses.knockout)
    assert sorted(each.places for each in page.places) == ["1", "2", "3–4", "3–4", "5–6", "5–6"]
    shown = client.get(f"/tournaments/{courses.knockout}").text
    standings = shown[shown.index('<table id="standings"') :]
    standings = standings[: standings.index("</table>")]
    assert re.findall(r'<td class="rank nowrap">(.*?)</td>', standings) == [
        "1",
        "2",
        "3–4",
        "3–4",
        "5–6",
        "5–6",
    ]
    assert "<strong>Winner</strong>" in standings
    assert "Points share over time" not in shown


def test_bracket_shows_the_stages_that_are_still_to_be_drawn(store: Store) -> None:
    bots.register_house(store, {"lost_cities": NAMES})
    number = create(store, sorted(NAMES), format="knockout")
    play(store, number, 1)
    page = tournaments.page(store, number)
    stages = page.bracket
    assert [each.drawn for each in stages] == [True, True, False]
    assert stages[2].name == "Final"
    places = {each.places for each in page.places}
    assert "1" not in places


def test_curve_of_a_test_ends_where_the_test_is(client: TestClient, courses: Courses) -> None:
    row = client.get(f"/api/v1/tournaments/{courses.sprt}").json()["sprt"]
    course = sprt_course.read(courses.store, courses.sprt)
    assert course is not None
    assert (course.sets[-1], course.low, course.high) == (32, row["low"], row["high"])
    assert course.llrs[-1] == pytest.approx(row["llr"])
    assert dict(course.outcomes) == {1.0: 16, 2.0: 16} or dict(course.outcomes) == {1.0: 16, 0.0: 16}
    page = client.get(f"/tournaments/{courses.sprt}").text
    assert '<path class="line" d="M0 ' in page
    assert 'id="llr-table"' in page
    assert re.search(r"Estimated difference: <strong>−?\d+ ± \d+</strong> Elo", page)


def test_list_of_tournaments_tells_the_winners(client: TestClient, courses: Courses) -> None:
    page = client.get("/tournaments").text
    assert page.count(f'<strong class="winner">{min(NAMES)}</strong>') == 1  # the knockout
    assert page.count(f'<strong class="winner">{min(NAMES[:5])}</strong>') == 1  # the race
    assert page.count('<strong class="winner">') == 2


def test_what_is_cancelled_says_why_and_shows_its_secret(client: TestClient, courses: Courses) -> None:
    page = client.get(f"/api/v1/tournaments/{courses.cancelled}").json()
    assert page["secret"] is not None
    assert words(client, courses.cancelled)[0] == "cancelled: the wrong options"
    states = {row["state"] for row in client.get(f"/api/v1/tournaments/{courses.cancelled}/matches").json()}
    assert states == {"finished", "dropped"}


def test_what_waits_for_entries_says_how_to_enter(client: TestClient, courses: Courses) -> None:
    page = client.get(f"/tournaments/{courses.open}").text
    assert f"arena tournament enter {courses.open} BOT --arena http://testserver" in page
    assert "No matches planned yet." in page
    assert client.get(f"/api/v1/tournaments/{courses.open}/matches").json() == []


def test_the_log_has_every_decision_with_its_basis_and_its_fields(
    client: TestClient, courses: Courses
) -> None:
    log = client.get(f"/api/v1/tournaments/{courses.swiss}/decisions").json()
    assert [(row["number"], row["kind"], row["words"].partition(";")[0]) for row in log] == [
        (0, "drawn", "round 1 was drawn"),
        (1, "drawn", "round 2 was drawn"),
        (2, "drawn", "round 3 was drawn"),
    ]
    assert all(len(row["basis"]) == 64 and row["data"]["basis"] == row["basis"] for row in log)
    later = client.get(f"/api/v1/tournaments/{courses.swiss}/decisions", params={"first": 1, "most": 1})
    assert [row["number"] for row in later.json()] == [1]
    assert client.get("/api/v1/tournaments/99/decisions").status_code == 404


@pytest.mark.browser
def test_every_course_fits_the_screen(courses: Courses, redis_server: RunningRedis) -> None:
    with served(courses.store, redis_server) as origin, running_browser() as browser:
        page = browser.new_context(base_url=origin).new_page()
        trouble = watch_for_trouble(page)
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            for number in (
                courses.swiss,
                courses.knockout,
                courses.sprt,
                courses.departed,
                courses.open,
                courses.race,
            ):
                page.goto(f"/tournaments/{number}")
                assert page.evaluate("document.documentElement.scrollWidth") <= width, number
        assert trouble == []


@pytest.mark.browser
def test_an_open_page_shows_a_pause_an_extension_and_the_end(
    store: Store, redis_server: RunningRedis
) -> None:
    bots.register_house(store, {"lost_cities": NAMES})
    number = create(store, NAMES[:2], cycles=2)

    def tell(state: str) -> None:
        with connect(redis_server.url) as client:
            publish(client, tournament_stream(number), Event(EventKind.STATE, {"state": state}))

    with served(store, redis_server) as origin, running_browser() as browser:
        page = browser.new_page(base_url=origin)
        trouble = watch_for_trouble(page)
        page.goto(f"/tournaments/{number}")
        lifecycle.pause(store, number, OPERATOR)
        tell("paused")
        page.wait_for_selector(".tag.paused", timeout=SOON_MS)
        lifecycle.extend(store, number, 3, OPERATOR)
        tell("paused")
        page.wait_for_selector("text=3 more cycles were allowed", timeout=SOON_MS)
        assert page.inner_text("[data-total]") == "10"
        lifecycle.cancel(store, number, OPERATOR)
        tell("cancelled")
        page.wait_for_selector(".tag.cancelled", timeout=SOON_MS)
        assert trouble == []
