"""Wrong passwords from elsewhere: they keep nobody out of their own account."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from arena.accounts import users
from arena.accounts.actors import OPERATOR
from arena.messaging.redis_connection import connect, connect_async
from arena.web.auth import sign_in_attempts
from arena.web.http.rate_limits import Limit, Pace, RateLimited, Rates
from tests.web.access import ACCESS
from tests.web.named_users import PASSWORD, House, furnished, house, post

if TYPE_CHECKING:
    from starlette.testclient import TestClient

__all__ = ["furnished", "house"]

ADA = {"name": "ada", "password": PASSWORD}
WRONG = {"name": "ada", "password": "wrong words here"}
NEW = "five whole words"


def login(client: TestClient, sent: dict[str, str] = ADA) -> int:
    return client.post("/api/v1/login", json=sent).status_code


def use_up(house: House, limit: Limit, who: str) -> None:
    """Count as many as are possible, without hashing as many passwords."""

    async def take() -> None:
        async with connect_async(house.redis.url) as redis:
            with suppress(RateLimited):  # some may have been counted already
                for _ in range(limit.most):
                    await Rates(redis).take(limit, who)

    asyncio.run(take())


def test_ten_wrong_passwords_from_one_address_leave_the_owner_at_another_alone(house: House) -> None:
    with house.client(address="203.0.113.7") as mallory:
        assert [login(mallory, WRONG) for _ in range(11)] == [401] * 10 + [429]
        assert login(mallory) == 429
    with house.client(address="198.51.100.9") as owner:
        assert login(owner) == 200


def test_wrong_passwords_for_one_account_do_not_count_for_another(house: House) -> None:
    use_up(house, sign_in_attempts.OF_ACCOUNT_FROM_ADDRESS, "ada/203.0.113.7")
    with house.client(address="203.0.113.7") as client:
        assert login(client) == 429
        assert login(client, {**ADA, "name": "olga"}) == 200


def test_addresses_of_one_ipv6_network_are_counted_together(house: House) -> None:
    use_up(house, sign_in_attempts.OF_ACCOUNT_FROM_ADDRESS, "ada/2001:db8::")
    with house.client(address="2001:db8::7") as client:
        assert login(client) == 429
    with house.client(address="2001:db8:0:1::7") as client:
        assert login(client) == 200


def test_browser_in_which_the_owner_has_signed_in_is_let_past_at_the_very_address_of_the_attack(
    house: House,
) -> None:
    with house.client(address="203.0.113.7") as owner:
        assert login(owner) == 200
        owner.cookies.delete("arena_session")
        use_up(house, sign_in_attempts.failures_from(ACCESS), "203.0.113.7")
        use_up(house, sign_in_attempts.OF_ACCOUNT_FROM_ADDRESS, "ada/203.0.113.7")
        assert login(owner) == 200
        assert post(owner, "/sign-in", **ADA).status_code == 303
    with house.client(address="203.0.113.7") as other:
        assert login(other) == 429


def test_known_browser_has_a_count_of_its_own(house: House) -> None:
    with house.client(address="203.0.113.7") as owner:
        assert login(owner) == 200
        device = owner.cookies["arena_device"].split(".")[2]
        use_up(house, sign_in_attempts.OF_DEVICE, f"ada/{device}")
        assert login(owner) == 429


def test_known_browser_is_known_for_its_own_account_alone(house: House) -> None:
    use_up(house, sign_in_attempts.OF_ACCOUNT_FROM_ADDRESS, "olga/203.0.113.7")
    with house.client(address="203.0.113.7") as owner:
        assert login(owner) == 200
        assert login(owner, {**ADA, "name": "olga"}) == 429


@pytest.mark.parametrize("made_up", ["1.2.3.4", "x", "", "1.99999999999." + "0" * 16 + "." + "0" * 64])
def test_cookie_that_is_none_of_ours_is_nobodys_device(house: House, made_up: str) -> None:
    use_up(house, sign_in_attempts.OF_ACCOUNT_FROM_ADDRESS, "ada/203.0.113.7")
    with house.client(address="203.0.113.7") as client:
        client.cookies.set("arena_device", made_up, domain="testserver.local")
        assert login(client) == 429


def test_device_cookie_is_kept_from_scripts_and_lets_nobody_in(house: House) -> None:
    with house.client() as client:
        sent = client.post("/api/v1/login", json=ADA).headers.get_list("set-cookie")
        (device,) = [cookie.lower() for cookie in sent if cookie.startswith("arena_device=")]
        assert {"httponly", "samesite=lax", "max-age=31536000"} <= set(device.split("; "))
        client.cookies.delete("arena_session")
        assert client.get("/api/v1/me").status_code == 401


@pytest.mark.parametrize("how", ["reset", "sign-out", "change"])
def test_device_is_known_no_longer_after_a_reset_a_sign_out_everywhere_or_a_new_password(
    house: House, how: str
) -> None:
    sent = ADA
    with house.client(address="203.0.113.7") as old:
        assert login(old) == 200
        if how == "reset":
            users.reset(house.store, OPERATOR, "ada", PASSWORD)
        elif how == "sign-out":
            users.end_sessions(house.store, OPERATOR, "ada")
        else:
            sent = {**ADA, "password": NEW}
            with house.browser("ada") as other:
                changed = other.put("/api/v1/me/password", json={"old": PASSWORD, "new": NEW})
                assert changed.status_code == 204
        use_up(house, sign_in_attempts.OF_ACCOUNT_FROM_ADDRESS, "ada/203.0.113.7")
        assert login(old, sent) == 429


def test_browser_that_changes_the_password_stays_known(house: House) -> None:
    with house.client(address="203.0.113.7") as owner:
        csrf = owner.post("/api/v1/login", json=ADA).json()["csrf"]
        owner.headers["X-CSRF-Token"] = csrf
        assert owner.put("/api/v1/me/password", json={"old": PASSWORD, "new": NEW}).status_code == 204
        use_up(house, sign_in_attempts.OF_ACCOUNT_FROM_ADDRESS, "ada/203.0.113.7")
        assert login(owner, {**ADA, "password": NEW}) == 200


def test_wrong_passwords_of_strangers_do_not_keep_the_owner_from_changing_it(house: House) -> None:
    with house.browser("ada") as owner:
        address = "203.0.113.7"
    with house.client(house.token("ada"), address=address) as owner:
        use_up(house, sign_in_attempts.failures_from(ACCESS), address)
        use_up(house, sign_in_attempts.OF_ACCOUNT_FROM_ADDRESS, f"ada/{address}")
        assert owner.put("/api/v1/me/password", json={"old": PASSWORD, "new": NEW}).status_code == 204


def test_wrong_passwords_in_changing_it_are_counted(house: House) -> None:
    with house.client(house.token("ada"), address="203.0.113.7") as client:
        use_up(house, sign_in_attempts.CHANGES_FROM_ADDRESS, f"{house.actor('ada').user_id}/203.0.113.7")
        assert client.put("/api/v1/me/password", json={"old": PASSWORD, "new": NEW}).status_code == 429


def test_account_that_is_tried_from_everywhere_is_slow_and_not_locked(house: House) -> None:
    use_up(house, sign_in_attempts.OF_ACCOUNT.limit, "ada")
    with house.client(address="198.51.100.9") as owner:
        assert login(owner) == 200


def test_attempts_beyond_the_loose_count_take_turns(house: House) -> None:
    pace = Pace(Limit("tries", 1, 60, guarded=True), every_ms=300, patience_s=20.0)

    async def three_more() -> float:
        async with connect_async(house.redis.url) as redis:
            rates = Rates(redis)
            await rates.take_slowly(pace, "ada")
            began = time.monotonic()
            await asyncio.gather(*(rates.take_slowly(pace, "ada") for _ in range(3)))
            return time.monotonic() - began

    assert asyncio.run(three_more()) >= 0.6


def test_attempt_whose_turn_does_not_come_is_told_to_come_again(house: House) -> None:
    pace = Pace(Limit("tries", 0, 60, guarded=True), every_ms=60_000, patience_s=0.2)

    async def two() -> None:
        async with connect_async(house.redis.url) as redis:
            rates = Rates(redis)
            await rates.take_slowly(pace, "ada")
            await rates.take_slowly(pace, "ada")

    with pytest.raises(RateLimited) as caught:
        asyncio.run(two())
    assert caught.value.retry_s == 5


def test_counts_in_redis_end_by_themselves(house: House) -> None:
    with house.client(address="203.0.113.7") as client:
        login(client, {**WRONG, "name": "x" * 80})
    with connect(house.redis.url) as redis:
        keys = list(redis.scan_iter("rate:*"))
        assert len(keys) == 4
        assert all(0 < redis.ttl(key) <= 600 for key in keys)
