"""`arena user`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.accounts import audit_log, invitations, sessions, users
from arena.accounts.actors import OPERATOR
from arena.storage import Store
from tests.cli.running import Done, run
from tests.stores import new_sqlite

PASSWORD = "three or four words"


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path / "data")


@pytest.fixture
def store(data: str) -> Iterator[Store]:
    opened = Store.open(new_sqlite(Path(data, "arena.db")))
    yield opened
    opened.close()


def user(data: str, *arguments: str) -> Done:
    return run("user", *arguments, "--data", data)


def signs_in(store: Store, name: str, password: str) -> bool:
    return sessions.begin(store, b"key", name, password).actor.name == name


def test_account_is_made_with_a_password_that_is_shown_once(store: Store, data: str) -> None:
    done = user(data, "create", "ada", "--role", "organiser")
    assert done.code == 0
    said, password, once = done.out.splitlines()
    assert said == "User ada is organiser"
    assert once == "That is the password; it is not shown again."
    assert signs_in(store, "ada", password)
    assert [row.actor for row in audit_log.listing(store, OPERATOR)][-1] == "operator"


def test_password_may_come_from_a_file(store: Store, data: str, tmp_path: Path) -> None:
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    made = user(data, "create", "ada", "--password-file", str(tmp_path / "password"), "--json")
    assert json.loads(made.out)["password"] is None
    assert signs_in(store, "ada", PASSWORD)


def test_reset_gives_another_password(store: Store, data: str) -> None:
    users.create(store, OPERATOR, "ada", "author", PASSWORD)
    password = json.loads(user(data, "reset", "ada", "--json").out)["password"]
    assert signs_in(store, "ada", password)


def test_role_is_changed_and_listed(store: Store, data: str) -> None:
    assert "No users yet" in user(data, "list").out
    users.create(store, OPERATOR, "ada", "author", PASSWORD)
    assert user(data, "role", "set", "ada", "admin").out == "User ada is admin\n"
    (row,) = json.loads(user(data, "list", "--json").out)
    assert (row["name"], row["role"], row["tokens"]) == ("ada", "admin", 0)
    assert user(data, "list").out.split()[-4:] == ["ada", "admin", "yes", "0"]


def test_invitation_lets_somebody_in(store: Store, data: str) -> None:
    invitation = user(data, "invite", "--role", "organiser", "--days", "3").out.splitlines()[0]
    assert invitations.register(store, "invitation", "olga", PASSWORD, invitation).role == "organiser"


def test_refusal_is_one_line_and_with_json_what_the_api_says(store: Store, data: str) -> None:
    users.create(store, OPERATOR, "ada", "author", PASSWORD)
    done = user(data, "create", "ada", "--json")
    assert (done.code, done.error) == (2, "arena: name 'ada': is taken; choose another\n")
    assert json.loads(done.out) == {
        "status": 409,
        "code": "name_taken",
        "field": "name",
        "title": "Conflict",
        "detail": "name 'ada': is taken; choose another",
    }
    assert user(data, "create", "ada").out == ""


def test_link_signs_a_user_in_once(store: Store, data: str) -> None:
    user(data, "create", "ada")
    done = user(data, "link", "create", "ada", "--url", "https://arena.example.org/", "--minutes", "5")
    link, once = done.out.splitlines()
    assert link.startswith("https://arena.example.org/sign-in/link?code=link_")
    assert once.startswith("It is not shown again; it signs ada in once, until ")
    code = link.partition("=")[2]
    assert sessions.begin_by_link(store, b"key", code).actor.name == "ada"
    found = json.loads(user(data, "link", "create", "ada", "--json").out)
    assert found["url"] == f"http://127.0.0.1:8000/sign-in/link?code={found['code']}"
    assert user(data, "link", "create", "bob").error.startswith("arena: user 'bob': no such user")
