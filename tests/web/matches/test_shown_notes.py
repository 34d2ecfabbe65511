"""Notes on the page of a match and in the API: for the owner of the bot, for all if the owner says so, for nobody too soon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from arena.bot_registry import note_visibility
from arena.competition import settlement
from arena.competition.matches.results import Arrival
from arena.core.notes import Candidate, Notes
from arena.games.kernel import Played
from arena.match import seat_notes
from arena.match.record import Record, to_json
from arena.match.seat_notes import SeatNotes
from tests import decided_matches, random_tournaments
from tests.web import named_users
from tests.web.named_users import House, post
from tests.web.served_app import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

house = named_users.house
furnished = named_users.furnished


@dataclass(frozen=True)
class NotedMatch:
    """A match of ada's bot `hers` against `greedy`, in which both have noted something on every step."""

    house: House
    address: str
    step: int
    """A step of ada's bot."""

    @property
    def api(self) -> str:
        return f"/api/v1{self.address}"


def notes_on(record: Record, seat: int, bot: str) -> SeatNotes:
    """Write notes on all steps of a seat."""
    mine = [
        (number, each.step.action)
        for number, each in enumerate(record.steps)
        if isinstance(each.step, Played) and each.step.seat == seat
    ]
    return SeatNotes(
        tuple(
            (
                number,
                Notes(
                    (Candidate(action, 0.5), Candidate("discard W1", -1.25)),
                    (("win", number / len(record.steps)),),
                    f"{bot} at {number} <b>",
                ),
            )
            for number, action in mine
        )
    )


def play(house: House, **spec: Any) -> NotedMatch:
    decided_matches.upload(house.store, house.actor("ada"), "hers")
    made = random_tournaments.create(house.store, "lost_cities", "hers", "greedy", hands=1, **spec)
    block = decided_matches.claim(house.store)
    match = block.matches[0]
    record = random_tournaments.record_of(block, match)
    noted = {seat: notes_on(record, seat, each.bot) for seat, each in enumerate(match.seats)}
    texts = {seat: seat_notes.to_json(each) for seat, each in noted.items()}
    arrival = Arrival(match.set, match.match, match.attempt, to_json(record), notes=texts)
    assert settlement.add_results(house.store, made.id, [arrival]) == (True,)
    (seat,) = [seat for seat, each in enumerate(match.seats) if each.bot == "hers"]
    address = f"/tournaments/{made.id}/sets/{match.set}/matches/{match.match}"
    return NotedMatch(house, address, noted[seat].steps[0][0])


@pytest.fixture
def match(house: House) -> NotedMatch:
    return play(house)


def test_owner_sees_the_notes_of_the_own_bot_beside_the_board(match: NotedMatch) -> None:
    with match.house.browser("ada") as ada:
        page = ada.get(match.address).text
    assert f"hers at {match.step} &lt;b&gt;" in page
    assert "greedy at" not in page
    assert "notes of your bots; only you can see them" in page


def test_owner_gets_the_notes_of_the_own_bot_from_the_api(match: NotedMatch) -> None:
    with match.house.client(match.house.token("ada")) as ada:
        (seat,) = ada.get(match.api).json()["notes"]
    assert seat["steps"][0]["step"] == match.step
    assert seat["steps"][0]["candidates"][1] == {"action": "discard W1", "value": -1.25}
    assert {step["text"].split()[0] for step in seat["steps"]} == {"hers"}


def test_a_token_that_may_not_read_gets_no_notes(match: NotedMatch) -> None:
    with match.house.client(match.house.token("ada", "bots")) as ada:
        assert ada.get(match.api).json()["notes"] == []


def test_others_see_no_notes(match: NotedMatch) -> None:
    with match.house.browser("olga") as olga, match.house.client() as nobody:
        for reader in (olga, nobody):
            assert "hers at" not in reader.get(match.address).text
            assert reader.get(match.api).json()["notes"] == []


def test_everybody_sees_notes_that_the_owner_makes_public_and_no_more_once_private(
    match: NotedMatch,
) -> None:
    bot = "/account/bots/lost_cities/hers"
    with match.house.browser("ada") as ada, match.house.client() as nobody:
        assert post(ada, f"{bot}/notes", public="yes").status_code == 303
        page = nobody.get(match.address).text
        assert "public notes" in page
        assert f"hers at {match.step} &lt;b&gt;" in page
        assert "greedy at" not in page
        assert nobody.get(match.api).json()["notes"][0]["public"] is True
        assert post(ada, f"{bot}/notes", public="no").status_code == 303
        assert "hers at" not in nobody.get(match.address).text


def test_only_the_owner_can_make_notes_public(match: NotedMatch) -> None:
    with match.house.browser("olga") as olga:
        assert post(olga, "/account/bots/lost_cities/hers/notes", public="yes").status_code == 403
        assert olga.put("/api/v1/bots/lost_cities/hers/notes", json={"public": True}).status_code == 403


def test_api_says_and_sets_who_may_read_notes(match: NotedMatch) -> None:
    with match.house.client(match.house.token("ada")) as ada:
        address = "/api/v1/bots/lost_cities/hers/notes"
        assert ada.get(address).json() == {"public": False}
        assert ada.put(address, json={"public": True}).json() == {"public": True}
        assert ada.get(address).json() == {"public": True}


def test_nobody_sees_notes_while_the_organisers_delay_lasts(house: House) -> None:
    match = play(house, delay_s=3600)
    note_visibility.set_public(house.store, house.actor("ada"), "lost_cities", "hers", public=True)
    with house.browser("ada") as ada, house.client() as nobody:
        for reader in (ada, nobody):
            assert "hers at" not in reader.get(match.address).text
            assert reader.get(match.api).json()["notes"] == []


def test_notes_follow_the_board_when_a_reader_steps(match: NotedMatch, browser: Browser) -> None:
    with served(match.house.store, match.house.redis) as origin:
        context = browser.new_context(base_url=origin, viewport={"width": 390, "height": 800})
        cookie: Any = {"name": "arena_session", "value": match.house.cookie("ada"), "url": origin}
        context.add_cookies([cookie])
        page = context.new_page()
        page.goto(match.address)
        now = page.locator("[data-now-noted]")
        assert now.inner_text() == "Nothing was noted on this step."
        page.locator("details:has(.all-notes) summary").click()
        page.locator(".all-notes a").first.click()
        now.filter(has_text=f"hers at {match.step} <b>").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        context.close()
