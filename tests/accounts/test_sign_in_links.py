"""Sign-in links: they let somebody in once, for some minutes."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from arena.accounts import audit_log, sessions, sign_in_links, tokens, users
from arena.accounts.actors import OPERATOR
from arena.storage import Store
from arena.storage.schema import SignInLink, WebSession
from tests.accounts.test_tokens import add, refused

KEY = b"a secret that only the tests know."


def test_link_signs_its_user_in_once(store: Store) -> None:
    add(store, "ada")
    made = sign_in_links.create(store, OPERATOR, "ada")
    begun = sessions.begin_by_link(store, KEY, made.code)
    assert sessions.identify(store, KEY, begun.cookie).name == "ada"
    with refused("link_unknown"):
        sessions.begin_by_link(store, KEY, made.code)


def test_store_has_no_more_than_a_links_hash(store: Store) -> None:
    add(store, "ada")
    made = sign_in_links.create(store, OPERATOR, "ada")
    with store.read() as session:
        kept = session.scalars(select(SignInLink)).one()
    assert made.code.encode() not in kept.sha256
    _, _, secret = made.code.split("_", 2)
    assert secret not in repr(vars(kept))
    assert made.code not in repr(made)


def test_link_that_is_too_old_lets_nobody_in(store: Store) -> None:
    add(store, "ada")
    made = sign_in_links.create(store, OPERATOR, "ada", minutes=1)
    with store.write() as session:
        session.execute(update(SignInLink).values(expires_at=1.0))
    with refused("link_unknown"):
        sessions.begin_by_link(store, KEY, made.code)


def test_newer_link_takes_the_place_of_an_older_one(store: Store) -> None:
    add(store, "ada")
    older, newer = sign_in_links.create(store, OPERATOR, "ada"), sign_in_links.create(store, OPERATOR, "ada")
    with refused("link_unknown"):
        sessions.begin_by_link(store, KEY, older.code)
    sessions.begin_by_link(store, KEY, newer.code)


def test_reset_takes_a_link_away(store: Store) -> None:
    add(store, "ada")
    made = sign_in_links.create(store, OPERATOR, "ada")
    users.reset(store, OPERATOR, "ada", "five whole words")
    with refused("link_unknown"):
        sessions.begin_by_link(store, KEY, made.code)


@pytest.mark.parametrize("minutes", [0, sign_in_links.MAX_MINUTES + 1])
def test_minutes_are_bounded(store: Store, minutes: int) -> None:
    add(store, "ada")
    with refused("minutes_invalid"):
        sign_in_links.create(store, OPERATOR, "ada", minutes)


def test_author_makes_no_link(store: Store) -> None:
    with refused("scope_missing"):
        sign_in_links.create(store, add(store, "ada"), "ada")


def test_first_start_makes_the_admin_and_a_link(store: Store) -> None:
    made = sign_in_links.ensure_admin(store)
    assert made is not None
    admin = sessions.begin_by_link(store, KEY, made.code).actor
    assert (admin.name, admin.role) == ("admin", "admin")
    admin.require("admin")
    assert sign_in_links.ensure_admin(store) is None
    actions = [row.action for row in audit_log.listing(store, OPERATOR)]
    assert actions == ["session.begin", "user.link", "user.create"]


def test_start_after_a_link_that_nobody_used_makes_another(store: Store) -> None:
    first, second = sign_in_links.ensure_admin(store), sign_in_links.ensure_admin(store)
    assert first is not None
    assert second is not None
    with refused("link_unknown"):
        sessions.begin_by_link(store, KEY, first.code)
    assert len(users.listing(store, OPERATOR)) == 1


def test_admin_who_has_a_token_or_a_password_gets_no_link_by_itself(store: Store) -> None:
    sign_in_links.ensure_admin(store)
    made = tokens.create(store, OPERATOR, "setup", user_name="admin")
    assert sign_in_links.ensure_admin(store) is None
    tokens.revoke(store, OPERATOR, made.id)
    assert sign_in_links.ensure_admin(store) is not None
    users.reset(store, OPERATOR, "admin", "five whole words")
    assert sign_in_links.ensure_admin(store) is None


def test_admin_whose_session_is_over_and_who_has_nothing_else_gets_another_link(store: Store) -> None:
    made = sign_in_links.ensure_admin(store)
    assert made is not None
    sessions.begin_by_link(store, KEY, made.code)
    with store.write() as session:
        session.execute(update(WebSession).values(expires_at=1.0))
    assert sign_in_links.ensure_admin(store) is not None


def test_store_with_users_gets_no_admin_by_itself(store: Store) -> None:
    add(store, "ada")
    assert sign_in_links.ensure_admin(store) is None
