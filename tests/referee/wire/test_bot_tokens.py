from hashlib import sha256

import pytest

from referee.wire.bot_tokens import BotTokens, bearer


def digest(token: str) -> bytes:
    return sha256(token.encode()).digest()


def test_admitted_token_is_known_by_its_digest() -> None:
    tokens = BotTokens[str]()
    tokens.admit("alice", digest("secret"))
    assert tokens.redeem("secret") == "alice"
    assert tokens.redeem("other") is None


def test_admitting_all_names_those_that_may_no_longer_connect() -> None:
    tokens = BotTokens[str]()
    tokens.admit("alice", digest("a"))
    assert tokens.admit_all({"bob": digest("b")}) == {"alice"}
    assert tokens.redeem("a") is None
    assert tokens.redeem("b") == "bob"


def test_new_token_of_an_id_replaces_the_older() -> None:
    tokens = BotTokens[str]()
    tokens.admit("alice", digest("old"))
    tokens.admit("alice", digest("new"))
    assert tokens.redeem("old") is None
    assert tokens.redeem("new") == "alice"


def test_revoked_token_is_unknown() -> None:
    tokens = BotTokens[str]()
    tokens.admit("alice", digest("a"))
    tokens.revoke("alice")
    assert tokens.redeem("a") is None


@pytest.mark.parametrize(
    ("metadata", "token"),
    [
        ((("authorization", "Bearer abc"),), "abc"),
        ((("authorization", b"bearer abc"),), "abc"),
        ((("authorization", "Basic abc"),), ""),
        ((("other", "Bearer abc"),), ""),
        (None, ""),
    ],
)
def test_token_stands_in_the_metadata(
    metadata: tuple[tuple[str, str | bytes], ...] | None, token: str
) -> None:
    assert bearer(metadata) == token
