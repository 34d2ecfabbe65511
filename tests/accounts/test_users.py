"""Users, their roles and passwords, and the log of what they did."""

from __future__ import annotations

import pytest

from arena.accounts import actors, audit_log, passwords, sessions, tokens, users
from arena.accounts.actors import OPERATOR, SCOPES, Actor
from arena.bot_registry import bots
from arena.core.errors import Refusal, RefusalKind
from arena.storage import Store
from arena.storage.schema import User

PASSWORD = "three or four words"
KEY = b"key of the tests"


def actor(store: Store, name: str) -> Actor:
    with store.read() as session:
        user = users.find_in(session, name)
    return Actor(user.id, name, user.role, actors.scopes_of(user.role))


def add(store: Store, name: str, role: str = "author") -> Actor:
    users.create(store, OPERATOR, name, role, PASSWORD)
    return actor(store, name)


def refused(code: str) -> pytest.RaisesExc[Refusal]:
    return pytest.RaisesExc(Refusal, check=lambda error: error.code == code)


@pytest.mark.parametrize(
    ("role", "scopes"),
    [
        ("author", {"read", "bots"}),
        ("organiser", {"read", "bots", "tournaments"}),
        ("admin", {"read", "bots", "tournaments", "admin"}),
    ],
)
def test_role_has_its_scopes_and_no_others(role: str, scopes: set[str]) -> None:
    somebody = Actor(1, "ada", role, actors.scopes_of(role))
    for scope in SCOPES:
        if scope in scopes:
            somebody.require(scope)
        else:
            with refused("scope_missing") as caught:
                somebody.require(scope)
            assert caught.value.kind is RefusalKind.FORBIDDEN


def test_name_is_taken_once(store: Store) -> None:
    add(store, "ada")
    with refused("name_taken") as caught:
        add(store, "ada")
    assert (caught.value.field, caught.value.kind) == ("name", RefusalKind.CONFLICT)


@pytest.mark.parametrize("name", ["", "Ada", "a b", "-ada", "ada@1", "a" * 41, "аda"])
def test_name_that_cannot_be_is_refused(store: Store, name: str) -> None:
    with refused("name_invalid"):
        add(store, name)


@pytest.mark.parametrize("name", ["operator", "house", "platform"])
def test_name_that_the_log_uses_for_nobody_is_taken(store: Store, name: str) -> None:
    with refused("name_taken"):
        add(store, name)


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaa", "lovelace and more", "x" * 201, ""])
def test_weak_password_is_refused_without_being_shown(store: Store, password: str) -> None:
    with refused("password_weak") as caught:
        users.create(store, OPERATOR, "lovelace", "author", password)
    assert caught.value.field == "password"
    assert password == "" or password not in str(caught.value)
    assert users.listing(store, OPERATOR) == ()


@pytest.mark.usefixtures("real_passwords")
def test_password_is_stored_as_argon2(store: Store) -> None:
    ada = add(store, "ada")
    with store.read() as session:
        kept = session.get_one(User, ada.user_id).password
    assert kept is not None
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert passwords.matches(kept, PASSWORD)
    assert not passwords.matches(kept, PASSWORD + " ")


@pytest.mark.usefixtures("real_passwords")
def test_no_password_takes_the_same_work_as_a_wrong_one() -> None:
    made = passwords.make(PASSWORD, "ada")
    assert made.split("$")[:4] == passwords.NOBODYS.split("$")[:4]
    assert [len(part) for part in made.split("$")] == [len(part) for part in passwords.NOBODYS.split("$")]
    assert not passwords.matches(None, PASSWORD)


def test_role_bounds_tokens_at_once(store: Store) -> None:
    olga = add(store, "olga", "organiser")
    token = tokens.create(store, olga, "laptop").token
    users.set_role(store, OPERATOR, "olga", "author")
    assert tokens.identify(store, token).scopes == {"read", "bots"}
    users.set_role(store, OPERATOR, "olga", "admin")
    assert tokens.identify(store, token).scopes == {"read", "bots", "tournaments"}


def test_last_admin_stays_admin(store: Store) -> None:
    add(store, "root", "admin")
    with refused("last_admin"):
        users.set_role(store, OPERATOR, "root", "author")
    users.set_role(store, OPERATOR, "root", "admin")
    add(store, "other", "admin")
    assert users.set_role(store, OPERATOR, "root", "author").role == "author"


def test_role_and_user_that_are_not_there_are_named(store: Store) -> None:
    add(store, "ada")
    with refused("role_unknown"):
        users.set_role(store, OPERATOR, "ada", "king")
    with refused("user_unknown") as caught:
        users.set_role(store, OPERATOR, "bob", "author")
    assert caught.value.kind is RefusalKind.NOT_FOUND


def test_reset_ends_sessions_and_tokens(store: Store) -> None:
    ada = add(store, "ada")
    token = tokens.create(store, ada, "laptop").token
    cookie = sessions.begin(store, KEY, "ada", PASSWORD).cookie
    users.reset(store, OPERATOR, "ada", "quite other words")
    with refused("token_unknown"):
        tokens.identify(store, token)
    with refused("session_over"):
        sessions.identify(store, KEY, cookie)
    with refused("login_failed"):
        sessions.begin(store, KEY, "ada", PASSWORD)
    assert sessions.begin(store, KEY, "ada", "quite other words").actor == ada


def test_only_an_admin_makes_users_and_reads_the_log(store: Store) -> None:
    olga = add(store, "olga", "organiser")
    for act in (
        lambda: users.create(store, olga, "ada", "author", PASSWORD),
        lambda: users.set_role(store, olga, "olga", "admin"),
        lambda: users.reset(store, olga, "olga", PASSWORD),
        lambda: users.listing(store, olga),
        lambda: audit_log.listing(store, olga),
    ):
        with refused("scope_missing"):
            act()


def test_log_has_who_did_what_and_nothing_secret(store: Store) -> None:
    ada = add(store, "ada")
    made = tokens.create(store, ada, "laptop", ["read"])
    tokens.revoke(store, ada, made.id)
    users.set_role(store, OPERATOR, "ada", "organiser")
    rows = audit_log.listing(store, OPERATOR)
    assert [(row.actor, row.action, row.subject, row.detail) for row in reversed(rows)] == [
        ("operator", "user.create", "user/ada", {"role": "author"}),
        ("ada", "token.create", f"token/{made.id}", {"user": "ada", "scopes": ["read"]}),
        ("ada", "token.revoke", f"token/{made.id}", {"user": "ada"}),
        ("operator", "user.role", "user/ada", {"before": "author", "after": "organiser"}),
    ]
    assert audit_log.listing(store, OPERATOR, before=rows[1].id, most=1) == rows[2:3]


def test_deed_that_fails_is_not_in_the_log(store: Store) -> None:
    def fail() -> None:
        with store.write() as session:
            audit_log.note(session, "ada", "bot.submit", "bot/lost_cities/mine")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert audit_log.listing(store, OPERATOR) == ()


def test_bot_of_the_house_has_no_owner(store: Store) -> None:
    bots.register_house(store, {"lost_cities": ["greedy"]})
    with store.read() as session:
        assert session.connection().exec_driver_sql("SELECT owner_id FROM bot").scalars().all() == [None]
