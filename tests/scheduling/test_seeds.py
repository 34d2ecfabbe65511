"""Secrets, seeds, match ids: values that anybody can compute again."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest

from arena.core.errors import UsageError
from arena.scheduling import seeds

SECRET = bytes(range(32))
OPENSSL = "1c892ed27486b91bd11f5b1e349ebb719c802f741ebd2bd6b528f9d937b94b3c"

INPUTS: dict[str, Any] = {
    "commitment": seeds.secret_commitment(SECRET),
    "game": "lost_cities",
    "variant": "standard",
    "options": {"hands": 3},
    "time": "30+0.1",
    "seats": 2,
    "bots": [("greedy", "1"), ("random", "1")],
    "cycles": 1,
    "trusted": False,
}


def hmac_of(text: str) -> bytes:
    return hmac.new(SECRET, text.encode(), hashlib.sha256).digest()


def test_the_commitment_is_the_sha256_of_the_secret() -> None:
    assert seeds.secret_commitment(SECRET) == hashlib.sha256(SECRET).digest()


def test_a_shared_seed_is_the_hmac_of_the_set() -> None:
    assert seeds.shared_seed(SECRET, 12) == hmac_of("set/12")


def test_an_own_seed_is_the_hmac_of_set_match_and_attempt() -> None:
    assert seeds.own_seed(SECRET, 12, 1, 3) == hmac_of("set/12/1/3")


def test_the_schedule_has_a_seed_of_its_own() -> None:
    assert seeds.schedule_seed(SECRET) == hmac_of("schedule")
    assert seeds.schedule_seed(SECRET, "set", 7) == hmac_of("schedule/set/7")


def test_a_series_begins_with_the_seed_itself() -> None:
    assert seeds.series_seed(SECRET, 0) == SECRET
    assert seeds.series_seed(SECRET, 5) == hmac_of("5")


def test_a_value_computed_elsewhere_agrees() -> None:
    # printf 'set/0' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f
    assert seeds.shared_seed(SECRET, 0).hex() == OPENSSL


def test_match_ids_are_sixteen_letters_and_digits() -> None:
    name = seeds.match_id(seeds.inputs_digest(**INPUTS), 0, 0, None)
    assert len(name) == 16
    assert name.isalnum()
    assert name == name.lower()


def test_every_match_has_an_id_of_its_own() -> None:
    inputs = seeds.inputs_digest(**INPUTS)
    names = {seeds.match_id(inputs, s, m, a) for s in range(20) for m in range(3) for a in (None, 0, 1)}
    assert len(names) == 20 * 3 * 3


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("commitment", bytes(32)),
        ("game", "land_unter"),
        ("variant", "fast"),
        ("options", {"hands": 1}),
        ("time", "10+0.1"),
        ("seats", 3),
        ("bots", [("random", "1"), ("greedy", "1")]),
        ("cycles", 2),
        ("trusted", True),
        ("plan", {"version": 2, "rated": True, "groups": [None, None]}),
    ],
)
def test_the_digest_of_the_inputs_depends_on_each_of_them(field: str, value: object) -> None:
    assert seeds.inputs_digest(**{**INPUTS, field: value}) != seeds.inputs_digest(**INPUTS)


def test_a_secret_is_read_from_its_hex_digits() -> None:
    assert seeds.parse_secret(SECRET.hex()) == SECRET


@pytest.mark.parametrize("text", ["", "00", "zz" * 32, "00" * 33, " " + "00" * 32, "0 " * 32])
def test_anything_else_is_no_secret(text: str) -> None:
    with pytest.raises(UsageError, match=r"seed .*: must be 64 hex digits"):
        seeds.parse_secret(text, "seed")
