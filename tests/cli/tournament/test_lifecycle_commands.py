"""`arena tournament open`, `enter`, `start` and so on: in the store here, and at an arena elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from arena.accounts import tokens
from arena.bot_registry import bots
from arena.storage import Store
from arena.storage.schema import Version
from tests import decided_matches
from tests.cli.running import Done, run
from tests.decided_matches import NAMES, alphabetical, person, play_on
from tests.parts.redis_server import running_redis
from tests.parts.web_process import serving
from tests.stores import new_sqlite


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path)


@pytest.fixture
def store(data: str) -> Iterator[Store]:
    opened = Store.open(new_sqlite(Path(data, "arena.db")))
    bots.register_house(opened, {"lost_cities": NAMES})
    yield opened
    opened.close()


def tournament(data: str, *arguments: str) -> Done:
    return run("tournament", *arguments, "--data", data)


def created(data: str, *arguments: str) -> None:
    done = tournament(data, "create", "lost_cities", *arguments)
    assert done.code == 0, done.error


def test_a_tournament_is_taken_through_its_life(store: Store, data: str) -> None:
    created(data, "--hold", "--name", "Cup")
    said = [
        (tournament(data, *arguments.split()).out, expected)
        for arguments, expected in (
            ("edit 1 --name Final", "Tournament 1, Final: created, 0 of 0 matches"),
            ("edit 1 --name Cup", "Tournament 1, Cup: created, 0 of 0 matches"),
            ("open 1", "Tournament 1, Cup: open, 0 of 0 matches"),
            ("enter 1 greedy", "Bot greedy@1 is entered in tournament 1"),
            ("enter 1 random", "Bot random@1 is entered in tournament 1"),
            ("enter 1 rusher", "Bot rusher@1 is entered in tournament 1"),
            ("withdraw 1 rusher", "Bot rusher@1 is out of tournament 1"),
            ("start 1", "Tournament 1, Cup: running, 0 of 2 matches"),
            ("pause 1", "Tournament 1, Cup: paused, 0 of 2 matches"),
            ("resume 1", "Tournament 1, Cup: running, 0 of 2 matches"),
            ("extend 1 2", "Tournament 1, Cup: running, 0 of 6 matches"),
            ("priority 1 40", "Tournament 1, Cup: running, 0 of 6 matches"),
            ("cancel 1 --why rain", "Tournament 1, Cup: cancelled, 0 of 6 matches"),
        )
    ]
    assert [out.strip() for out, _ in said] == [expected for _, expected in said]
    shown = tournament(data, "show", "1").out
    assert re.search(r"2 more cycles were allowed\n.*\n.*cancelled: rain", shown)
    assert "Round-robin, 3 cycles: lost_cities (standard), 2 seats" in shown


def test_one_that_has_not_begun_is_deleted(store: Store, data: str) -> None:
    created(data, "--open", "--bots", "greedy,random")
    assert tournament(data, "delete", "1").out == "Tournament 1 is deleted\n"
    assert "tournament 1: there is none" in tournament(data, "show", "1").error


def test_each_has_an_answer_for_programs(store: Store, data: str) -> None:
    created(data, "--open", "--bots", "greedy,random")
    entered = json.loads(tournament(data, "enter", "1", "rusher", "--json").out)
    assert entered == {"tournament": 1, "bot": "rusher", "version": "1"}
    page = json.loads(tournament(data, "start", "1", "--json").out)
    assert (page["state"], page["matches_total"]) == ("running", 6)
    assert json.loads(tournament(data, "withdraw", "1", "rusher", "--annul", "--json").out)["bot"] == "rusher"
    refused = json.loads(tournament(data, "start", "1", "--json").out)
    assert (refused["code"], refused["field"]) == ("wrong_state", "tournament_id")


def test_a_swiss_is_shown_with_its_points(store: Store, data: str) -> None:
    created(data, "--bots", ",".join(NAMES[:5]), "--format", "swiss", "--rounds", "2")
    play_on(store)
    shown = tournament(data, "show", "1").out
    assert "Swiss, 2 rounds: lost_cities" in shown
    assert re.search(r"bot +points +byes", shown)
    assert "finished: all rounds are played" in shown


def test_a_knockout_is_shown_with_its_stages(store: Store, data: str) -> None:
    created(data, "--bots", ",".join(sorted(NAMES[:4])), "--format", "knockout", "--sets", "2")
    play_on(store)
    shown = tournament(data, "show", "1").out
    assert "Knockout, 2 sets a tie" in shown
    assert re.search(r"Semi-finals.*Final\n", shown, re.DOTALL)
    assert re.search(r"counter@1 +4 : 0 +\S+@1 +counter@1", shown)


def test_a_test_between_versions_is_shown_with_its_ratio(store: Store, data: str) -> None:
    created(data, "--bots", "greedy,random", "--stop", "sprt:0,50", "--cycles", "5000")
    play_on(store, lambda match: alphabetical(match) if match.set % 3 else alphabetical(match)[::-1])
    shown = tournament(data, "show", "1").out
    assert re.search(
        r"LLR \d+\.\d\d after \d+ sets; elo0 = 0 is accepted at -2\.94, elo1 = 50 at 2\.94", shown
    )
    assert re.search(r"finished: after \d+ sets elo1 = 50 is accepted", shown)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("start 7", "tournament 7: there is none"),
        ("start 1", "bots: 1 entered; a table has 2 seats, so enter at least 2"),
        ("pause 1", "tournament 1: is open; to pause it must be running"),
        ("enter 1 greedy", "bot greedy@1: is entered already"),
        ("enter 1 nobody", "bot 'nobody': lost_cities has"),
        ("withdraw 1 random", "bot 'random': must be one of those entered: greedy@1"),
        ("priority 1 0", "priority 0: must be 1 to 100"),
        ("extend 1 2", "tournament 1: is open; to extend it must be paused or running"),
        ("enter 1 random --arena http://localhost:1", "--arena, --data: give one of the two"),
    ],
)
def test_what_cannot_be_done_is_one_line(store: Store, data: str, arguments: str, says: str) -> None:
    created(data, "--open", "--bots", "greedy")
    done = tournament(data, *arguments.split())
    assert (done.code, done.error.count("\n")) == (2, 1)
    assert says in done.error


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("withdrawn", "bot greedy@1: was withdrawn; its owner can bring it back with `arena bot restore`"),
        ("failed", "bot greedy@1: has failed its qualification"),
        ("waiting", "bot greedy@1: waits for its qualification"),
        ("suspended", "bot greedy@1: is suspended after repeated faults"),
    ],
)
def test_a_version_that_is_not_active_cannot_take_part(
    store: Store, data: str, state: str, says: str
) -> None:
    created(data, "--open", "--bots", "greedy,random")
    created(data, "--open")
    with store.write() as session:
        version = bots.find_in(session, "lost_cities", "greedy").version_id
        session.execute(update(Version).where(Version.id == version).values(state=state))
    for arguments in ("start 1", "enter 2 greedy", "create lost_cities --bots greedy,random"):
        done = tournament(data, *arguments.split())
        assert (done.code, done.error.count("\n")) == (2, 1)
        assert says in done.error


def test_authors_and_organisers_work_at_an_arena_elsewhere(store: Store, data: str, tmp_path: Path) -> None:
    created(data, "--open", "--bots", "greedy,random", "--name", "Cup")
    ada, olga = person(store, "ada"), person(store, "olga", "organiser")
    decided_matches.dial_in(store, ada, "lost_cities", "mine")
    with running_redis() as redis, serving(tmp_path, redis.url) as url:

        def at(who: str, *arguments: str) -> Done:
            home = str(tmp_path / who)
            return run("tournament", *arguments, "--arena", url, XDG_CONFIG_HOME=home)

        for actor in (ada, olga):
            (tmp_path / "token").write_text(tokens.create(store, actor, "test").token)
            home = str(tmp_path / actor.name)
            login = run("login", url, "--token-file", str(tmp_path / "token"), XDG_CONFIG_HOME=home)
            assert login.code == 0, login.error
        assert at("ada", "enter", "1", "mine").out == "Bot mine@1 is entered in tournament 1\n"
        assert "bot 'greedy': is not yours" in at("ada", "withdraw", "1", "greedy").error
        assert at("ada", "withdraw", "1", "mine@1").out == "Bot mine@1 is out of tournament 1\n"
        assert "scope 'tournaments'" in at("ada", "start", "1").error
        assert at("olga", "start", "1").out == "Tournament 1, Cup: running, 0 of 2 matches\n"
        assert json.loads(at("olga", "extend", "1", "3", "--json").out)["matches_total"] == 8
        assert at("olga", "cancel", "1").out == "Tournament 1, Cup: cancelled, 0 of 8 matches\n"
