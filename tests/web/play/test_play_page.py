"""People play against house bots: a real referee, real bots, over HTTP as a browser without scripts does it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from typing import TYPE_CHECKING

import pytest

from arena.games.registry import GAMES
from arena.match.clock import TimeControl
from arena.match.faults import FaultKind
from arena.match.record import Ending, Record, from_json
from arena.match.verification import verify
from arena.messaging.redis_connection import connect
from arena.referee_client import local_referee
from arena.referee_client.control_client import Referee
from arena.referee_client.orders import Hosted, Order, SeatOrder
from arena.referee_client.play_cause import PlayCause
from arena.referee_client.reports import Finished
from arena.web.play import game_request
from arena.web.play.game_request import PACES
from arena.web.play.human_games import PlayTerms
from arena.web.play.opponents import level_of_each, opponents, style
from bots.catalogue import house_bots
from tests.parts.arena_process import command_line, descendants
from tests.patience import wait_until
from tests.web.conftest import opened
from tests.web.play.http_player import Shown, decide, look, move_in, our_turn, play_first, take_seat, visiting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastapi.testclient import TestClient

    from arena.storage import Store
    from tests.parts.redis_server import RunningRedis

SHORT = {
    "lost_cities": {"option_hands": "1"},
    "land_unter": {"option_rounds": "1"},
    "bottle_imp": {"option_hands": "1"},
}


@pytest.fixture(scope="module")
def control() -> Iterator[str]:
    with local_referee(sandbox="off") as address:
        yield address


@pytest.fixture(scope="module")
def furnished_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(tmp_path_factory.mktemp("people")) as store:
        move_in(store)
        yield store


@pytest.fixture
def person(furnished_store: Store, redis_server: RunningRedis, control: str) -> Iterator[TestClient]:
    with connect(redis_server.url) as redis:
        redis.flushdb()  # and with it the counts of the rate limits
    with visiting(furnished_store, redis_server, PlayTerms(control)) as client:
        yield client


def record(client: TestClient, shown: Shown) -> Record:
    return from_json(client.get(f"{shown.address}/record").text)


@pytest.mark.parametrize("game", GAMES)
def test_person_plays_each_game_to_its_end_and_the_record_verifies(game: str, person: TestClient) -> None:
    shown = play_first(person, take_seat(person, game, **SHORT.get(game, {})))
    played = record(person, shown)
    assert verify(played) is None
    assert played.result.fault is None
    assert next(seat.bot for seat in played.seats) == "you"
    assert (
        played.options
        == GAMES[game]
        .setup(
            len(played.seats), options={name[7:]: int(value) for name, value in SHORT.get(game, {}).items()}
        )
        .options
    )


def test_persons_time_runs_out_as_a_bots_does(person: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_request.PACES, "calm", ("", TimeControl(300, 0, 300, 300)))
    shown = take_seat(person, "lost_cities")
    wait_until(lambda: look(person, shown).over, "the match is over")
    assert "You ran out of time" in look(person, shown).text
    fault = record(person, shown).result.fault
    assert fault is not None
    assert (fault.seat, fault.kind) == (0, FaultKind.TIMEOUT)


def test_giving_up_ends_the_match_with_a_record(person: TestClient) -> None:
    shown = take_seat(person, "lost_cities")
    assert person.get(f"{shown.address}/record").status_code == 409
    person.post(f"{shown.address}/resign")
    wait_until(lambda: look(person, shown).over, "the match is over")
    assert "You resigned" in look(person, shown).text
    assert "lost by crash" not in look(person, shown).text
    assert re.findall(r'<td class="number strong">(.*?)</td>', look(person, shown).text) == ["0", "0"]
    assert verify(record(person, shown)) is None
    again = person.post(f"{shown.address}/again")
    assert again.url.path != shown.address
    assert our_turn(person, Shown(again.url.path, again.text)).decision is not None


def referee_at(control: str) -> int:
    (pid,) = [each for each in descendants(os.getpid()) if f"--control {control}" in command_line(each)]
    return pid


def bots_at(control: str) -> list[int]:
    return [each for each in descendants(referee_at(control)) if command_line(each).startswith("house:")]


def test_leaving_ends_the_table_and_leaves_no_process(
    furnished_store: Store, redis_server: RunningRedis
) -> None:
    with local_referee() as control, visiting(furnished_store, redis_server, PlayTerms(control)) as client:
        shown = take_seat(client, "lifeboats", opponent=["greedy", "greedy", "liar"])
        assert len(bots_at(control)) == 3
        assert client.post(f"{shown.address}/leave").url.path == "/play"
        wait_until(lambda: not bots_at(control), "the bots are gone")
        gone = client.get(shown.address)
        assert gone.status_code == 404
        assert "This table is closed" in gone.text


def test_table_that_nobody_looks_at_is_ended(
    furnished_store: Store, redis_server: RunningRedis, control: str
) -> None:
    with visiting(furnished_store, redis_server, PlayTerms(control, away_s=0.1)) as client:
        opened = client.post(
            "/play", data={"game": "lost_cities", "opponent": ["greedy"]}, headers={"X-Part": "1"}
        )
        assert opened.status_code == 204
        wait_until(lambda: client.get("/api/v1/play").json()["places"] == 8, "its place is free")
        assert "Your tables" not in client.get("/play").text


def test_table_is_its_persons_alone(person: TestClient) -> None:
    shown = take_seat(person, "lost_cities")
    own = person.cookies["arena_player"]
    for stranger in ({}, {"arena_player": "somebody else"}):
        person.cookies.clear()
        person.cookies.update(stranger)
        assert person.get(shown.address).status_code == 404
        for verb, form in (
            ("answer", {"decision": 1, "action": "draw deck"}),
            ("resign", {}),
            ("leave", {}),
            ("again", {}),
        ):
            assert person.post(f"{shown.address}/{verb}", data=form).status_code == 404
        assert person.get(f"{shown.address}/events").status_code == 404
        assert person.get(f"/api/v1/play/games/{shown.address[6:]}").status_code == 404
    person.cookies.clear()
    assert (
        person.get(f"/api/v1/play/games/{shown.address[6:]}", headers={"X-Player": own}).json()["phase"]
        == "playing"
    )


def test_answers_that_are_not_asked_or_not_legal_change_nothing(person: TestClient) -> None:
    shown = take_seat(person, "lost_cities")
    address, decision, first = f"{shown.address}/answer", shown.decision, shown.actions[0]
    for form, status in (
        ({"decision": decision, "action": "play Z9"}, 422),
        ({"decision": decision, "text": "hello"}, 409),
        ({"decision": 99, "action": first}, 409),
        ({"decision": "nine", "action": first}, 422),
        ({}, 422),
    ):
        assert person.post(address, data=form).status_code == status, form
    assert look(person, shown).decision == decision
    assert person.post(address, data={"decision": decision, "action": first}).status_code == 200
    assert person.post(address, data={"decision": decision, "action": first}).status_code == 409


def test_form_of_another_site_opens_no_table(person: TestClient) -> None:
    answer = person.post("/play", data={"game": "lost_cities"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_places_are_bounded(furnished_store: Store, redis_server: RunningRedis, control: str) -> None:
    with visiting(furnished_store, redis_server, PlayTerms(control, tables=2, of_address=2)) as client:
        take_seat(client, "lost_cities")
        wanted = {"game": "lost_cities", "opponent": ["greedy"]}
        second = client.post("/play", data=wanted)
        assert second.status_code == 409
        assert "You already have a match in progress" in second.text
        client.cookies.clear()
        many = client.post("/play", data={"game": "lifeboats", "opponent": ["greedy"] * 5})
        assert many.status_code == 503
        take_seat(client, "lost_cities")
        client.cookies.clear()
        third = client.post("/play", data=wanted)
        assert third.status_code == 429
        assert "Too many people are playing from your address" in third.text
        assert "disabled" in client.get("/play").text


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"opponent": ["nobody"]}, "opponents"),
        ({"opponent": ["greedy"] * 3}, "opponents"),
        ({"opponent": ["greedy"], "seat": "7"}, "seat"),
        ({"opponent": ["greedy"], "pace": "never"}, "pace"),
        ({"opponent": ["greedy"], "option_hands": "99"}, "hands"),
        ({"opponent": ["greedy"], "option_hands": "many"}, "hands"),
    ],
)
def test_wish_that_cannot_be_met_names_the_field(
    person: TestClient, form: dict[str, object], field: str
) -> None:
    page = person.post("/play", data={"game": "lost_cities", **form})
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    if field != "opponents":
        assert 'aria-invalid="true"' in page.text


def test_arena_without_a_referee_says_that_nobody_can_be_played(client: TestClient) -> None:
    assert "no referee is running" in client.get("/play").text


def test_referee_that_goes_away_ends_the_match_kindly(
    furnished_store: Store, redis_server: RunningRedis
) -> None:
    with local_referee() as control, visiting(furnished_store, redis_server, PlayTerms(control)) as client:
        shown = take_seat(client, "lost_cities")
        os.kill(referee_at(control), signal.SIGKILL)
        wait_until(
            lambda: "stopped in the middle of the match" in look(client, shown).text, "the page says so"
        )


def test_referee_that_does_not_answer_is_told_kindly(
    furnished_store: Store, redis_server: RunningRedis, tmp_path: Path
) -> None:
    with visiting(furnished_store, redis_server, PlayTerms(f"unix:{tmp_path}/none")) as client:
        opened = client.post("/play", data={"game": "lost_cities", "opponent": ["greedy"]})
        wait_until(
            lambda: "the referee is not responding" in client.get(opened.url.path).text, "the page says so"
        )


def test_person_talks_at_the_table(person: TestClient) -> None:
    shown = take_seat(person, "lifeboats", talks="1", option_dealt="1", opponent=["keeper", "liar"])
    assert shown.talks
    claim = {"kind": ["promise", ""], "claim_seat": ["0", "0"], "vote": ["W", "W"], "when": ["this", "this"]}
    shown = decide(person, shown, text="I vote white.", **claim)
    wait_until(
        lambda: "“I vote white.” · promises to vote white now" in look(person, shown).text,
        "the line is heard",
    )
    table = shown.address[6:]
    said = [step for step in person.get(f"/api/v1/play/games/{table}").json()["seen"] if "say" in step]
    assert said[0]["say"] == {
        "text": "I vote white.",
        "claims": [{"kind": "promise", "seat": 0, "vote": "W", "when": "this"}],
    }


def test_one_click_promises_a_vote(person: TestClient) -> None:
    shown = take_seat(person, "lifeboats", talks="1", option_dealt="1", opponent=["keeper", "liar"])
    assert re.search(r'name="claim" value="promise 0 Y this"[^>]*>I vote yellow<', shown.text)
    decide(person, shown, claim="promise 0 Y this")
    wait_until(lambda: "promises to vote yellow now" in look(person, shown).text, "the promise is heard")


@pytest.mark.parametrize("claim", ["promise 0 Y", "promise x Y this", "promise 0 Y this now"])
def test_a_claim_that_is_not_one_is_refused(person: TestClient, claim: str) -> None:
    shown = take_seat(person, "lifeboats", talks="1", option_dealt="1", opponent=["keeper", "liar"])
    answer = person.post(f"{shown.address}/answer", data={"decision": str(shown.decision), "claim": claim})
    assert answer.status_code == 422


def test_the_table_does_not_wait_for_the_others_while_the_person_may_talk(person: TestClient) -> None:
    shown = take_seat(person, "lifeboats", talks="1", option_dealt="1", opponent=["keeper", "liar"])
    assert shown.talks
    assert "Waiting for the others" not in shown.text


def test_program_plays_over_the_api(person: TestClient) -> None:
    wanted = {
        "game": "bottle_imp",
        "variant": "bright_house",
        "opponents": ["daring"],
        "options": {"hands": 1},
        "seat": 1,
    }
    opened = person.post("/api/v1/play/games", json=wanted)
    assert opened.status_code == 201
    key = {"X-Player": opened.json()["player"]}
    address = f"/api/v1/play/games/{opened.json()['table']}"

    def state() -> dict[str, object]:
        return dict(person.get(address, headers=key).json())

    for _ in range(200):
        wait_until(lambda: state()["asked"] or state()["phase"] == "over", "it is our turn")
        now = state()
        if now["phase"] == "over":
            break
        asked = now["asked"]
        assert isinstance(asked, dict)
        body = {"decision": asked["decision"], "action": asked["legal"][-1]}
        assert person.post(f"{address}/answer", json=body, headers=key).status_code == 200
    assert now["names"] == ["daring", "you"]
    assert verify(from_json(person.get(f"{address}/record", headers=key).text)) is None
    assert person.delete(address, headers=key).status_code == 204
    assert person.get(address, headers=key).status_code == 404


def test_page_of_all_games_takes_little_over_the_wire_with_its_pictures(client: TestClient) -> None:
    page = client.get("/play")
    addresses = set(re.findall(r'(?:href|src)="((?:/static|/docs/images)/[^"]+)"', page.text))
    pictures = {each for each in addresses if each.endswith((".webp", ".png"))}
    assert len(pictures) == len(GAMES)
    size = {each: _wire_bytes(client, each) for each in (*addresses, "/play")}
    assert sum(size[each] for each in pictures) <= 100_000
    assert sum(size.values()) <= 150_000, size


def _wire_bytes(client: TestClient, address: str) -> int:
    """Return the size of an answer as a browser gets it, compressed where the server compresses."""
    with client.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.status_code == 200, address
        return sum(map(len, answer.iter_raw()))


def test_each_house_bot_is_described_to_people() -> None:
    assert [f"{game}/{bot}" for game in GAMES for bot in house_bots(game) if not style(game, bot)] == []


def test_everybody_may_think_over_a_single_decision() -> None:
    assert all(time.cap_ms == time.base_ms for _, time in PACES.values())
    assert re.search(r"10 minutes", next(iter(PACES.values()))[0])


def test_bot_plays_the_persons_deal_again_and_a_rematch_counts_the_series(
    person: TestClient, furnished_store: Store, control: str
) -> None:
    shown = play_first(person, take_seat(person, "land_unter", option_rounds="1"))
    played = record(person, shown)
    table = f"/api/v1/play/games/{shown.address.rpartition('/')[2]}"
    key = {"X-Player": person.cookies["arena_player"]}
    wait_until(lambda: person.get(table, headers=key).json()["same_deal"] is not None, "the bot has played")
    other = person.get(table, headers=key).json()["same_deal"]
    assert other["bot"] == "greedy"
    assert f"greedy scored <strong>{other['score']}".replace("-", "−") in look(person, shown).text

    assert re.search(r">You</span> <strong>|</span> You played ", look(person, shown).text)
    assert re.search(r"You take water \d+\.", look(person, shown).text)
    assert "your seat" not in look(person, shown).text.replace("in your seat", "")

    greedy = next(each for each in opponents(furnished_store, "land_unter") if each.name == "greedy")
    seats = tuple(SeatOrder("greedy", greedy.version, Hosted(greedy.program, lane)) for lane in range(3))
    order = Order("the same deal", "land_unter", "standard", seats, played.seed, {"rounds": 1})
    result = asyncio.run(_play(control, order))
    assert (other["score"], other["place"]) == (result.scores[0] if result.scores else None, result.places[0])

    again = person.post(f"{shown.address}/again")
    places = played.result.places
    won = [int(place == 1 and places.count(1) == 1) for place in places]
    heading = re.sub(r"<[^>]+>|\s+", " ", again.text)
    assert "match 2" in heading
    assert re.search(rf"wins:\s+you {won[0]},\s+greedy {won[1]},\s+greedy {won[2]}", heading)


def test_levels_follow_elo_where_all_bots_have_one() -> None:
    elos = {"random": 900.0, "greedy": 1500.0, "keeper": 1620.0, "liar": 1440.0, "search": 1590.0}
    assert level_of_each(list(elos), elos) == {"random": 1, "liar": 2, "greedy": 3, "search": 4, "keeper": 5}
    assert level_of_each(["search", "liar", "greedy", "random"], {"liar": 2000.0}) == {
        "random": 1,
        "greedy": 2,
        "liar": 3,
        "search": 5,
    }
    assert level_of_each(["greedy"], {"greedy": 1500.0}) == {"greedy": 1}


def test_quick_start_at_a_level_seats_its_bot_in_every_place(person: TestClient) -> None:
    page = person.get("/play").text
    assert page.count('name="rival" value="search"') == len(GAMES)
    shown = take_seat(person, "land_unter", rival="random")
    assert re.findall(r'seat-[12]" data-seat="[12]">(\w+)</span>', shown.text)[:2] == ["random", "random"]


_PLACE = re.compile(r'<button type="submit" class="place [^"]*" name="action" value="([^"]*)">')


def test_piles_and_expeditions_are_buttons_or_lead_to_the_choices(person: TestClient) -> None:
    shown = take_seat(person, "lost_cities")
    plays = [each for each in shown.actions if each.startswith("play ")]
    lit = "|".join(re.findall(r'data-ways="([^"]*)"', shown.text)).split("|")
    assert set(plays) <= {*lit, *_PLACE.findall(shown.text)} <= set(shown.actions)
    while "draw deck" not in shown.actions:  # where it is the only choice, nothing is asked
        discards = [each for each in shown.actions if each.startswith("discard ")]
        shown = our_turn(person, decide(person, shown, action=discards[0]))
    assert {each for each in shown.actions if each.startswith("draw ")} == set(_PLACE.findall(shown.text))


def test_boats_are_buttons_for_what_is_voted_on(person: TestClient) -> None:
    shown = take_seat(person, "lifeboats", option_dealt="1")
    assert sorted(_PLACE.findall(shown.text)) == sorted(
        {each for each in shown.actions if each.startswith("vote ")}
    )


async def _play(control: str, order: Order) -> Ending:
    async with Referee(control) as referee:
        async for report in referee.play([order], PlayCause()):
            if isinstance(report, Finished):
                return report.record.result
    raise AssertionError("the match was not played")
