"""Signing in and registering on pages: what is said beside the field, and where one arrives."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from arena.accounts import actors, invitations, sign_in_links, tokens, users
from arena.accounts.actors import OPERATOR
from arena.messaging.redis_connection import connect_async
from arena.web.auth.page_auth import inside
from arena.web.auth.sign_in_attempts import OF_ACCOUNT_FROM_ADDRESS
from arena.web.http.rate_limits import Rates
from tests.web.access import ACCESS
from tests.web.named_users import PASSWORD, House, beside, furnished, house, post

__all__ = ["furnished", "house"]

ADA = {"name": "ada", "password": PASSWORD}


def test_one_signs_in_is_named_on_every_page_and_signs_out(house: House) -> None:
    with house.client() as browser:
        asked = browser.get("/account", follow_redirects=False)
        assert (asked.status_code, asked.headers["location"]) == (303, "/sign-in?next=/account")
        assert 'name="then" value="/account"' in browser.get("/sign-in?next=/account").text
        answer = post(browser, "/sign-in", **ADA, then="/account")
        assert (answer.status_code, answer.headers["location"]) == (303, "/account")
        assert "Submit a bot" in browser.get("/tournaments").text
        assert browser.get("/sign-in?next=/tournaments", follow_redirects=False).status_code == 303
        browser.headers["X-CSRF-Token"] = browser.get("/api/v1/me").json()["csrf"]
        assert post(browser, "/sign-out").headers["location"] == "/"
        assert "arena_session" not in browser.cookies
        assert 'href="/sign-in?next=/tournaments"' in browser.get("/tournaments").text


def test_sign_in_says_what_it_is_for(house: House) -> None:
    with house.client() as browser:
        assert "<h1>Sign in to submit a bot</h1>" in browser.get("/submit").text
        assert "<h1>Sign in</h1>" in browser.get("/sign-in?next=/tournaments").text


def test_wrong_password_is_said_beside_its_field_and_the_name_stays(house: House) -> None:
    with house.client() as browser:
        page = post(browser, "/sign-in", name="ada", password="wrong words here", then="/account")
        nobody = post(browser, "/sign-in", name="nobody", password="wrong words here", then="/account")
    assert page.status_code == 401
    assert "wrong; an admin" in beside(page, "password", "password")
    assert beside(nobody, "password", "password") == beside(page, "password", "password")
    assert 'value="ada"' in page.text
    assert "wrong words here" not in page.text
    assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "then", ["//evil.example", "/\\evil.example", "/\t/evil.example", "https://evil.example", "/ñ", ""]
)
def test_signing_in_sends_nobody_elsewhere(then: str) -> None:
    assert inside(then) == "/"
    assert inside("/tournaments?page=2") == "/tournaments?page=2"


def test_form_of_another_site_signs_nobody_in(house: House) -> None:
    with house.client() as browser:
        browser.headers["Sec-Fetch-Site"] = "cross-site"
        for path in ("/sign-in", "/sign-in/token", "/sign-in/link", "/register"):
            assert post(browser, path, **ADA).status_code == 403
        assert "arena_session" not in browser.cookies


def test_admin_of_a_new_arena_signs_in_by_token_and_sets_a_password(house: House) -> None:
    with house.store.write() as session:
        user = users.add_in(session, "admin", "admin", None)
        made = tokens.add_in(session, "operator", user, "first start", actors.scopes_of("admin"))
    with house.client() as browser:
        assert post(browser, "/sign-in/token", token=f" {made.token}\n").status_code == 303
        browser.headers["X-CSRF-Token"] = browser.get("/api/v1/me").json()["csrf"]
        assert "You have none yet" in browser.get("/account").text
        answer = post(browser, "/account/password", password="five whole words")
        assert answer.headers["location"].startswith("/account?done=password")
        post(browser, "/sign-out")
        assert post(browser, "/sign-in", name="admin", password="five whole words").status_code == 303


def test_token_that_allows_less_than_its_owner_may_begins_no_session(house: House) -> None:
    with house.client() as browser:
        page = post(browser, "/sign-in/token", token=house.token("olga", "read", "bots"))
        assert page.status_code == 403
        assert "make one that has bots, read, tournaments" in beside(page, "token", "token")
        wrong = post(browser, "/sign-in/token", token="arena_0")
        assert "unknown or revoked" in beside(wrong, "token", "token")
        assert "arena_session" not in browser.cookies


def test_logins_by_form_and_by_api_share_their_limit(house: House) -> None:
    async def use_up() -> None:
        async with connect_async(house.redis.url) as redis:
            for _ in range(OF_ACCOUNT_FROM_ADDRESS.most):
                await Rates(redis).take(OF_ACCOUNT_FROM_ADDRESS, "ada/192.0.2.7")

    asyncio.run(use_up())
    with house.client(address="192.0.2.7") as browser:
        page = post(browser, "/sign-in", **ADA)
        assert browser.post("/api/v1/login", json=ADA).status_code == 429
    assert page.status_code == 429
    assert "at most 10 in 300 s; wait" in page.text
    assert 1 <= int(page.headers["retry-after"]) <= 300


def test_admin_of_a_new_arena_signs_in_by_link_once_and_is_led_to_the_account(house: House) -> None:
    with house.store.write() as session:
        users.add_in(session, "admin", "admin", None)
    made = sign_in_links.create(house.store, OPERATOR, "admin")
    path = made.address("")
    with house.client() as browser:
        for _ in range(2):  # looking at it uses nothing up
            page = browser.get(path)
            assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
        answer = post(browser, "/sign-in/link", code=made.code)
        assert (answer.status_code, answer.headers["location"]) == (303, "/account")
        assert browser.get("/api/v1/me").json()["name"] == "admin"
    with house.client() as other:
        again = post(other, "/sign-in/link", code=made.code)
        assert again.status_code == 401
        assert "unknown, used or expired" in beside(again, "link", "code")
        assert "arena_session" not in other.cookies


def test_registering_makes_an_account_and_signs_in(house: House) -> None:
    with house.client() as browser:
        taken = post(browser, "/register", name="ada", password="five whole words")
        assert (taken.status_code, "is taken" in beside(taken, "register", "name")) == (409, True)
        weak = post(browser, "/register", name="grace", password="short")
        assert "must have 10 to 200" in beside(weak, "register", "password")
        assert 'value="grace"' in weak.text
        assert post(browser, "/register", name="grace", password="five whole words").status_code == 303
        assert browser.get("/api/v1/me").json()["name"] == "grace"


def test_registration_by_invitation_says_so_and_takes_one_once(house: House) -> None:
    house.access = replace(ACCESS, registration="invitation")
    invitation = invitations.invite(house.store, OPERATOR, "organiser").invitation
    new = {"name": "grace", "password": "five whole words"}
    with house.client() as browser:
        assert "Registration is by invitation" in browser.get("/register").text
        assert f'value="{invitation}"' in browser.get("/register", params={"invitation": invitation}).text
        assert "is missing" in beside(post(browser, "/register", **new), "register", "invitation")
        assert post(browser, "/register", **new, invitation=invitation).status_code == 303
        assert browser.get("/api/v1/me").json()["role"] == "organiser"
    with house.client() as browser:
        again = post(browser, "/register", name="ida", password="five whole words", invitation=invitation)
        assert "unknown, used or expired" in beside(again, "register", "invitation")


def test_closed_registration_says_what_to_do(house: House) -> None:
    house.access = replace(ACCESS, registration="closed")
    with house.client() as browser:
        page = browser.get("/register").text
        assert "Registration is closed." in page
        assert 'action="/register"' not in page
        assert post(browser, "/register", name="grace", password="five whole words").status_code == 403
        assert "Registration is closed: ask the organiser" in browser.get("/sign-in").text
