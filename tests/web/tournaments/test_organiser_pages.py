"""Creating and steering tournaments and ladders by forms, without scripts."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

import pytest

from arena.accounts import audit_log
from arena.accounts.actors import OPERATOR
from arena.competition import ladders
from arena.reports import tournaments
from tests import decided_matches, random_tournaments
from tests.web.named_users import House, furnished, house, post
from tests.web.routes import DRAFT
from tests.web.served_app import served

if TYPE_CHECKING:
    import httpx
    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser

__all__ = ["furnished", "house"]

NEW = "/organise/tournament"


def beside(page: httpx.Response) -> dict[str, str]:
    """The errors of a page, by the field that they stand beside."""
    found = re.findall(r'<p class="error" id="([a-z_0-9]*)-wrong">([^<]*)<', page.text)
    return {field: html.unescape(message) for field, message in found}


def create(olga: TestClient, **changed: Any) -> int:
    answer = post(olga, NEW, **{**DRAFT, "option_hands": "1", "do": "create", **changed})
    assert answer.status_code == 303, beside(answer)
    return int(answer.headers["location"].rpartition("/")[2])


def test_form_creates_what_it_asks_for(house: House) -> None:
    with house.browser("olga") as olga:
        form = olga.get(f"{NEW}?game=lost_cities").text
        assert 'name="bot" id="bot-greedy" value="greedy"' in form
        number = create(
            olga,
            named="",
            bot=["greedy", "random"],
            first="random",
            format="gauntlet",
            cycles="3",
            rounds="9",
            name="Spring Cup",
            begin="open",
            trusted="yes",
        )
    page = tournaments.page(house.store, number)
    assert (page.name, page.format, page.cycles, page.state) == ("Spring Cup", "gauntlet", 3, "open")
    assert ([row.bot for row in page.entries], page.trusted) == (["random", "greedy"], True)
    assert (dict(page.options), page.pool) == ({"hands": 1}, None)
    (row,) = audit_log.listing(house.store, OPERATOR, most=1)
    assert (row.actor, row.action) == ("olga", "tournament.create")


def test_form_counts_for_no_elo_where_that_is_asked(house: House) -> None:
    with house.browser("olga") as olga:
        kept = create(olga, option_hands="", rated="yes")
        out = create(olga, option_hands="")
        assert "the public Elo" in olga.get(f"/tournaments/{kept}").text
    assert tournaments.page(house.store, kept).pool == "lost_cities/standard"
    assert tournaments.page(house.store, out).pool is None


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"named": "greedy"}, "bots", "name at least 2 bots"),
        ({"named": "greedy, nobody"}, "bots", "bot 'nobody'"),
        ({"cycles": "many"}, "cycles", "cycles 'many': must be a whole number"),
        ({"cycles": "0"}, "cycles", "greater than or equal to 1"),
        ({"time": "soon"}, "time", "must be BASE+INC in seconds"),
        ({"option_hands": "99"}, "option_hands", "must be 1 to 9"),
        ({"table": "standard/5"}, "table", "choose one from the list"),
        ({"format": "league"}, "format", "must be one of round-robin"),
        ({"stop": "separated", "top": "2", "cycles": "99"}, "stop", "so the best 1 to 1 can be separated"),
        ({"stop": "sprt", "elo0": "9", "elo1": "1", "cycles": "99"}, "stop", "elo1 must be greater"),
        ({"priority": "101"}, "priority", "must be 1 to 100"),
        ({"delay_s": "-1"}, "delay_s", "delay"),
        ({"priority": ""}, "priority", "priority '': must be a whole number"),
        ({"cycles": "0"}, "cycles", "cycles '0': Input should be greater"),
        ({"option_hands": "some"}, "option_hands", "hands 'some': must be a whole number"),
        ({"begin": "later"}, "begin", "begin 'later': Input should be 'now', 'open' or 'created'"),
        ({"stop": "soon"}, "stop", "stop 'soon': must be none, separated or sprt"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(
    house: House, changed: dict[str, str], field: str, said: str
) -> None:
    with house.browser("olga") as olga:
        for do in ("look", "create"):
            answer = post(olga, NEW, **{**DRAFT, "do": do, "name": "My cup", **changed})
            assert answer.status_code == 422
            assert said in beside(answer)[field]
            assert 'value="My cup"' in answer.text
    assert tournaments.listing(house.store) == ()


def test_a_refused_form_is_shown_as_it_was_with_each_error_beside_its_field(house: House) -> None:
    sent = {**DRAFT, "cycles": "many", "priority": "high", "named": "", "bot": ["greedy"], "rated": "yes"}
    with house.browser("olga") as olga:
        page = post(olga, NEW, **{**sent, "stop": "sprt", "elo1": "25", "option_hands": "3", "do": "create"})
    assert set(beside(page)) == {"cycles", "priority"}
    text = " ".join(page.text.split())
    for name, value in (("cycles", "many"), ("priority", "high"), ("elo1", "25"), ("option_hands", "3")):
        assert f'name="{name}" value="{value}"' in text
    for ticked in ('value="greedy" checked', 'value="sprt" checked', 'name="rated" value="yes" checked'):
        assert ticked in text
    assert 'value="random" checked' not in page.text
    assert 'name="trusted" value="yes" checked' not in page.text


def test_form_says_what_it_comes_to_before_anything_is_created(house: House) -> None:
    over = random_tournaments.create(
        house.store, "lost_cities", "random", "greedy", hands=1, name="Before"
    ).id
    random_tournaments.play(house.store, over)
    with house.browser("olga") as olga:
        page = post(olga, NEW, **{**DRAFT, "do": "look", "cycles": "7"})
        assert "14 matches" in page.text
        assert "nothing comparable has been played yet" in page.text
        part = post(olga, f"{NEW}/estimate", **{**DRAFT, "stop": "separated", "top": "1", "cycles": "20"})
        assert "at most 40 matches" in part.text
        assert "<html" not in part.text
        asked = {"game": "lost_cities", "bots": ["greedy", "random"], "cycles": 7}
        twin = olga.post("/api/v1/tournaments/estimate", json=asked).json()
    assert (twin["sets"], twin["matches"], twin["at_most"], twin["rated"]) == (7, 14, False, True)
    assert len(tournaments.listing(house.store)) == 1


@pytest.mark.browser
@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        ({"format": "round-robin"}, {"cycles", "sets_each", "stop"}),
        ({"format": "gauntlet"}, {"cycles", "stop", "first"}),
        ({"format": "swiss"}, {"rounds"}),
        ({"format": "knockout"}, {"sets"}),
        ({"stop": "separated"}, {"cycles", "sets_each", "stop", "top"}),
        ({"stop": "sprt"}, {"cycles", "sets_each", "stop", "elo0", "elo1", "first"}),
    ],
    ids=lambda each: next(iter(each.values())) if isinstance(each, dict) else "",
)
def test_fields_of_a_format_or_a_stop_rule_show_when_it_is_chosen(
    house: House, browser: Browser, chosen: dict[str, str], shown: set[str]
) -> None:
    of_some = ("cycles", "sets_each", "rounds", "sets", "stop", "top", "elo0", "elo1", "first")
    with served(house.store, house.redis) as origin:
        page = browser.new_page(base_url=origin)
        page.context.add_cookies([{"name": "arena_session", "value": house.cookie("olga"), "url": origin}])
        page.goto(f"{NEW}?game=lost_cities")
        for name, value in chosen.items():
            page.locator(f'[name="{name}"][value="{value}"]').check()
        visible = {name for name in of_some if page.locator(f'[name="{name}"]').first.is_visible()}
        page.close()
    assert visible == shown


@pytest.mark.browser
def test_formats_of_two_seats_are_not_offered_for_a_larger_table(house: House, browser: Browser) -> None:
    with served(house.store, house.redis) as origin:
        page = browser.new_page(base_url=origin)
        page.context.add_cookies([{"name": "arena_session", "value": house.cookie("olga"), "url": origin}])
        page.goto(f"{NEW}?game=lifeboats")
        page.locator("#table").select_option("standard/4")
        offered = {
            each.get_attribute("value") for each in page.locator('[name="format"]').all() if each.is_visible()
        }
        page.close()
    assert offered == {"round-robin", "gauntlet", "race"}


def test_organiser_steers_a_tournament_from_its_page(house: House) -> None:
    with house.browser("olga") as olga:
        number = create(olga, begin="created", named="greedy")
        steer = f"/tournaments/{number}/steer"

        def step(verb: str, **sent: str) -> str:
            answer = post(olga, f"{steer}/{verb}", **sent)
            assert answer.status_code == 303, beside(answer)
            return tournaments.row(house.store, number).state

        assert f'action="{steer}/open"' in olga.get(f"/tournaments/{number}").text
        assert step("open") == "open"
        step("enter", bot="random")
        assert step("start") == "running"
        assert step("pause") == "paused"
        assert step("resume") == "running"
        step("extend", more="4")
        step("edit", priority="40", description="Final at noon.")
        page = tournaments.page(house.store, number)
        assert (page.matches_total, page.priority) == (10, 40)
        assert '<p class="description">Final at noon.</p>' in olga.get(f"/tournaments/{number}").text
        assert step("withdraw", bot="random@1", results="keep") == "finished"
        assert "The tournament is over" in olga.get(f"/tournaments/{number}").text
        assert number in [row["id"] for row in olga.get("/api/v1/me/tournaments").json()]


def test_one_that_has_not_begun_is_renamed_and_deleted_from_its_page(house: House) -> None:
    with house.browser("olga") as olga:
        number = create(olga, begin="created")
        steer = f"/tournaments/{number}/steer"
        assert "must be 1 to 200" in beside(post(olga, f"{steer}/edit", name=" ", priority="10"))["name"]
        assert post(olga, f"{steer}/edit", name="Autumn cup", priority="10").status_code == 303
        assert "<h1>Autumn cup</h1>" in olga.get(f"/tournaments/{number}").text
        assert "cannot be undone" in beside(post(olga, f"{steer}/delete"))["sure"]
        deleted = post(olga, f"{steer}/delete", sure="yes")
        assert (deleted.status_code, deleted.headers["location"]) == (303, "/tournaments")
        assert olga.get(f"/tournaments/{number}").status_code == 404


def test_author_withdraws_an_own_bot_from_the_page_of_a_running_tournament(house: House) -> None:
    decided_matches.dial_in(house.store, house.actor("ada"), "lost_cities", "mine")
    with house.browser("olga") as olga, house.browser("ada") as ada:
        number = create(olga, bot=["greedy", "random", "mine"])
        page = ada.get(f"/tournaments/{number}").text
        assert f"/tournaments/{number}/steer/withdraw" in page
        assert 'value="annul"' not in page
        other = create(olga, bot=["greedy", "random"])
        assert "/steer/" not in ada.get(f"/tournaments/{other}").text
        assert post(ada, f"/tournaments/{number}/steer/withdraw", bot="mine@1").status_code == 303
    left = {row.bot: row.left for row in tournaments.page(house.store, number).entries}
    assert left == {"greedy": None, "random": None, "mine": "kept"}


def test_what_cannot_be_undone_wants_to_be_confirmed(house: House) -> None:
    with house.browser("olga") as olga:
        number = create(olga)
        steer = f"/tournaments/{number}/steer"
        for verb, sent in (
            ("cancel", {"why": "rain"}),
            ("withdraw", {"bot": "random@1", "results": "annul"}),
        ):
            refused = post(olga, f"{steer}/{verb}", **sent)
            assert refused.status_code == 422
            assert "cannot be undone" in beside(refused)["sure"]
            assert f'<details id="steer-{verb}" open>' in refused.text
        assert tournaments.row(house.store, number).state == "running"
        assert post(olga, f"{steer}/cancel", why="rain", sure="yes").status_code == 303
        assert "cancelled: rain" in olga.get(f"/tournaments/{number}").text


def test_refused_step_says_why_on_a_page_of_its_own(house: House) -> None:
    with house.browser("olga") as olga:
        number = create(olga)
        steer = f"/tournaments/{number}/steer"
        assert beside(post(olga, f"{steer}/extend", more="x"))["more"].startswith("more 'x'")
        late = post(olga, f"{steer}/start")
        assert late.status_code == 409
        assert "is running; to start it must be created or open" in html.unescape(late.text)
        assert post(olga, f"{steer}/shout").status_code == 404


def test_author_sees_what_they_may_do_and_nothing_else(house: House) -> None:
    decided_matches.dial_in(house.store, house.actor("ada"), "lost_cities", "mine")
    with house.browser("olga") as olga, house.browser("ada") as ada, house.client() as nobody:
        number = create(olga, begin="open")
        page = ada.get(f"/tournaments/{number}").text
        assert "Your available bots: mine" in page
        assert "steer/start" not in page
        assert "/steer/" not in nobody.get(f"/tournaments/{number}").text
        assert post(ada, f"/tournaments/{number}/steer/enter", bot="mine").status_code == 303
        page = ada.get(f"/tournaments/{number}").text
        assert '<option value="mine@1"' in page
        assert '<option value="greedy@1"' not in page


def test_ladder_is_started_and_stopped_by_a_form(house: House) -> None:
    sent = {"table": "lost_cities/standard/2", "epoch_h": "0.5", "rest_s": "10", "priority": "5"}
    with house.browser("olga") as olga:
        short = post(olga, "/organise/ladders", **{**sent, "epoch_h": "0.001"})
        assert "must be 60 to" in beside(short)["epoch_h"]
        long = post(olga, "/organise/ladders", **sent, delay_s="9999999")
        assert "must be 0 to 2592000 seconds" in beside(long)["delay_s"]
        assert post(olga, "/organise/ladders", **sent, delay_s="600").status_code == 303
        (row,) = ladders.listing(house.store)
        assert (row.epoch_s, row.state, row.delay_s) == (1800.0, "running", 600)
        assert post(olga, f"/organise/ladders/{row.id}/stop").status_code == 303
        assert "Continue" in olga.get("/organise/ladders").text
        assert post(olga, f"/organise/ladders/{row.id}/stop").status_code == 422
