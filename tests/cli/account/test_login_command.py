"""`arena login` and `arena token`, against an arena that is served by a process of its own."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from arena.accounts import actors, sign_in_links, tokens, users
from arena.accounts.actors import OPERATOR, Actor
from arena.storage import Store
from arena.storage.schema import ApiToken
from tests.cli.running import Done, run
from tests.parts.redis_server import running_redis
from tests.parts.web_process import serving
from tests.stores import new_sqlite

PASSWORD = "three or four words"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    new_sqlite(folder / "arena.db")
    return folder


@pytest.fixture(scope="module")
def store(data: Path) -> Iterator[Store]:
    opened = Store.open(f"sqlite:///{data}/arena.db")
    users.create(opened, OPERATOR, "ada", "author", PASSWORD)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def url(data: Path, store: Store) -> Iterator[str]:
    with running_redis() as redis, serving(data, redis.url) as address:
        yield address


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A configuration folder in which nobody has signed in yet."""
    return tmp_path / "config"


def arena(home: Path, *arguments: str) -> Done:
    return run(*arguments, XDG_CONFIG_HOME=str(home))


def token_file(store: Store, folder: Path) -> str:
    with store.read() as session:
        user = users.find_in(session, "ada")
    ada = Actor(user.id, "ada", user.role, actors.scopes_of(user.role))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "token").write_text(tokens.create(store, ada, "test").token + "\n")
    return str(folder / "token")


@pytest.fixture
def signed_in(url: str, store: Store, home: Path) -> Path:
    assert arena(home, "login", url, "--token-file", token_file(store, home)).code == 0
    return home


def test_login_with_a_token_keeps_it_where_only_its_user_reads(url: str, store: Store, home: Path) -> None:
    file = token_file(store, home)
    done = arena(home, "login", f"{url}/", "--token-file", file)
    kept = home / "bot-arena" / "logins.json"
    assert done.code == 0, done.error
    assert done.out == f"Signed in to {url} as ada (author): read, bots\nThe token is in {kept}\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert json.loads(kept.read_text()) == {url: {"name": "ada", "token": Path(file).read_text().strip()}}


def test_login_with_a_password_makes_a_token(url: str, store: Store, home: Path, tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD)
    file = str(tmp_path / "password")
    done = arena(home, "login", url, "--name", "ada", "--password-file", file, "--json")
    assert json.loads(done.out) == {
        "arena": url,
        "name": "ada",
        "role": "author",
        "scopes": ["read", "bots"],
    }
    assert PASSWORD not in (home / "bot-arena" / "logins.json").read_text()
    labels = [row["label"] for row in json.loads(arena(home, "token", "list", "--json").out)]
    assert any(label.startswith("arena login on ") for label in labels)


def test_wrong_password_and_wrong_token_are_one_line_and_nothing_is_kept(
    url: str, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("wrong-words-here")
    file = str(tmp_path / "secret")
    for arguments, said in (
        (
            ("--name", "ada", "--password-file", file),
            "arena: name or password: wrong; an admin can reset your password",
        ),
        (("--token-file", file), "arena: token: unknown or revoked"),
    ):
        done = arena(home, "login", url, *arguments)
        assert done.code == 2
        assert done.error.startswith(said)
        assert done.error.count("\n") == 1
    assert not home.exists()


def test_token_is_made_listed_and_revoked(signed_in: Path, store: Store) -> None:
    made = arena(signed_in, "token", "create", "ci", "--scope", "read").out
    token_id, token = re.search(r"Token ([0-9a-f]{16}): read\n(\S+)\n", made).groups()  # type: ignore[union-attr]
    assert tokens.identify(store, token).scopes == {"read"}
    assert token_id in arena(signed_in, "token", "list").out
    assert token not in arena(signed_in, "token", "list").out
    assert arena(signed_in, "token", "revoke", token_id).out == f"Token {token_id} counts no longer\n"
    again = arena(signed_in, "token", "revoke", token_id, "--json")
    assert (again.code, json.loads(again.out)["code"]) == (2, "token_unknown")


def test_login_by_a_link_or_its_code_makes_a_token(
    url: str, store: Store, home: Path, tmp_path: Path
) -> None:
    for whole in (True, False):
        made = sign_in_links.create(store, OPERATOR, "ada")
        (tmp_path / "link").write_text(made.address(url) if whole else made.code)
        done = arena(home, "login", url, "--token-file", str(tmp_path / "link"))
        assert done.out.startswith(f"Signed in to {url} as ada (author): read, bots\n")
        assert made.code not in (home / "bot-arena" / "logins.json").read_text()
    again = arena(home, "login", url, "--token-file", str(tmp_path / "link"))
    assert (again.code, "unknown, used or expired" in again.error) == (2, True)


def test_token_expires_when_that_is_said_and_the_list_says_so(signed_in: Path) -> None:
    made = json.loads(arena(signed_in, "token", "create", "ci", "--expires", "30d", "--json").out)
    assert abs(made["expires_at"] - made["created_at"] - 30 * 86400) < 10
    rows = {row["id"]: row for row in json.loads(arena(signed_in, "token", "list", "--json").out)}
    assert rows[made["id"]]["expires_at"] == made["expires_at"]
    assert rows[made["id"]]["used_at"] is None
    assert [row["used_at"] for row in rows.values() if row["label"] == "test"][-1] is not None
    wrong = arena(signed_in, "token", "create", "ci", "--expires", "soon")
    assert wrong.error.startswith("arena: expires 'soon': must be days such as 30d")


def test_token_that_a_token_makes_expires_no_later_than_that(signed_in: Path) -> None:
    made = json.loads(arena(signed_in, "token", "create", "ci", "--expires", "never", "--json").out)
    rows = json.loads(arena(signed_in, "token", "list", "--json").out)
    assert made["expires_at"] in {row["expires_at"] for row in rows if row["label"] == "test"}


def test_token_of_the_operator_need_not_expire(url: str, data: Path, home: Path) -> None:
    done = arena(home, "token", "create", "ci", "--user", "ada", "--expires", "never", "--data", str(data))
    assert "It does not expire." in done.out


def test_expired_token_is_one_line_that_says_what_to_do(signed_in: Path, store: Store) -> None:
    with store.write() as session:
        session.execute(update(ApiToken).values(expires_at=1.0))
    done = arena(signed_in, "token", "list")
    assert (
        done.error == "arena: token: expired (1970-01-01 00:00 UTC); get a new one with `arena login URL`\n"
    )


def test_token_is_made_on_the_store_for_a_user_where_nobody_is_signed_in(
    store: Store, data: Path, home: Path
) -> None:
    done = arena(home, "token", "create", "setup", "--user", "ada", "--data", str(data), "--json")
    assert tokens.identify(store, json.loads(done.out)["token"]).name == "ada"
    for more in (("--data", str(data)), ("--user", "ada", "--arena", "http://127.0.0.1:1")):
        assert arena(home, "token", "create", "setup", *more).code == 2


def test_new_password_may_revoke_all_tokens_and_this_machine_stays_signed_in(
    url: str, store: Store, home: Path, tmp_path: Path
) -> None:
    users.create(store, OPERATOR, "grace", "author", PASSWORD)
    for name, text in (("old", PASSWORD), ("new", "five whole words")):
        (tmp_path / name).write_text(text)
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    assert arena(home, "login", url, "--name", "grace", "--password-file", old).code == 0
    made = json.loads(arena(home, "token", "create", "ci", "--json").out)
    done = arena(home, "password", "--old-file", old, "--new-file", new, "--revoke-tokens")
    assert done.code == 0, done.error
    (row,) = json.loads(arena(home, "token", "list", "--json").out)
    assert row["id"] != made["id"]
    wrong = arena(home, "password", "--old-file", old, "--new-file", new)
    assert wrong.error == "arena: old password: wrong\n"


def test_scope_that_one_has_not_is_refused_in_the_arenas_words(signed_in: Path) -> None:
    done = arena(signed_in, "token", "create", "ci", "--scope", "admin", "--json")
    problem = json.loads(done.out)
    assert (problem["status"], problem["code"], problem["field"]) == (403, "scope_missing", "scopes")
    assert done.error == f"arena: {problem['detail']}\n"


def test_who_is_not_signed_in_is_told_how(url: str, home: Path) -> None:
    done = run("token", "list", XDG_CONFIG_HOME=str(home), ARENA_DATA=str(home))
    assert done.code == 2
    assert done.error.startswith("arena: you are not signed in to any arena, and there is no store at ")
    assert "`arena login URL`, or `arena up`" in done.error
    done = arena(home, "token", "list", "--arena", url)
    assert done.error == f"arena: arena {url}: you are not signed in there: `arena login {url}`\n"


def test_file_of_logins_that_is_damaged_is_named(home: Path) -> None:
    (home / "bot-arena").mkdir(parents=True)
    for text in ("{", "[]", '{"x": 1}'):
        (home / "bot-arena" / "logins.json").write_text(text)
        done = arena(home, "token", "list")
        assert done.code == 1
        assert "is not what `arena login` writes; remove it" in done.error


@pytest.mark.parametrize("option", ["--password-file", "--token-file"])
def test_files_that_do_not_fit_the_way_are_refused(home: Path, tmp_path: Path, option: str) -> None:
    (tmp_path / "secret").write_text("x")
    names = () if option == "--password-file" else ("--name", "ada")
    done = arena(home, "login", "http://127.0.0.1:1", *names, option, str(tmp_path / "secret"))
    assert done.code == 2
    assert "--token-file alone" in done.error
