"""`arena bot`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from arena.bot_registry import bots
from arena.competition.qualification import declared_versions
from arena.referee_client import DialIn, Endpoint
from arena.storage import Store
from tests.cli.running import Done, run
from tests.decided_matches import person
from tests.stores import new_sqlite


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path / "data")


@pytest.fixture
def store(data: str) -> Iterator[Store]:
    opened = Store.open(new_sqlite(Path(data, "arena.db")))
    bots.register_house(opened, {"lost_cities": ["greedy", "random"]})
    yield opened
    opened.close()


def bot(data: str, *arguments: str) -> Done:
    return run("bot", *arguments, "--data", data)


def test_a_bot_that_dials_in_gets_a_token_that_is_admitted(store: Store, data: str) -> None:
    done = bot(data, "add", "lost_cities", "mine", "--dial-in")
    assert done.code == 0
    found = re.search(r"^ARENA_TOKEN=(\S+)$", done.out, re.MULTILINE)
    assert found is not None
    assert list(bots.admitted(store).values()) == [sha256(found[1].encode()).digest()]
    assert "`arena tournament create lost_cities --bots mine,greedy`" in done.out


def test_a_token_without_a_running_arena_says_where_the_referees_address_will_be(
    store: Store, data: str
) -> None:
    where = ("--data", data)
    done = run(
        "bot", "add", "lost_cities", "mine", "--dial-in", *where, ARENA_REDIS_URL="redis://127.0.0.1:1/0"
    )
    assert len(bots.admitted(store)) == 1
    assert "ARENA_REFEREE=" not in done.out
    assert "No worker has announced one yet: `arena up` prints it (Bots dial in at …)" in done.out


def test_a_token_is_there_for_programs(store: Store, data: str) -> None:
    made = json.loads(bot(data, "add", "lost_cities", "mine", "--dial-in", "--json").out)
    assert (made["game"], made["bot"]) == ("lost_cities", "mine")
    assert bots.admitted(store) == {made["token_id"]: sha256(made["token"].encode()).digest()}


def test_an_endpoint_is_dialled_at_its_address_with_its_secret(
    store: Store, data: str, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("sesame\n")
    arguments = ("--endpoint", "bots.example.org:7001", "--secret-file", str(tmp_path / "secret"))
    done = bot(data, "add", "lost_cities", "mine", *arguments)
    assert "Bot mine of lost_cities: endpoint bots.example.org:7001" in done.out
    assert "sesame" not in done.out
    with store.read() as session:
        version = bots.find(store, "lost_cities", "mine").version_id
        (source,) = bots.sources_in(session, [version]).values()
    assert source == Endpoint("bots.example.org:7001", "sesame")


def test_an_endpoint_on_this_machine_is_added_only_if_the_operator_allows_it(
    data: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("add", "lost_cities", "mine", "--endpoint", "localhost:7001")
    refused = bot(data, *arguments)
    assert refused.code == 2
    assert (
        "address 'localhost:7001': is not public (this machine); give one that everybody can reach"
        in refused.error
    )
    assert "ARENA_PRIVATE_ENDPOINTS=on" in refused.error
    assert all(each.bot != "mine" for each in bots.listing(store))
    monkeypatch.setenv("ARENA_PRIVATE_ENDPOINTS", "on")
    assert bot(data, *arguments).code == 0


def test_a_new_token_takes_the_place_of_the_old_one(store: Store, data: str) -> None:
    first = json.loads(bot(data, "add", "lost_cities", "mine", "--dial-in", "--json").out)
    second = json.loads(bot(data, "token", "lost_cities", "mine", "--json").out)
    assert list(bots.admitted(store)) == [second["token_id"]] != [first["token_id"]]


def test_a_token_can_be_revoked(store: Store, data: str) -> None:
    bot(data, "add", "lost_cities", "mine", "--dial-in")
    assert "its token counts no longer" in bot(data, "token", "lost_cities", "mine", "--revoke").out
    assert bots.admitted(store) == {}
    again = bot(data, "token", "revoke", "lost_cities", "mine", "--json")
    assert json.loads(again.out) == {"game": "lost_cities", "bot": "mine", "revoked": True}


def test_a_list_shows_what_kind_each_bot_is(store: Store, data: str) -> None:
    bot(data, "add", "lost_cities", "mine", "--endpoint", "bots.example.org:7001")
    out = bot(data, "list").out
    assert re.search(r"lost_cities +greedy@1 +all +hosted +active", out)
    assert re.search(r"lost_cities +mine@1 +all +endpoint, unverified +active", out)


def test_an_endpoint_is_shown_with_its_address(store: Store, data: str) -> None:
    bot(data, "add", "lost_cities", "mine", "--endpoint", "bots.example.org:7001")
    assert bot(data, "show", "mine").out == "Bot mine: endpoint bots.example.org:7001\n"


def test_a_bot_that_dials_in_is_shown_with_its_token(store: Store, data: str) -> None:
    made = json.loads(bot(data, "add", "lost_cities", "mine", "--dial-in", "--json").out)
    assert f"dials in with the token {made['token_id']}, " in bot(data, "show", "mine").out


def test_a_declared_version_is_shown_letter_by_letter(store: Store, data: str) -> None:
    made = json.loads(bot(data, "add", "lost_cities", "mine", "--dial-in", "--json").out)
    declared_versions.take(store, DialIn(made["token_id"]), "[red]7")
    out = bot(data, "list").out
    assert re.search(r"lost_cities +mine@\[red\]7 +all +dial_in, unverified +active", out)
    assert re.search(r"lost_cities +mine@1 +all +dial_in, unverified +superseded", out)
    assert run("tournament", "create", "lost_cities", "--bots", "mine,greedy", "--data", data).code == 0
    assert "mine@[red]7, unverified" in run("tournament", "show", "1", "--data", data).out


def test_the_list_of_a_game_is_there_for_programs(store: Store, data: str) -> None:
    bot(data, "add", "land_unter", "mine", "--dial-in")
    rows = json.loads(bot(data, "list", "land_unter", "--json").out)
    assert [(row["bot"], row["source"]) for row in rows] == [("mine", "dial_in")]


def test_an_added_bot_can_be_entered_in_a_tournament(store: Store, data: str) -> None:
    bot(data, "add", "lost_cities", "mine", "--dial-in")
    done = run("tournament", "create", "lost_cities", "--bots", "mine,greedy", "--data", data)
    assert done.code == 0
    assert "2 matches in 1 sets" in done.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("add lost_cities mine", "bot 'mine': give one of --dial-in and --endpoint HOST:PORT"),
        ("add lost_cities mine --dial-in --endpoint a:1", "give one of --dial-in and --endpoint"),
        ("add lost_cities mine --endpoint here", "address 'here': must be HOST:PORT"),
        ("add lost_cities My-Bot --dial-in", "bot 'My-Bot': must be 1 to 40 lower-case letters"),
        ("add lost_cities greedy --dial-in", "has one of that name; choose another"),
        ("add chess mine --dial-in", "game 'chess': this arena has"),
        ("add lost_cities mine --dial-in --secret-file /dev/null", "only an endpoint is presented a secret"),
        ("add lost_cities mine --endpoint a:1 --secret-file /dev/null", "secret of 0 characters"),
        ("add lost_cities mine --endpoint a:1 --secret-file /nowhere", "No such file"),
        ("list chess", "game 'chess': this arena has"),
        (
            "token lost_cities nobody",
            "bot 'nobody': lost_cities has none of that name; `arena bot list` shows them",
        ),
        ("token lost_cities greedy", "bot 'greedy': is hosted; only a bot that dials in has a token"),
    ],
)
def test_what_cannot_be_is_a_usage_error_and_adds_nothing(
    store: Store, data: str, arguments: str, says: str
) -> None:
    before = bots.listing(store)
    done = bot(data, *arguments.split())
    assert done.code == 2
    assert says in done.error
    assert bots.listing(store) == before
    assert bots.admitted(store) == {}


def test_a_bot_of_the_store_is_the_operators_or_that_of_a_user_who_is_named(store: Store, data: str) -> None:
    person(store, "ada")
    bot(data, "add", "lost_cities", "ours", "--dial-in")
    done = bot(data, "add", "lost_cities", "hers", "--dial-in", "--owner", "ada")
    assert "When it is there it plays sets against house bots" in done.out
    ours, hers = (bots.find(store, "lost_cities", name) for name in ("ours", "hers"))
    assert (ours.owner, ours.state) == (None, "active")
    assert (hers.owner, hers.state) == ("ada", "waiting")
    refused = bot(data, "add", "lost_cities", "his", "--dial-in", "--owner", "nobody")
    assert "owner 'nobody': there is no user of that name; `arena user list` shows them" in refused.error
