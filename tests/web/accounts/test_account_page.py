"""The account's page: tokens shown once, the password, browsers that are signed in, what is one's own."""

from __future__ import annotations

import re

from tests.web.named_users import PASSWORD, House, beside, furnished, house, post

__all__ = ["furnished", "house"]


def test_token_is_shown_once_and_revoked(house: House) -> None:
    with house.browser("ada") as browser:
        page = post(browser, "/account/tokens", label="laptop", scopes=["read"])
        assert page.headers["cache-control"] == "no-store"
        (token,) = re.findall(r"arena_[0-9a-f]{16}_[\w-]{43}", page.text)
        with house.client(token) as program:
            assert program.get("/api/v1/me").json()["scopes"] == ["read"]
            shown = browser.get("/account").text
            assert "laptop" in shown
            assert token not in shown
            (token_id,) = re.findall(r'name="token_id" value="(\w+)"', shown)
            assert post(browser, "/account/tokens/revoke", token_id=token_id).status_code == 303
            assert program.get("/api/v1/me").status_code == 401


def test_token_that_cannot_be_made_is_said_beside_its_field(house: House) -> None:
    with house.browser("ada") as browser:
        none = post(browser, "/account/tokens", label="laptop")
        assert "choose one at least" in beside(none, "token", "scopes")
        assert 'value="laptop"' in none.text
        assert "must be 1 to 100" in beside(
            post(browser, "/account/tokens", label=" \t", scopes="read"), "token", "label"
        )
        admin = post(browser, "/account/tokens", label="laptop", scopes="admin")
        assert (admin.status_code, "leave it out" in beside(admin, "token", "scopes")) == (403, True)


def test_password_is_changed_with_the_old_one_and_signs_others_out(house: House) -> None:
    with house.browser("ada") as browser, house.browser("ada") as other:
        wrong = post(browser, "/account/password", old="wrong words here", password="five whole words")
        assert "old password: wrong" in beside(wrong, "password", "old")
        weak = post(browser, "/account/password", old=PASSWORD, password="weak")
        assert "must have 10 to 200" in beside(weak, "password", "password")
        assert (
            post(browser, "/account/password", old=PASSWORD, password="five whole words").status_code == 303
        )
        assert browser.get("/account").status_code == 200
        assert other.get("/account", follow_redirects=False).status_code == 303


def test_other_browsers_are_listed_and_signed_out(house: House) -> None:
    with house.browser("ada") as browser, house.browser("ada") as other, house.browser("olga") as olga:
        rows = browser.get("/api/v1/sessions").json()
        assert [row["current"] for row in rows] == [False, True]
        (session_id,) = re.findall(r'name="session_id" value="(\w+)"', browser.get("/account").text)
        assert session_id == rows[0]["id"]
        assert post(olga, "/account/sessions/end", session_id=session_id).status_code == 404
        assert other.get("/api/v1/me").status_code == 200
        assert post(browser, "/account/sessions/end", session_id=session_id).status_code == 303
        assert other.get("/api/v1/me").status_code == 401
        (own,) = browser.get("/api/v1/sessions").json()
        assert browser.delete(f"/api/v1/sessions/{own['id']}").status_code == 204
        assert browser.get("/api/v1/me").status_code == 401


def test_account_names_role_bots_and_quotas(house: House) -> None:
    with house.browser("ada") as browser:
        assert "You have none yet." in browser.get("/account").text
        post(browser, "/submit/dial-in", game="lost_cities", name="far")
        page = browser.get("/account").text
        assert "Author: submits bots" in page
        assert '<a href="/account/bots/lost_cities/far">far</a>' in page
        (row,) = browser.get("/api/v1/me/bots").json()
        assert (row["bot"], row["active"], row["versions"]) == ("far", None, 1)
        assert browser.get("/api/v1/me/quotas").json() == {
            "qualification": {"used": 0, "most": 50},
            "challenge": {"used": 0, "most": 100},
            "comparison": {"used": 0, "most": 10},
            "storage": {"used": 0, "most": 500 << 20},
            "bots": {"lost_cities": {"used": 1, "most": 10}},
        }
        assert "Bots of Lost Cities" in browser.get("/account").text


def test_menu_offers_what_the_role_allows(house: House) -> None:
    for name, offered in (("ada", set()), ("olga", {"/organise"}), ("root", {"/organise", "/admin"})):
        with house.browser(name) as browser:
            menu = re.findall(r'href="(/[a-z]+)"', browser.get("/sdk").text.partition('class="person"')[2])
        assert {"/account", "/submit", *offered} <= set(menu)
        assert {"/organise", "/admin"} & set(menu) == offered
