"""API tokens."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from sqlalchemy import select, update

from arena.accounts import sessions, tokens
from arena.accounts.actors import OPERATOR
from arena.core.errors import RefusalKind
from arena.storage import Store
from arena.storage.schema import ApiToken
from tests.accounts.test_users import add, refused

DAY_S = 86400


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
    assert caught.value.kind is RefusalKind.NOT_SIGNED_IN
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
    monkeypatch.setattr("arena.accounts.tokens.MAX_TOKENS", 2)
    ada = add(store, "ada")
    tokens.create(store, ada, "1")
    tokens.create(store, ada, "2")
    with refused("quota_exhausted"):
        tokens.create(store, ada, "3")


@pytest.mark.parametrize("label", ["", "x" * 101, "two\nlines", "\x1b[31m"])
def test_label_that_cannot_be_shown_is_refused(store: Store, label: str) -> None:
    with refused("label_invalid"):
        tokens.create(store, add(store, "ada"), label)


def set_expiry(store: Store, at: float) -> None:
    with store.write() as session:
        session.execute(update(ApiToken).values(expires_at=at))


def test_token_expires_after_a_year_unless_something_else_is_said(store: Store) -> None:
    made = tokens.create(store, add(store, "ada"), "laptop")
    assert made.expires_at is not None
    assert abs(made.expires_at - made.created_at - 365 * DAY_S) < 10


@pytest.mark.parametrize(("expires", "days"), [("30d", 30), ("12h", 0.5), ("3650d", 3650)])
def test_token_expires_when_that_is_said(store: Store, expires: str, days: float) -> None:
    made = tokens.create(store, add(store, "ada"), "laptop", expires=expires)
    assert made.expires_at is not None
    assert abs(made.expires_at - made.created_at - days * DAY_S) < 10


def test_token_expires_at_the_begin_of_a_day(store: Store) -> None:
    day = datetime.now(UTC).date() + timedelta(days=40)
    made = tokens.create(store, add(store, "ada"), "laptop", expires=day.isoformat())
    assert made.expires_at == datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def test_token_lasts_for_ever_if_that_is_said(store: Store) -> None:
    assert tokens.create(store, add(store, "ada"), "laptop", expires="never").expires_at is None


@pytest.mark.parametrize(
    "expires",
    ["", "0d", "-1d", "30", "3651d", "999999d", "2020-01-01", "2027-13-01", "2027-02-30", "soon", "٣d", "1w"],
)
def test_expiry_that_cannot_be_is_refused_by_its_name(store: Store, expires: str) -> None:
    with refused("expires_invalid") as caught:
        tokens.create(store, add(store, "ada"), "laptop", expires=expires)
    assert caught.value.field == "expires"
    assert repr(expires) in str(caught.value)


def test_expired_token_is_refused_with_the_time_and_a_remedy(store: Store) -> None:
    made = tokens.create(store, add(store, "ada"), "laptop")
    set_expiry(store, 800_000_000.0)
    with refused("token_expired") as caught:
        tokens.identify(store, made.token)
    assert caught.value.kind is RefusalKind.NOT_SIGNED_IN
    assert "expired (1995-05-09 06:13 UTC); get a new one with `arena login URL`" in str(caught.value)


def test_expired_token_of_which_only_the_id_is_known_is_unknown(store: Store) -> None:
    made = tokens.create(store, add(store, "ada"), "laptop")
    set_expiry(store, 1.0)
    with refused("token_unknown"):
        tokens.identify(store, f"arena_{made.id}_{'A' * 43}")


def test_token_that_is_made_with_another_expires_no_later(store: Store) -> None:
    short = tokens.create(store, add(store, "ada"), "short", expires="2d")
    actor = tokens.identify(store, short.token)
    for expires in ("never", "365d"):
        assert tokens.create(store, actor, "longer", expires=expires).expires_at == short.expires_at
    begun = sessions.begin_by_token(store, b"key", short.token)
    (row,) = sessions.listing(store, b"key", begun.actor, begun.cookie)
    assert row.expires_at == short.expires_at


def test_use_of_a_token_is_noted_by_the_hour_and_once_in_it(store: Store) -> None:
    ada = add(store, "ada")
    made = tokens.create(store, ada, "laptop")
    (before,) = tokens.listing(store, ada)
    assert before.used_at is None
    tokens.identify(store, made.token)
    (row,) = tokens.listing(store, ada)
    assert row.used_at is not None
    assert row.used_at % 3600 == 0
    assert 0 <= time.time() - row.used_at < 3700
    written = store.written
    for _ in range(5):
        tokens.identify(store, made.token)
    assert store.written <= written + 1  # an hour may end meanwhile


def test_expired_tokens_make_room_for_new_ones(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.accounts.tokens.MAX_TOKENS", 2)
    ada = add(store, "ada")
    for label in ("1", "2"):
        tokens.create(store, ada, label)
    set_expiry(store, 1.0)
    tokens.create(store, ada, "3")
    assert [row.label for row in tokens.listing(store, ada)] == ["3"]


def test_operator_makes_a_token_for_a_user_with_what_that_user_may(store: Store) -> None:
    ada = add(store, "ada")
    made = tokens.create(store, OPERATOR, "setup", user_name="ada")
    assert tokens.identify(store, made.token) == ada
    with refused("scope_missing"):
        tokens.create(store, OPERATOR, "setup", ["admin"], user_name="ada")
    with refused("scope_missing"):
        tokens.create(store, ada, "setup", user_name="ada")
    with refused("user_unknown"):
        tokens.create(store, OPERATOR, "setup", user_name="bob")
