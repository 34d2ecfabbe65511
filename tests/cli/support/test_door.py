"""The rule that chooses the arena of a command: `--arena`, `--data`, the last login, the store of the settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.accounts import tokens
from arena.cli.support.door import Choice, Target, choose
from arena.client.logins import Login, save
from arena.core.errors import UsageError
from arena.storage import Store
from tests.cli.running import Done, run
from tests.decided_matches import person
from tests.parts.redis_server import running_redis
from tests.parts.web_process import serving
from tests.stores import new_sqlite

FIRST, LAST = "https://first.example.org", "https://last.example.org"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder with two logins."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    save(Login(FIRST, "ada", "arena_first"))
    save(Login(LAST, "ada", "arena_last"))
    return tmp_path / "config"


@pytest.mark.usefixtures("home")
def test_url_that_is_given_comes_with_the_token_of_its_login() -> None:
    assert choose(FIRST, None) == Target(Choice.ARENA, FIRST, "arena_first")


@pytest.mark.usefixtures("home")
def test_url_without_a_login_has_no_token() -> None:
    assert choose("https://other.example.org", None).token is None


@pytest.mark.usefixtures("home")
def test_data_directory_that_is_given_comes_before_a_login() -> None:
    assert choose(None, Path("data")) == Target(Choice.DATA, data=Path("data"))


@pytest.mark.usefixtures("home")
def test_last_login_comes_before_the_settings() -> None:
    assert choose(None, None) == Target(Choice.LOGIN, LAST, "arena_last")


def test_store_of_the_settings_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert choose(None, None) == Target(Choice.SETTINGS)


def test_two_targets_are_refused_with_what_to_do() -> None:
    with pytest.raises(
        UsageError, match=r"^--arena, --data: give one of the two, .* or --data for a store here$"
    ):
        choose(FIRST, Path("data"))


def test_neither_login_nor_store_names_both_remedies(tmp_path: Path) -> None:
    done = run("tournament", "list", ARENA_DATA=str(tmp_path))
    assert done.code == 2
    assert "`arena login URL`, or `arena up`" in done.error


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def store(data: Path) -> Iterator[Store]:
    opened = Store.open(new_sqlite(data / "arena.db"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def url(data: Path, store: Store) -> Iterator[str]:
    with running_redis() as redis, serving(data, redis.url) as address:
        (data / "token").write_text(tokens.create(store, person(store, "olga", "organiser"), "test").token)
        home = str(data / "config")
        login = run("login", address, "--token-file", str(data / "token"), XDG_CONFIG_HOME=home)
        assert login.code == 0, login.error
        yield address


def signed_in(data: Path, *arguments: str) -> Done:
    return run(*arguments, XDG_CONFIG_HOME=str(data / "config"))


def test_write_says_where_it_went_if_the_last_login_has_chosen(url: str, data: Path) -> None:
    done = signed_in(data, "tournament", "create", "lost_cities", "--hold")
    assert (done.code, done.error) == (
        0,
        f"arena: at {url}, where you have signed in last; --data or --arena choose another\n",
    )


@pytest.mark.parametrize("given", ["--arena", "--data"])
def test_write_says_nothing_if_the_arena_is_given(url: str, data: Path, given: str) -> None:
    place = url if given == "--arena" else str(data)
    assert signed_in(data, "tournament", "create", "lost_cities", "--hold", given, place).error == ""


def test_read_says_nothing_of_where_it_went(url: str, data: Path) -> None:
    assert signed_in(data, "ladder", "list").error == ""


def test_public_list_needs_no_login(url: str) -> None:
    done = run("ladder", "list", "--arena", url)
    assert (done.code, done.out) == (0, "No ladders yet: `arena ladder start GAME`\n")


def test_write_without_a_login_says_how_to_sign_in(url: str) -> None:
    done = run("ladder", "start", "lost_cities", "--arena", url)
    assert (done.code, done.error) == (
        2,
        f"arena: arena {url}: you are not signed in there: `arena login {url}`\n",
    )


def test_whoami_shows_the_arena_the_user_and_the_reason(url: str, data: Path) -> None:
    done = signed_in(data, "whoami")
    assert done.out == f"olga (organiser) at {url}, where you have signed in last: bots, read, tournaments\n"


def test_whoami_in_a_store_is_its_operator(data: Path, store: Store) -> None:
    found = json.loads(run("whoami", "--data", str(data), "--json").out)
    assert (found["arena"], found["name"], found["chosen_by"]) == (None, "operator", "--data")
