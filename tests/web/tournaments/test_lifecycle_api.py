"""The life of tournaments over the API: olga directs them, ada and bob enter their bots."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from arena.accounts import audit_log
from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.messaging.progress_events import EventKind, events_of, tournament_stream
from arena.messaging.redis_connection import connect
from arena.messaging.stream_reader import entries_by_stream
from arena.reports import tournaments
from arena.storage.schema import Version
from tests import decided_matches
from tests.web.named_users import House, furnished, house

__all__ = ["furnished", "house"]

T = "/api/v1/tournaments"
SMALL = {"game": "lost_cities", "options": {"hands": 1}}


def create(olga: TestClient, **wish: Any) -> int:
    answer = olga.post(T, json={**SMALL, **wish})
    assert answer.status_code == 201, answer.text
    number: int = answer.json()["id"]
    return number


def code_of(answer: Any) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["code"], answer.json()["field"]


def test_organiser_takes_a_tournament_through_its_life_and_the_log_says_so(house: House) -> None:
    with house.client(house.token("olga")) as olga:
        number = create(olga, begin="created")
        assert olga.post(f"{T}/{number}/open").json()["state"] == "open"
        for bot in ("greedy", "random"):
            assert olga.post(f"{T}/{number}/entries", json={"bot": bot}).status_code == 201
        page = olga.post(f"{T}/{number}/start").json()
        assert (page["state"], page["matches_total"], page["rules"]) == ("running", 2, "Round-robin, 1 cycle")
        assert olga.post(f"{T}/{number}/pause").json()["state"] == "paused"
        assert olga.post(f"{T}/{number}/resume").json()["state"] == "running"
        assert olga.post(f"{T}/{number}/extend", json={"more": 2}).json()["matches_total"] == 6
        assert olga.post(f"{T}/{number}/priority", json={"priority": 40}).json()["priority"] == 40
        page = olga.post(f"{T}/{number}/cancel", json={"why": "rain"}).json()
        assert (page["state"], page["decisions"][0]["words"]) == ("cancelled", "cancelled: rain")
        assert page["secret"] is not None
    rows = [row for row in audit_log.listing(house.store, OPERATOR) if row.subject == f"tournament/{number}"]
    assert [(row.actor, row.action) for row in reversed(rows)] == [
        ("olga", f"tournament.{verb}")
        for verb in (
            *("create", "open", "enter", "enter", "start"),
            *("pause", "resume", "extend", "edit", "cancel"),
        )
    ]


def test_author_enters_and_withdraws_a_bot_of_their_own_while_it_is_open(house: House) -> None:
    decided_matches.dial_in(house.store, house.actor("ada"), "lost_cities", "mine")
    with house.client(house.token("olga")) as olga, house.client(house.token("ada")) as ada:
        number = create(olga, begin="created", bots=["greedy"])
        entries = f"{T}/{number}/entries"
        assert code_of(ada.post(entries, json={"bot": "mine"})) == (409, "wrong_state", "tournament_id")
        olga.post(f"{T}/{number}/open")
        assert ada.post(entries, json={"bot": "mine"}).json() == {
            "tournament": number,
            "bot": "mine",
            "version": "1",
        }
        assert code_of(ada.post(entries, json={"bot": "mine"})) == (409, "already_entered", "bot")
        assert code_of(ada.post(entries, json={"bot": "random"})) == (403, "not_yours", "bot")
        assert code_of(ada.delete(f"{entries}/greedy")) == (403, "not_yours", "bot")
        assert ada.delete(f"{entries}/mine").status_code == 200
        assert [row["bot"] for row in ada.get(f"{T}/{number}").json()["entries"]] == ["greedy"]
        assert code_of(ada.delete(f"{entries}/mine")) == (404, "not_entered", "bot")


def test_results_of_a_bot_that_has_begun_are_annulled_by_the_organiser_alone(house: House) -> None:
    decided_matches.dial_in(house.store, house.actor("ada"), "lost_cities", "mine")
    with house.client(house.token("olga")) as olga, house.client(house.token("ada")) as ada:
        number = create(olga, bots=["greedy", "random", "mine"], cycles=3)
        refused = ada.delete(f"{T}/{number}/entries/mine", params={"annul": True})
        assert code_of(refused) == (403, "scope_missing", "scope")
        assert olga.delete(f"{T}/{number}/entries/mine", params={"annul": True}).status_code == 200
        page = olga.get(f"{T}/{number}").json()
        assert {row["bot"]: row["left"] for row in page["entries"]} == {
            "greedy": None,
            "random": None,
            "mine": "annulled",
        }
        assert page["matches_total"] == 6
        assert (
            page["decisions"][0]["words"] == "mine@1 has left: withdrawn by olga; its results were annulled"
        )
        assert code_of(olga.delete(f"{T}/{number}/entries/mine")) == (409, "wrong_state", "bot")


@pytest.mark.parametrize(
    ("bot", "expected", "said"),
    [
        ("hoarder", (422, "other_game", "bot"), "does not play lost_cities; it plays land_unter"),
        ("nobody", (404, "bot_unknown", "bot"), "lost_cities has greedy, mine, random"),
        ("greedy@9", (404, "bot_unknown", "bot"), "has no version '9'; lost_cities has 1"),
    ],
)
def test_who_cannot_be_entered_is_refused_by_name(
    house: House, bot: str, expected: tuple[int, str, str], said: str
) -> None:
    bots.register_house(house.store, {"land_unter": ("hoarder",)})
    decided_matches.dial_in(house.store, house.actor("ada"), "lost_cities", "mine")
    with house.client(house.token("olga")) as olga:
        answer = olga.post(f"{T}/{create(olga, begin='open')}/entries", json={"bot": bot})
    assert code_of(answer) == expected
    assert said in answer.json()["detail"]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (
            "waiting",
            "waits for its qualification, which for a bot that runs elsewhere begins when it is connected",
        ),
        ("failed", "has failed its qualification"),
        ("withdrawn", "was withdrawn; its owner can bring it back with `arena bot restore`"),
        ("superseded", "it runs elsewhere, where only the version that is connected can play; enter mine"),
        ("suspended", "is suspended after repeated faults"),
    ],
)
def test_a_version_that_is_not_active_is_neither_entered_nor_started_with(
    house: House, state: str, said: str
) -> None:
    decided_matches.dial_in(house.store, house.actor("ada"), "lost_cities", "mine")
    with house.client(house.token("olga")) as olga:
        entered = create(olga, begin="open", bots=["greedy", "mine"])
        number = create(olga, begin="open")
        with house.store.write() as session:
            version = bots.find_in(session, "lost_cities", "mine").version_id
            session.execute(update(Version).where(Version.id == version).values(state=state))
        for answer in (
            olga.post(f"{T}/{number}/entries", json={"bot": "mine"}),
            olga.post(f"{T}/{entered}/start"),
            olga.post(T, json={**SMALL, "bots": ["greedy", "mine"]}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (409, "not_active")
            assert said in answer.json()["detail"]


@pytest.mark.parametrize(
    ("wish", "names", "expected", "said"),
    [
        ({}, ["greedy"], (422, "too_few_bots", "bots"), "bots: 1 entered; a table has 2 seats"),
        (
            {"stop": "sprt:0,10", "cycles": 50},
            ["greedy", "random", "mine"],
            (422, "stop_invalid", "stop"),
            "compares two versions, but 3 are entered",
        ),
        (
            {"stop": "separated:2", "cycles": 50},
            ["greedy", "random"],
            (422, "stop_invalid", "stop"),
            "2 bots are entered, so the best 1 to 1 can be separated",
        ),
    ],
)
def test_what_cannot_be_played_with_those_entered_does_not_start(
    house: House, wish: dict[str, Any], names: list[str], expected: tuple[int, str, str], said: str
) -> None:
    decided_matches.dial_in(house.store, house.actor("ada"), "lost_cities", "mine")
    with house.client(house.token("olga")) as olga:
        number = create(olga, begin="open", bots=names, **wish)
        answer = olga.post(f"{T}/{number}/start")
        assert code_of(answer) == expected
        assert said in answer.json()["detail"]
        assert olga.get(f"{T}/{number}").json()["state"] == "open"


def test_what_would_never_fit_is_refused_before_it_begins(house: House) -> None:
    with house.client(house.token("olga")) as olga:
        number = create(olga, bots=["greedy", "random"], stop="separated:1", cycles=100_000)
        answers = [olga.post(f"{T}/{number}/extend", json={"more": 100_000}) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200] * 4 + [422]
        assert code_of(answers[-1]) == (422, "more_invalid", "more")
        assert "up to 1200000 matches; at most 1000000" in answers[-1].json()["detail"]


@pytest.mark.parametrize(
    ("verb", "body", "expected"),
    [
        ("extend", {"more": 0}, (422, "more_invalid", "more")),
        ("extend", {}, (422, "invalid", "more")),
        ("priority", {"priority": 101}, (422, "priority_invalid", "priority")),
        ("cancel", {"why": "x" * 501}, (422, "invalid", "why")),
        ("cancel", {"because": "rain"}, (422, "invalid", "because")),
        ("resume", None, (409, "wrong_state", "tournament_id")),
        ("open", None, (409, "wrong_state", "tournament_id")),
        ("start", None, (409, "wrong_state", "tournament_id")),
    ],
)
def test_what_cannot_be_done_names_the_field(
    house: House, verb: str, body: dict[str, Any] | None, expected: tuple[int, str, str]
) -> None:
    with house.client(house.token("olga")) as olga:
        number = create(olga, bots=["greedy", "random"])
        assert code_of(olga.post(f"{T}/{number}/{verb}", json=body)) == expected
        assert tournaments.row(house.store, number).state == "running"


def test_a_knockout_cannot_be_extended(house: House) -> None:
    with house.client(house.token("olga")) as olga:
        number = create(olga, bots=["greedy", "random"], format="knockout")
        answer = olga.post(f"{T}/{number}/extend", json={"more": 1})
    assert code_of(answer) == (409, "not_extensible", "format")


def test_a_browser_writes_only_with_its_csrf_token(house: House) -> None:
    with house.browser("olga") as olga:
        number = create(olga, bots=["greedy", "random"])
        del olga.headers["X-CSRF-Token"]
        assert code_of(olga.post(f"{T}/{number}/pause")) == (403, "csrf_missing", "X-CSRF-Token")


def test_open_pages_are_told_of_every_change(house: House) -> None:
    with house.client(house.token("olga")) as olga:
        number = create(olga, begin="open", bots=["greedy", "random"])
        for verb in ("start", "pause", "resume", "cancel"):
            olga.post(f"{T}/{number}/{verb}", json={} if verb == "cancel" else None)
    with connect(house.redis.url) as client:
        events = events_of(
            entries_by_stream(client.xread({tournament_stream(number): "0"})).get(
                tournament_stream(number), ()
            )
        )
    assert {event.kind for event in events} == {EventKind.STATE}
    assert [event.data["state"] for event in events] == ["open", "running", "paused", "running", "cancelled"]


def test_a_tournament_is_directed_while_redis_is_away(house: House) -> None:
    with house.client(house.token("olga")) as olga:
        number = create(olga, bots=["greedy", "random"])
        house.redis.kill()
        try:
            assert olga.post(f"{T}/{number}/pause").json()["state"] == "paused"
        finally:
            house.redis.start()
