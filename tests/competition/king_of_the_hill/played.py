"""What is seen of a format that was added to a copy of the arena; run there, by test_new_format.py."""

from __future__ import annotations

from pathlib import Path

from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.reports import tournaments
from arena.storage import Store, upgrade
from tests.cli.running import run
from tests.decided_matches import new_tournament
from tests.parts.arena_process import RunningArena, is_over
from tests.patience import wait_until
from tests.reports.test_tournament_archive import files_of, play_whole, verdict, written
from tests.web.conftest import redis_server
from tests.web.named_users import House, furnished, house, post
from tests.web.routes import DRAFT
from tests.web.whole_arena.conftest import arena

__all__ = ["arena", "furnished", "house", "redis_server"]

NAME = "king-of-the-hill"
HANDS = {"hands": 1}


def test_the_form_offers_it_creates_it_and_its_page_shows_it(house: House) -> None:
    sent = {**DRAFT, "format": NAME, "laps": "2", "option_hands": "1", "do": "create"}
    with house.browser("olga") as olga:
        form = olga.get("/organise/tournament?game=lost_cities").text
        assert f'name="format" value="{NAME}"' in form
        assert 'name="laps"' in form
        created = post(olga, "/organise/tournament", **sent)
        play_whole(house.store)
        page = olga.get(created.headers["location"]).text
    assert "King of the hill, 2 laps" in page
    assert '<h2 id="rounds">The hill</h2>' in page
    assert "Won by <strong>" in page


def test_a_wrong_number_is_said_beside_its_field_of_the_form(house: House) -> None:
    with house.browser("olga") as olga:
        answer = post(olga, "/organise/tournament", **{**DRAFT, "format": NAME, "laps": "many"})
    assert answer.status_code == 422
    assert "laps &#39;many&#39;: must be a whole number" in answer.text
    assert 'name="laps" value="many"' in answer.text


def test_the_api_has_its_parameter_and_plays_it(house: House) -> None:
    asked = {"game": "lost_cities", "bots": ["greedy", "random"], "format": NAME, "options": HANDS}
    with house.client(house.token("olga", "tournaments")) as client:
        document = client.get("/openapi.json").json()
        estimate = client.post("/api/v1/tournaments/estimate", json={**asked, "laps": 3}).json()
        created = client.post("/api/v1/tournaments", json={**asked, "laps": 3}).json()
        refused = client.post("/api/v1/tournaments", json={**asked, "format": "swiss", "laps": 3}).json()
        play_whole(house.store)
        played = client.get(f"/api/v1/tournaments/{created['id']}").json()
    assert "laps" in document["components"]["schemas"]["TournamentCreate"]["properties"]
    assert (estimate["sets"], estimate["matches"]) == (3, 6)
    assert refused["code"] == "laps_invalid"
    assert f"only a {NAME} has them" in refused["detail"]
    assert (played["state"], len(played["rounds"]), played["matches_done"]) == ("finished", 3, 6)
    assert played["champion"] == played["rounds"][2]["ties"][0]["winner"]


def test_the_command_creates_and_shows_it(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    upgrade(f"sqlite:///{data}/arena.db")
    store = Store.open(f"sqlite:///{data}/arena.db")
    bots.register_house(store, {"lost_cities": ["greedy", "random", "rusher"]})
    made = run(
        *("tournament", "create", "lost_cities", "--bots", "greedy,random,rusher", "--data", data),
        *("--option", "hands=1", "--format", NAME, "--laps", "2"),
    )
    assert made.code == 0, made.error
    play_whole(store)
    store.close()
    shown = run("tournament", "show", "1", "--data", data)
    assert "King of the hill, 2 laps: lost_cities" in shown.out
    assert "winner" in shown.out


def test_its_archive_is_verified(store: Store, tmp_path: Path) -> None:
    new_tournament(store, format=NAME, given={"laps": 2}, options=HANDS)
    play_whole(store)
    page = tournaments.page(store, 1)
    assert (page.state, page.matches_done, page.champion is not None) == ("finished", 8, True)
    assert verdict(tmp_path, files_of(written(store, 1))).matches == 8


def test_workers_play_it(arena: RunningArena) -> None:
    store = arena.open_store()
    three = ("greedy", "random", "rusher")
    asked = TournamentSpec("lost_cities", three, options=HANDS, format=NAME, given={"laps": 2})
    number = creation.create(store, asked)
    wait_until(lambda: is_over(store, number), "it is played", within_s=60.0)
    page = tournaments.page(store, number)
    store.close()
    assert [each.kind for each in reversed(page.decisions)] == ["drawn"] * 4 + ["over"]
    assert (page.matches_done, page.champion is not None) == (8, True)
