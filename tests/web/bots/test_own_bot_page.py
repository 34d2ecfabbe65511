"""A bot's page for its owner: why it failed, what it can do when it has not, and that all this is nobody else's."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete

from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import blocks
from arena.competition.matches.results import Output
from arena.competition.qualification import arrivals, submissions
from arena.referee_client import DialIn
from arena.storage.schema import Bundle
from tests import decided_matches
from tests.bundle_format.uploads import BOT, project
from tests.decided_matches import store_result
from tests.web.named_users import House, furnished, house, post

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from arena.competition.qualification.submissions import VersionRow

__all__ = ["furnished", "house"]

MINE = "/account/bots/lost_cities/mine"


@pytest.fixture
def ada(house: House) -> Iterator[TestClient]:
    bots.register_house(house.store, {"lost_cities": decided_matches.NAMES})
    with house.browser("ada") as browser:
        yield browser


def submit(browser: TestClient, data: bytes | None = None) -> None:
    answer = post(browser, "/submit", files={"upload": ("mine.zip", project() if data is None else data)})
    assert answer.status_code == 303, answer.text


def play(house: House, *, fault: bool = False, prints: bytes = b"my <plan> was good") -> str:
    """Play all that is open, where `mine` prints its plan and may be at fault; gives a match's id."""
    last = ""
    for key in blocks.reconcile(house.store):
        block = decided_matches.claim(house.store, key=key)
        for match in block.matches:
            seat = [each.bot for each in match.seats].index("mine")
            changes = {"result": decided_matches.fault(len(match.seats), seat, "crash")} if fault else {}
            text = decided_matches.record(block, match, decided_matches.alphabetical(match), **changes)
            said = {seat: Output(prints, 0)}
            store_result(house.store, key.tournament_id, match.set, match.match, match.attempt, text, said)
            last = match.id
        blocks.finish(house.store, key, "anna")
    return last


def test_failed_qualification_shows_its_reason_and_what_to_mend(house: House, ada: TestClient) -> None:
    submit(ada)
    match = play(house, fault=True)
    page = ada.get(MINE).text
    assert "Not qualified." in page
    assert "of 2: too late" in page
    assert "my &lt;plan&gt; was good" in page
    assert "The program exited or never connected." in page
    assert "data-live" not in page
    log = ada.get(f"{MINE}/matches/{match}").text
    assert "my &lt;plan&gt; was good" in log
    assert post(ada, f"{MINE}/challenges", others="greedy").status_code == 409
    assert post(ada, f"{MINE}/versions/1/restore").status_code == 303
    assert "Qualifying" in ada.get(MINE).text


def test_a_limit_of_the_sandbox_is_named_in_the_verdict_and_beside_the_log(
    house: House, ada: TestClient
) -> None:
    submit(ada)
    match = play(house, fault=True, prints=b"OSError: [Errno 97] Address family not supported by protocol")
    no_network = "there is no network in the sandbox"
    assert no_network in ada.get("/api/v1/bots/lost_cities/mine/versions").json()[0]["reason"]
    page = ada.get(MINE).text
    assert no_network in page
    assert "at home" not in page.partition(no_network)[2].partition("arena bot check")[0]
    assert no_network in ada.get(f"{MINE}/matches/{match}").text


def test_a_qualification_that_ends_while_its_page_is_made_is_shown_with_its_verdict(
    house: House, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(ada)
    read = submissions.versions

    def read_and_play(*arguments: Any) -> Sequence[VersionRow]:
        found = read(*arguments)
        play(house, fault=True)
        return found

    monkeypatch.setattr(submissions, "versions", read_and_play)
    assert "Not qualified." in ada.get(MINE).text


def test_versions_are_withdrawn_activated_and_downloaded(house: House, ada: TestClient) -> None:
    first = project()
    submit(ada, first)
    play(house)
    submit(ada, project(bot=BOT + "# better\n"))
    play(house)
    assert "Version 2" in ada.get(MINE).text
    assert post(ada, f"{MINE}/versions/1/withdraw").status_code == 409
    assert post(ada, f"{MINE}/versions/1/restore").headers["location"] == f"{MINE}?done=restored"
    assert post(ada, f"{MINE}/versions/1/withdraw").status_code == 303
    upload = ada.get(f"{MINE}/versions/1/upload")
    assert "attachment; filename*=utf-8" in upload.headers["content-disposition"]
    assert ada.get("/api/v1/bots/lost_cities/mine@1/upload").content == upload.content
    again = post(ada, "/submit", files={"upload": ("mine.zip", upload.content)})
    assert (again.status_code, "is version 1 of mine already" in again.text) == (409, True)


def test_single_file_is_downloaded_as_it_was(ada: TestClient) -> None:
    files = {"upload": ("mine.py", BOT.encode())}
    post(ada, "/submit", files=files, game="lost_cities")
    assert ada.get(f"{MINE}/versions/1/upload").content == BOT.encode()


def test_bot_is_entered_and_taken_out_while_a_tournament_is_open(house: House, ada: TestClient) -> None:
    cup = creation.create(house.store, TournamentSpec("lost_cities", (), begin="open", name="Open Cup"))
    submit(ada)
    page = ada.get(MINE).text
    assert "Open Cup" in page
    assert f'action="{MINE}/enter/{cup}"' not in page
    assert post(ada, f"{MINE}/enter/{cup}").status_code == 409
    play(house)
    assert f'action="{MINE}/enter/{cup}"' in ada.get(MINE).text
    assert post(ada, f"{MINE}/enter/{cup}").headers["location"] == f"{MINE}?done=entered"
    assert "entered with v1" in ada.get(MINE).text
    (row,) = ada.get("/api/v1/bots/lost_cities/mine/entries").json()
    assert (row["id"], row["state"], row["version"], row["entries"]) == (cup, "open", "1", 1)
    assert post(ada, f"{MINE}/enter/{cup}").status_code == 409
    assert post(ada, f"{MINE}/leave/{cup}").status_code == 303
    assert "entered with v1" not in ada.get(MINE).text


def test_challenge_leads_to_its_page_or_says_what_is_wrong(house: House, ada: TestClient) -> None:
    submit(ada)
    play(house)
    wrong = post(ada, f"{MINE}/challenges", others="gredy")
    assert wrong.status_code == 404
    assert "lost_cities has" in wrong.text
    assert 'value="gredy"' in wrong.text
    assert post(ada, f"{MINE}/challenges", others=["greedy", "random"]).status_code == 422
    answer = post(ada, f"{MINE}/challenges", others=["greedy", ""], version="1")
    assert ada.get(answer.headers["location"]).status_code == 200


def test_public_page_and_the_owners_lead_to_each_other(ada: TestClient, house: House) -> None:
    submit(ada)
    public = "/bots/lost_cities/mine"
    assert f'href="{public}"' in ada.get(MINE).text
    assert f'href="{MINE}"' in ada.get(public).text
    with house.browser("olga") as olga:
        assert f'href="{MINE}"' not in olga.get(public).text


def test_own_bot_is_its_owners_and_the_admins_business(house: House, ada: TestClient) -> None:
    submit(ada)
    match = play(house)
    paths = (MINE, f"{MINE}/matches/{match}", f"{MINE}/versions/1/upload")
    with house.client() as stranger, house.browser("olga") as olga, house.browser("root") as root:
        for path in paths:
            assert stranger.get(path, follow_redirects=False).status_code == 303
            assert olga.get(path).status_code == 403
            assert root.get(path).status_code == 200
        for verb in ("versions/1/withdraw", "versions/1/restore", "token", "token/revoke", "challenges"):
            assert post(olga, f"{MINE}/{verb}", others="greedy").status_code in {403, 409}
    assert "active" in ada.get("/api/v1/bots/lost_cities/mine/versions").text


def test_a_bot_that_dials_in_is_told_how_it_qualifies(house: House, ada: TestClient) -> None:
    post(ada, "/submit/dial-in", game="lost_cities", name="mine")
    page = ada.get(MINE).text
    assert "Connect it to qualify: it plays sets against house bots" in page
    assert "It can challenge others once it has qualified." in page
    now = time.time()
    (token_id,) = bots.admitted(house.store)
    arrivals.note(house.store, [DialIn(token_id)], now)
    assert arrivals.qualify(house.store, now, 50) == 1
    page = ada.get(MINE).text
    assert "Qualifying against house bots" in page
    assert "Keep it running" in page
    play(house, fault=True)
    page = ada.get(MINE).text
    assert "of 2: too late" in page
    assert "run its qualification again under Versions" in page
    post(ada, f"{MINE}/versions/1/restore")
    assert "Connect it to qualify" in ada.get(MINE).text
    assert arrivals.qualify(house.store, now, 50) == 1
    play(house)
    assert "It can enter tournaments" in ada.get(MINE).text


def test_one_bot_too_many_is_refused_beside_its_name(house: House, ada: TestClient) -> None:
    for number in range(10):
        assert post(ada, "/submit/dial-in", game="lost_cities", name=f"bot-{number}").status_code == 200
    refused = post(ada, "/submit/dial-in", game="lost_cities", name="mine")
    assert refused.status_code == 409
    assert "ada has 10 of at most 10 bots of lost_cities already" in refused.text


def test_a_version_whose_files_are_not_kept_says_so_and_offers_no_download(
    house: House, ada: TestClient
) -> None:
    submit(ada)
    play(house)
    assert "/versions/1/upload" in ada.get(MINE).text
    with house.store.write() as session:
        session.execute(delete(Bundle))
    page = ada.get(MINE).text
    assert "Its files have been deleted" in page
    assert "/versions/1/upload" not in page
    assert ada.get(f"{MINE}/versions/1/upload").status_code == 410
    (row,) = ada.get("/api/v1/bots/lost_cities/mine/versions").json()
    assert row["files_kept"] is False
