"""API tokens."""

from __future__ import annotations

from hashlib import sha256

import pytest
from sqlalchemy import select

from arena.services import accounts, audit, tokens
from arena.services.accounts import OPERATOR
from arena.store import Store
from arena.store.schema import ApiToken
from tests.services.test_accounts import add, refused


def test_token_says_whose_it_is(store: Store) -> None:
    ada = add(store, "ada")
    assert tokens.identify(store, tokens.create(store, ada, "laptop").token) == ada


def test_store_has_only_the_hash_of_a_token(store: Store) -> None:
    made = tokens.create(store, add(store, "ada"), "laptop")
    with store.read() as session:
        kept = session.scalars(select(ApiToken)).one()
    assert kept.sha256 == sha256(made.token.encode()).digest()
    assert made.token.split("_", 2)[2] not in str(vars(kept))
    assert made.token not in repr(made)


def test_token_may_have_fewer_scopes_than_its_user(store: Store) -> None:
    made = tokens.create(store, add(store, "olga", "organiser"), "reader", ["read"])
    assert tokens.identify(store, made.token).scopes == {"read"}


def test_token_cannot_be_given_more_than_its_maker_has(store: Store) -> None:
    olga = add(store, "olga", "organiser")
    less = tokens.identify(store, tokens.create(store, olga, "less", ["bots"]).token)
    for scope in ("admin", "tournaments", "read"):
        with refused("scope_missing") as caught:
            tokens.create(store, less, "more", [scope])
        assert caught.value.field == "scopes"
    assert tokens.create(store, less, "same").scopes == ("bots",)
    with refused("scope_unknown"):
        tokens.create(store, olga, "laptop", ["everything"])


def test_revoked_token_counts_no_longer(store: Store) -> None:
    ada = add(store, "ada")
    made, other = tokens.create(store, ada, "laptop"), tokens.create(store, ada, "desk")
    tokens.revoke(store, ada, made.id)
    with refused("token_unknown") as caught:
        tokens.identify(store, made.token)
    assert caught.value.status == 401
    assert tokens.identify(store, other.token) == ada


def test_token_of_somebody_else_is_as_unknown_as_one_that_is_not_there(store: Store) -> None:
    ada, bob = add(store, "ada"), add(store, "bob")
    made = tokens.create(store, ada, "laptop")
    said = []
    for token_id in (made.id, "0" * 16):
        with refused("token_unknown") as caught:
            tokens.revoke(store, bob, token_id)
        said.append(str(caught.value).replace(token_id, "ID"))
    assert said[0] == said[1]
    assert tokens.identify(store, made.token) == ada
    tokens.revoke(store, add(store, "root", "admin"), made.id)
    with refused("token_unknown"):
        tokens.identify(store, made.token)


@pytest.mark.parametrize("damage", ["arena_", "x", " "])
def test_what_is_no_token_is_unknown(store: Store, damage: str) -> None:
    token = tokens.create(store, add(store, "ada"), "laptop").token
    for shown in (damage, damage + token, token + damage + "A", token[:-1], token.swapcase(), "é" * 43, ""):
        with refused("token_unknown"):
            tokens.identify(store, shown)


def test_token_with_the_id_of_another_is_unknown(store: Store) -> None:
    ada = add(store, "ada")
    first, second = (tokens.create(store, ada, label).token for label in ("first", "second"))
    with refused("token_unknown"):
        tokens.identify(store, first[:22] + second[22:])


def test_list_has_ones_own_tokens_only(store: Store) -> None:
    ada, bob = add(store, "ada"), add(store, "bob")
    made = tokens.create(store, ada, "laptop", ["read"])
    tokens.create(store, bob, "desk")
    (row,) = tokens.listing(store, ada)
    assert (row.id, row.label, row.scopes) == (made.id, "laptop", ("read",))


def test_tokens_of_one_user_are_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.services.tokens.MOST_TOKENS", 2)
    ada = add(store, "ada")
    tokens.create(store, ada, "1")
    tokens.create(store, ada, "2")
    with refused("quota_exhausted"):
        tokens.create(store, ada, "3")


@pytest.mark.parametrize("label", ["", "x" * 101, "two\nlines", "\x1b[31m"])
def test_label_that_cannot_be_shown_is_refused(store: Store, label: str) -> None:
    with refused("label_invalid"):
        tokens.create(store, add(store, "ada"), label)


def test_first_start_makes_the_admin_and_the_second_nothing(store: Store) -> None:
    made = tokens.ensure_admin(store)
    assert made is not None
    admin = tokens.identify(store, made.token)
    assert (admin.name, admin.role) == ("admin", "admin")
    admin.require("admin")
    assert tokens.ensure_admin(store) is None
    assert [row.has_password for row in accounts.listing(store, OPERATOR)] == [False]
    assert [row.action for row in audit.listing(store, OPERATOR)] == ["token.create", "user.create"]


def test_store_with_users_gets_no_admin_by_itself(store: Store) -> None:
    add(store, "ada")
    assert tokens.ensure_admin(store) is None
