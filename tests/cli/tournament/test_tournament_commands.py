"""`arena tournament`."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition.matches import absences
from arena.storage import Store
from tests.cli.running import Done, run
from tests.decided_matches import NAMES, play
from tests.stores import new_sqlite

SECRET = "ab" * 32


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A data directory with a store that knows the house bots."""
    return str(tmp_path / "data")


@pytest.fixture
def store(data: str) -> Iterator[Store]:
    opened = Store.open(new_sqlite(Path(data, "arena.db")))
    bots.register_house(opened, {"lost_cities": NAMES, "land_unter": (*NAMES, "odd")})
    yield opened
    opened.close()


def create(data: str, *arguments: str) -> Done:
    return run("tournament", "create", *arguments, "--data", data)


def test_a_created_tournament_says_its_number_its_commitment_and_how_to_follow_it(
    store: Store, data: str
) -> None:
    done = create(data, "lost_cities", "--bots", "greedy,random,rusher", "--cycles", "2")
    assert done.code == 0
    assert "Tournament 1: Lost Cities, 3 bots, 2 seats, 12 matches in 6 sets" in done.out
    assert re.search(r"Commitment [0-9a-f]{64}", done.out)
    assert "`arena tournament watch 1`" in done.out


def test_all_that_may_be_chosen_is_in_the_tournament(store: Store, data: str) -> None:
    arguments = (
        "--bots greedy,random,rusher,counter --seats 4 --option rounds=2 --time 5+0.05 --cycles 3 --trusted"
    )
    done = create(data, "land_unter", *arguments.split(), "--name", "Mine", "--secret", SECRET, "--json")
    page = json.loads(done.out)
    chosen = {
        key: page[key] for key in ("name", "seats", "options", "time", "cycles", "trusted", "matches_total")
    }
    assert chosen == {
        "name": "Mine",
        "seats": 4,
        "options": {"rounds": 2},
        "time": "5+0.05",
        "cycles": 3,
        "trusted": True,
        "matches_total": 12,
    }
    assert page["secret"] is None


def test_an_empty_list_says_how_to_begin(store: Store, data: str) -> None:
    assert "`arena tournament create" in run("tournament", "list", "--data", data).out


def test_the_list_shows_how_far_each_tournament_is(store: Store, data: str) -> None:
    for _ in range(2):
        create(data, "lost_cities", "--bots", "greedy,random")
    play(store, 1)
    out = run("tournament", "list", "--data", data).out
    assert re.search(r"2 +Lost Cities.* running +0 of 2", out)
    assert re.search(r"1 +Lost Cities.* finished +2 of 2", out)


def test_the_list_as_json_has_the_newest_first(store: Store, data: str) -> None:
    for _ in range(2):
        create(data, "lost_cities", "--bots", "greedy,random")
    rows = json.loads(run("tournament", "list", "--data", data, "--json").out)
    assert [row["id"] for row in rows] == [2, 1]


def test_a_shown_tournament_has_standings_and_a_crosstable(store: Store, data: str) -> None:
    create(data, "lost_cities", "--bots", "greedy,random,rusher", "--secret", SECRET)
    play(store, 1)
    out = run("tournament", "show", "1", "--data", data).out
    assert re.search(r"1 +greedy@1 +1500 ± +\d+ +1(–[23])? +4 +4 +4 +0 +0 +0\n", out)
    assert re.search(r"1 +greedy +· +2/2 +2/2\n", out)
    assert f"Secret     {SECRET}" in out


def test_a_tournament_that_waits_for_a_bot_names_it(store: Store, data: str) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "mine")
    create(data, "lost_cities", "--bots", "mine,greedy")
    absences.note(store, 1, {bots.find(store, "lost_cities", "mine").version_id})
    assert "Waiting for mine@1 to connect" in run("tournament", "show", "1", "--data", data).out


def test_a_running_tournament_does_not_show_its_secret(store: Store, data: str) -> None:
    create(data, "lost_cities", "--bots", "greedy,random,rusher", "--secret", SECRET)
    assert SECRET not in run("tournament", "show", "1", "--data", data).out
    assert SECRET not in run("tournament", "show", "1", "--data", data, "--json").out


def test_watching_ends_with_the_tournament_and_shows_the_standings(store: Store, data: str) -> None:
    create(data, "lost_cities", "--bots", "greedy,random,rusher")
    playing = threading.Timer(0.3, play, (store, 1))
    playing.start()
    done = run("tournament", "watch", "1", "--data", data)
    playing.join()
    assert done.error.splitlines()[0].endswith(": 0 of 6 matches")
    assert done.error.splitlines()[-1].endswith(": 6 of 6 matches")
    assert "greedy@1" in done.out


def test_watching_as_json_writes_a_line_for_every_change(store: Store, data: str) -> None:
    create(data, "lost_cities", "--bots", "greedy,random,rusher")
    play(store, 1)
    lines = run("tournament", "watch", "1", "--data", data, "--json").out.splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["finished"]


def test_an_export_is_canonical_json(store: Store, data: str) -> None:
    create(data, "lost_cities", "--bots", "greedy,random", "--secret", SECRET)
    play(store, 1)
    out = run("tournament", "export", "1", "--data", data).out
    document = json.loads(out)
    assert document["format"] == "arena-tournament/5"
    assert [match["places"] for match in document["matches"]] in ([[1, 2], [2, 1]], [[2, 1], [1, 2]])
    assert [row["bot"] for row in document["table"]] == ["greedy", "random"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("chess --bots a,b", "game 'chess': this arena has"),
        ("lost_cities --bots greedy,deep", "bot 'deep': lost_cities has"),
        ("lost_cities --bots greedy", "name at least 2 bots"),
        ("lost_cities --bots greedy,random --seats 3", "seats 3: lost_cities (standard) is played with 2"),
        ("lost_cities --bots greedy,random --variant fast", "variant 'fast': lost_cities has standard"),
        ("lost_cities --bots greedy,random --option hands", "option 'hands': must be NAME=NUMBER"),
        ("lost_cities --bots greedy,random --option hands=99", "option hands=99: must be 1 to 9"),
        ("lost_cities --bots greedy,random --time fast", "time 'fast': must be BASE+INC"),
        ("lost_cities --bots greedy,random --secret abc", "secret 'abc': must be 64 hex digits"),
        ("lost_cities --bots greedy,random --cycles 0", "cycles 0: must be greater than or equal to 1"),
        ("lost_cities", "bots: name them with --bots A,B, or let them be entered"),
        ("lost_cities --bots greedy,random --cycles many", "'many' is not a valid integer"),
        ("lost_cities --bots greedy,odd", "bot 'odd': does not play lost_cities; it plays land_unter"),
        (
            "lost_cities --bots greedy,random --format league",
            "format 'league': must be one of round-robin, gauntlet",
        ),
        ("lost_cities --bots greedy,random --rounds 3", "rounds 3: only a swiss or a race has them"),
        (
            "lost_cities --bots greedy,random --format swiss --sets-each 3",
            "sets_each 3: only a round-robin has them",
        ),
        ("lost_cities --bots greedy,random --format swiss --sets 3", "sets 3: only a knockout has them"),
        ("land_unter --bots greedy,random,odd --format knockout", "is for tables of 2 seats, not 3"),
        (
            "lost_cities --bots greedy,random --stop soon",
            "stop 'soon': must be separated:K or sprt:ELO0,ELO1",
        ),
        ("lost_cities --bots greedy,random --stop sprt:10,0", "elo1 must be greater"),
        ("lost_cities --bots greedy,random --stop sprt:0,10", "so allow at least 16 cycles"),
        (
            "lost_cities --bots greedy,random,rusher --stop sprt:0,10 --cycles 50",
            "compares two versions, but 3 are entered",
        ),
        (
            "lost_cities --bots greedy,random --format swiss --stop separated:1",
            "stop separated:1: a swiss ends by itself",
        ),
        ("lost_cities --bots greedy,random --priority 0", "priority 0: must be 1 to 100"),
        ("lost_cities --open --hold", "--open, --hold: give one of the two"),
    ],
)
def test_what_cannot_be_is_a_usage_error_and_creates_nothing(
    store: Store, data: str, arguments: str, says: str
) -> None:
    done = create(data, *arguments.split())
    assert done.code == 2
    assert says in done.error
    assert json.loads(run("tournament", "list", "--data", data, "--json").out) == []


@pytest.mark.parametrize("verb", ["show", "watch", "export"])
def test_a_tournament_that_does_not_exist_is_a_usage_error(store: Store, data: str, verb: str) -> None:
    done = run("tournament", verb, "7", "--data", data)
    assert done.code == 2
    assert done.error == "arena: tournament 7: there is none; `arena tournament list` shows them\n"


def test_without_a_store_every_command_says_how_to_make_it(data: str) -> None:
    done = run("tournament", "list", "--data", data)
    assert done.code == 1
    assert "`arena up` or `arena db upgrade` makes it" in done.error
    assert not Path(data).exists()


@pytest.mark.parametrize(
    "verb",
    [
        *("create", "list", "show", "watch", "export", "open", "enter"),
        *("start", "pause", "resume", "cancel", "extend", "edit", "delete", "withdraw", "priority set"),
    ],
)
def test_help_has_an_example(verb: str) -> None:
    assert (
        f"arena tournament {verb}" in run("tournament", *verb.split(), "--help").out.partition("Example")[2]
    )
