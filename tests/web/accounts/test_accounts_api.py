"""Accounts over the API: signing in and out, what a browser must show, what is said to strangers."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from arena.accounts import invitations, tokens
from arena.accounts.actors import OPERATOR
from arena.core.settings import Registration
from arena.messaging.redis_connection import connect_async
from arena.web.app import create_app
from arena.web.http.rate_limits import REQUESTS
from tests.web.access import ACCESS
from tests.web.named_users import PASSWORD, House, furnished, house

if TYPE_CHECKING:
    import httpx

__all__ = ["furnished", "house"]

NO_REDIS = "unix:///nowhere/redis.sock"
LOGIN = {"name": "ada", "password": PASSWORD}
WRONG = {"name": "ada", "password": "wrong words here"}


def code(answer: httpx.Response) -> tuple[int, str]:
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, problem["code"]


def test_browser_signs_in_and_out(house: House) -> None:
    with house.browser("ada") as browser:
        me = browser.get("/api/v1/me").json()
        assert (me["name"], me["role"], me["scopes"]) == ("ada", "author", ["read", "bots"])
        assert me["csrf"] == browser.headers["X-CSRF-Token"]
        cookie = browser.cookies["arena_session"]
        assert browser.post("/api/v1/logout").status_code == 204
        assert "arena_session" not in browser.cookies
        browser.cookies["arena_session"] = cookie
        assert code(browser.get("/api/v1/me")) == (401, "session_over")


def test_cookie_is_kept_from_scripts_and_other_sites(house: House) -> None:
    with house.client() as client:
        attributes = client.post("/api/v1/login", json=LOGIN).headers["set-cookie"].lower().split("; ")
        assert {"httponly", "samesite=lax", "path=/", "max-age=1209600"} <= set(attributes)
        assert "secure" not in attributes
        client.base_url = client.base_url.copy_with(scheme="https")
        assert "secure" in client.post("/api/v1/login", json=LOGIN).headers["set-cookie"].lower()


def test_answers_about_accounts_are_kept_nowhere(house: House) -> None:
    with house.browser("root") as browser:
        for path in ("/api/v1/me", "/api/v1/tokens", "/api/v1/users", "/api/v1/audit"):
            assert browser.get(path).headers["cache-control"] == "no-store"
        refused = browser.post("/api/v1/login", json=WRONG)
        assert refused.headers["cache-control"] == "no-store"


def test_write_of_a_browser_shows_the_csrf_token(house: House) -> None:
    with house.browser("ada") as browser:
        right = browser.headers.pop("X-CSRF-Token")
        for shown in ({}, {"X-CSRF-Token": "0" * 64}, {"X-CSRF-Token": "é".encode()}):
            answer = browser.post("/api/v1/tokens", json={"label": "laptop"}, headers=shown)
            assert code(answer) == (403, "csrf_missing")
        assert browser.get("/api/v1/tokens").json() == []
        shown = {"X-CSRF-Token": right}
        assert browser.post("/api/v1/tokens", json={"label": "laptop"}, headers=shown).status_code == 201


def test_csrf_token_of_another_session_does_not_count(house: House) -> None:
    with house.browser("ada") as browser, house.browser("olga") as other:
        browser.headers["X-CSRF-Token"] = other.headers["X-CSRF-Token"]
        assert code(browser.post("/api/v1/tokens", json={"label": "laptop"})) == (403, "csrf_missing")


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_page_of_another_site_cannot_write(house: House, headers: dict[str, str]) -> None:
    with house.client() as client:
        assert code(client.post("/api/v1/login", json=LOGIN, headers=headers)) == (403, "cross_site")


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {"Origin": "http://testserver"}],
)
def test_page_of_ours_can_write(house: House, headers: dict[str, str]) -> None:
    with house.client() as client:
        assert client.post("/api/v1/login", json=LOGIN, headers=headers).status_code == 200


def test_token_goes_before_a_cookie_and_needs_no_csrf_token(house: House) -> None:
    with house.browser("ada") as browser:
        del browser.headers["X-CSRF-Token"]
        browser.headers["Authorization"] = f"Bearer {house.token('olga')}"
        assert browser.get("/api/v1/me").json()["name"] == "olga"
        assert browser.post("/api/v1/tokens", json={"label": "laptop"}).status_code == 201


def test_revoked_token_is_refused_at_once(house: House) -> None:
    with house.client(house.token("ada")) as client:
        made = client.post("/api/v1/tokens", json={"label": "laptop", "scopes": ["read"]}).json()
        own = {"Authorization": f"Bearer {made['token']}"}
        assert client.get("/api/v1/me", headers=own).json()["scopes"] == ["read"]
        assert client.delete(f"/api/v1/tokens/{made['id']}").status_code == 204
        answer = client.get("/api/v1/me", headers=own)
        assert code(answer) == (401, "token_unknown")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_name_that_nobody_has_is_answered_as_a_wrong_password_is(house: House) -> None:
    with house.client() as client:
        wrong = client.post("/api/v1/login", json=WRONG)
        nobody = client.post("/api/v1/login", json={**WRONG, "name": "nobody"})
    assert code(wrong) == code(nobody) == (401, "login_failed")
    own = {"request_id": ""}
    assert {**wrong.json(), **own} == {**nobody.json(), **own}


def test_password_is_never_shown_again(house: House) -> None:
    secret = "never to be seen"
    bodies = (
        {"name": ["ada"], "password": secret},
        {"password": secret},
        {"name": "ada", "password": [secret]},
        {"name": "ada", "password": secret, "more": secret},
        {"name": "ada", "password": secret * 100},
    )
    with house.client() as client:
        for body in bodies:
            for path in ("/api/v1/login", "/api/v1/register"):
                answer = client.post(path, json=body)
                assert code(answer) == (422, "invalid")
                assert answer.json()["field"]
                assert secret not in answer.text


@pytest.mark.parametrize("mode", ["invitation", "closed"])
def test_registration_is_as_the_operator_says(house: House, mode: Registration) -> None:
    house.access = replace(ACCESS, registration=mode)
    invitation = invitations.invite(house.store, OPERATOR).invitation
    wish = {"name": "grace", "password": PASSWORD}
    with house.client() as client:
        assert client.post("/api/v1/register", json=wish).status_code == 403
        answer = client.post("/api/v1/register", json={**wish, "invitation": invitation})
        if mode == "closed":
            assert code(answer) == (403, "registration_closed")
        else:
            assert answer.json()["role"] == "author"
            assert client.post("/api/v1/login", json=wish).status_code == 200


def test_refusal_names_the_field_and_a_remedy(house: House) -> None:
    with house.client() as client:
        answer = client.post("/api/v1/register", json={"name": "ada", "password": PASSWORD})
    assert code(answer) == (409, "name_taken")
    assert answer.json()["field"] == "name"
    assert answer.json()["detail"] == "name 'ada': is taken; choose another"
    assert answer.json()["remedy"]


def test_admin_makes_users_and_resets_them(house: House) -> None:
    with house.client(house.token("root")) as client:
        made = client.post("/api/v1/users", json={"name": "grace", "role": "organiser"}).json()
        assert client.post("/api/v1/login", json={"name": "grace", "password": made["password"]}).is_success
        reset = client.post("/api/v1/users/grace/reset", json={"password": "words of my own"}).json()
        assert reset["password"] is None
        assert client.post("/api/v1/login", json={"name": "grace", "password": "words of my own"}).is_success
        names = [user["name"] for user in client.get("/api/v1/users").json()]
        assert names == ["ada", "grace", "olga", "root"]
        assert code(client.patch("/api/v1/users/root", json={"role": "author"})) == (409, "last_admin")
        last = client.get("/api/v1/audit", params={"most": 5}).json()
    assert [(row["actor"], row["action"]) for row in last[:2]] == [
        ("grace", "session.begin"),
        ("root", "user.reset"),
    ]


def test_wrong_passwords_of_an_address_are_limited(house: House) -> None:
    house.access = replace(ACCESS, failed_sign_ins=5)
    with house.client(address="192.0.2.7") as client:
        said = [client.post("/api/v1/login", json={**WRONG, "name": f"no{n}"}) for n in range(6)]
        assert [answer.status_code for answer in said] == [401] * 5 + [429]
        assert code(said[-1]) == (429, "rate_limited")
        assert 0 < int(said[-1].headers["retry-after"]) <= 300
        assert client.post("/api/v1/login", json=LOGIN).status_code == 429
    with house.client(address="192.0.2.8") as client:
        assert client.post("/api/v1/login", json=LOGIN).status_code == 200


def test_right_passwords_do_not_count_for_the_address(house: House) -> None:
    house.access = replace(ACCESS, failed_sign_ins=1)
    with house.client(address="192.0.2.7") as client:
        names = ("ada", "olga", "root") * 2
        said = [client.post("/api/v1/login", json={**LOGIN, "name": name}).status_code for name in names]
    assert said == [200] * 6


def register(house: House, hosts: list[str], tries: int, **sent: str) -> list[list[int]]:
    """Try to register under a name that is taken; the statuses for each address."""
    wish = {"name": "ada", "password": PASSWORD, **sent}
    said = []
    for host in hosts:
        with house.client(address=host) as client:
            said.append([client.post("/api/v1/register", json=wish).status_code for _ in range(tries)])
    return said


def test_addresses_of_one_ipv6_network_share_a_limit(house: House) -> None:
    hosts = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"]
    assert register(house, hosts, 6) == [[409] * 6, [409] * 4 + [429] * 2, [409] * 6]


@pytest.mark.parametrize(
    ("hosts", "most"),
    [
        ([f"2001:db8:0:{number:x}::1" for number in range(16)], 20),  # a /60, in one /56
        ([f"2001:db8:0:{number:x}00::1" for number in range(10)], 80),  # /56s of one /48
        ([f"203.0.113.{number}" for number in range(10)], 80),  # a /24
    ],
)
def test_networks_of_many_addresses_have_limits_of_their_own(
    house: House, hosts: list[str], most: int
) -> None:
    said = [status for statuses in register(house, hosts, 10) for status in statuses]
    assert said == [409] * most + [429] * (len(said) - most)


def test_address_that_is_refused_does_not_use_up_its_network(house: House) -> None:
    register(house, ["2001:db8::1"], 40)
    assert register(house, ["2001:db8:0:1::1"], 10) == [[409] * 10]


def test_sixty_people_behind_one_address_register_with_invitations_and_sign_in(house: House) -> None:
    house.access = replace(ACCESS, registration="invitation")
    with house.client(address="192.0.2.7") as client:
        names = [f"student-{number}" for number in range(60)]
        for name in names:
            invitation = invitations.invite(house.store, OPERATOR).invitation
            wish = {"name": name, "password": PASSWORD, "invitation": invitation}
            assert client.post("/api/v1/register", json=wish).status_code == 201
        began = time.monotonic()
        for name in names:
            client.cookies.clear()
            assert client.post("/api/v1/login", json={**LOGIN, "name": name}).status_code == 200
        assert time.monotonic() - began < 300


def test_guessed_invitations_count_for_the_address_and_do_not_keep_the_invited_out(house: House) -> None:
    house.access = replace(ACCESS, registration="invitation")
    made = invitations.invite(house.store, OPERATOR).invitation
    guess = f"{made[:-43]}{'A' * 43}"
    address = "192.0.2.7"
    assert register(house, [address], 12, name="grace", invitation=guess) == [[403] * 10 + [429] * 2]
    assert register(house, [address], 2, name="grace") == [[429] * 2]
    assert register(house, [address], 1, name="grace", invitation=made) == [[201]]
    assert register(house, [address], 1, name="ida", invitation=made) == [[429]]


def test_tries_with_one_invitation_are_limited(house: House) -> None:
    invitation = invitations.invite(house.store, OPERATOR).invitation
    hosts = ["192.0.2.7", "198.51.100.9"]
    assert register(house, hosts, 6, invitation=invitation) == [[409] * 6, [409] * 4 + [429] * 2]


def test_requests_of_an_account_are_limited_and_other_accounts_are_not(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arena.web.auth import api_auth

    monkeypatch.setattr(api_auth, "REQUESTS", replace(REQUESTS, most=3))
    with house.client(house.token("ada")) as client:
        assert [client.get("/api/v1/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    with house.client(house.token("olga")) as client:
        assert client.get("/api/v1/me").status_code == 200


def test_without_redis_passwords_are_refused_and_tokens_count(house: House) -> None:
    token = house.token("ada")
    with TestClient(create_app(house.store, connect_async(NO_REDIS), ACCESS)) as client:
        assert code(client.post("/api/v1/login", json=LOGIN)) == (503, "unavailable")
        answer = client.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200


def test_one_admin_may_revoke_the_token_of_another_user(house: House) -> None:
    made = tokens.create(house.store, house.actor("ada"), "lost laptop")
    with house.client(house.token("root")) as client:
        assert client.delete(f"/api/v1/tokens/{made.id}").status_code == 204
    with house.client(made.token) as client:
        assert code(client.get("/api/v1/me")) == (401, "token_unknown")
