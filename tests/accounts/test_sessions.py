"""Browsers that are signed in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from arena.accounts import audit_log, sessions, tokens, users
from arena.accounts.actors import OPERATOR
from arena.core.errors import RefusalKind
from arena.storage import Store
from arena.storage.schema import User, WebSession
from tests.accounts.test_users import KEY, PASSWORD, actor, add, refused


def test_session_says_whose_it_is_until_it_ends(store: Store) -> None:
    ada = add(store, "ada")
    first, second = (sessions.begin(store, KEY, "ada", PASSWORD) for _ in range(2))
    assert sessions.identify(store, KEY, first.cookie) == first.actor == ada
    sessions.end(store, KEY, ada, first.cookie)
    with refused("session_over"):
        sessions.identify(store, KEY, first.cookie)
    assert sessions.identify(store, KEY, second.cookie) == ada


@pytest.mark.parametrize(
    ("name", "password"), [("ada", "wrong words here"), ("bob", PASSWORD), ("admin", "")]
)
def test_wrong_name_and_wrong_password_are_answered_alike(store: Store, name: str, password: str) -> None:
    add(store, "ada")
    with store.write() as session:
        users.add_in(session, "admin", "admin", None)
    with refused("login_failed") as caught:
        sessions.begin(store, KEY, name, password)
    assert str(caught.value).startswith("name or password: wrong")
    assert caught.value.kind is RefusalKind.NOT_SIGNED_IN


def test_store_has_only_a_digest_of_the_cookie(store: Store) -> None:
    add(store, "ada")
    begun = sessions.begin(store, KEY, "ada", PASSWORD)
    with store.read() as session:
        kept = session.scalars(select(WebSession)).one()
    assert begun.cookie not in str(vars(kept))
    assert begun.cookie not in repr(begun)


def test_another_secret_ends_all_sessions(store: Store) -> None:
    add(store, "ada")
    begun = sessions.begin(store, KEY, "ada", PASSWORD)
    with refused("session_over"):
        sessions.identify(store, b"another", begun.cookie)


def test_session_ends_by_itself_and_is_cleared_away(store: Store) -> None:
    add(store, "ada")
    old = sessions.begin(store, KEY, "ada", PASSWORD)
    with store.write() as session:
        session.execute(update(WebSession).values(expires_at=1.0))
    with refused("session_over"):
        sessions.identify(store, KEY, old.cookie)
    sessions.begin(store, KEY, "ada", PASSWORD)
    with store.read() as session:
        assert len(session.scalars(select(WebSession)).all()) == 1


def test_new_password_ends_the_other_sessions(store: Store) -> None:
    ada = add(store, "ada")
    here, there = (sessions.begin(store, KEY, "ada", PASSWORD).cookie for _ in range(2))
    new = "quite other words"
    sessions.change_password(store, KEY, ada, old=PASSWORD, new=new, cookie=here)
    assert sessions.identify(store, KEY, here) == ada
    with refused("session_over"):
        sessions.identify(store, KEY, there)
    with refused("login_failed"):
        sessions.begin(store, KEY, "ada", PASSWORD)
    sessions.begin(store, KEY, "ada", new)


def test_new_password_leaves_tokens_alone_unless_they_are_to_go(store: Store) -> None:
    ada, bob = add(store, "ada"), add(store, "bob")
    made, other = tokens.create(store, ada, "laptop"), tokens.create(store, bob, "desk")
    new, newer = "quite other words", "still other words"
    sessions.change_password(store, KEY, ada, old=PASSWORD, new=new, cookie=None)
    assert tokens.identify(store, made.token) == ada
    sessions.change_password(store, KEY, ada, old=new, new=newer, cookie=None, revoke_tokens=True)
    with refused("token_unknown"):
        tokens.identify(store, made.token)
    assert tokens.identify(store, other.token) == bob
    (last,) = audit_log.listing(store, OPERATOR, most=1)
    assert (last.action, last.detail) == ("user.password", {"tokens_revoked": 1})


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("wrong words here", PASSWORD, "login_failed"), (PASSWORD, "weak", "password_weak")],
)
def test_password_is_not_changed_by_who_does_not_know_it_or_to_a_weak_one(
    store: Store, old: str, new: str, code: str
) -> None:
    ada = add(store, "ada")
    with store.read() as session:
        before = session.get_one(User, ada.user_id).password
    with refused(code):
        sessions.change_password(store, KEY, ada, old=old, new=new, cookie=None)
    with store.read() as session:
        assert session.get_one(User, ada.user_id).password == before


def test_csrf_token_belongs_to_one_session_and_one_secret() -> None:
    made = {sessions.csrf_token(key, cookie) for key in (b"a", b"b") for cookie in ("x", "y")}
    assert len(made) == 4


def test_demoted_user_keeps_the_session_with_fewer_scopes(store: Store) -> None:
    add(store, "olga", "organiser")
    begun = sessions.begin(store, KEY, "olga", PASSWORD)
    users.set_role(store, OPERATOR, "olga", "author")
    assert sessions.identify(store, KEY, begun.cookie).scopes == {"read", "bots"}


def test_token_with_all_scopes_of_its_role_begins_a_session_and_any_other_does_not(store: Store) -> None:
    olga = add(store, "olga", "organiser")
    made = tokens.create(store, olga, "laptop")
    begun = sessions.begin_by_token(store, KEY, made.token)
    assert sessions.identify(store, KEY, begun.cookie) == olga
    less = tokens.create(store, olga, "laptop", ["read", "bots"])
    for code, token in (("scope_missing", less.token), ("token_unknown", "arena_0")):
        with refused(code):
            sessions.begin_by_token(store, KEY, token)
    tokens.revoke(store, olga, made.id)
    with refused("token_unknown"):
        sessions.begin_by_token(store, KEY, made.token)
    assert sessions.identify(store, KEY, begun.cookie) == olga
    assert len(sessions.listing(store, KEY, olga, None)) == 1


def test_who_has_no_password_sets_one_only_with_all_that_the_account_may(store: Store) -> None:
    with store.write() as session:
        users.add_in(session, "admin", "admin", None)
    admin = actor(store, "admin")
    less = replace(admin, scopes=frozenset({"read", "bots"}))
    with refused("login_failed"):
        sessions.change_password(store, KEY, less, old="", new="quite other words", cookie=None)
    sessions.change_password(store, KEY, admin, old="", new="quite other words", cookie=None)
    with refused("login_failed"):
        sessions.change_password(store, KEY, admin, old="", new="still other words", cookie=None)
    sessions.begin(store, KEY, "admin", "quite other words")


def test_sessions_are_listed_and_ended_by_their_own_user(store: Store) -> None:
    ada, olga = add(store, "ada"), add(store, "olga", "admin")
    here, there = (sessions.begin(store, KEY, "ada", PASSWORD).cookie for _ in range(2))
    rows = sessions.listing(store, KEY, ada, here)
    assert [row.current for row in rows] == [False, True]
    assert sessions.listing(store, KEY, olga, here) == ()
    for actor_, session_id in ((olga, rows[0].id), (ada, "0" * 16), (ada, "")):
        with refused("session_unknown"):
            sessions.end_one(store, actor_, session_id)
    sessions.end_one(store, ada, rows[0].id)
    with refused("session_over"):
        sessions.identify(store, KEY, there)
    assert sessions.identify(store, KEY, here) == ada
