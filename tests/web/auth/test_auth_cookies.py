"""Cookies over HTTPS and over HTTP: neither is taken for the other's, and HTTPS is said to stay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fastapi.testclient import TestClient

from tests.web.named_users import PASSWORD, House, furnished, house, post

__all__ = ["furnished", "house"]

ADA = {"name": "ada", "password": PASSWORD}


@contextmanager
def secure(house: House) -> Iterator[TestClient]:
    """A browser over HTTPS, as a proxy says that is believed."""
    with house.client() as client:
        client.base_url = client.base_url.copy_with(scheme="https")
        yield client


def test_session_over_https_has_a_name_that_only_this_host_can_set(house: House) -> None:
    with secure(house) as browser:
        sent = browser.post("/api/v1/login", json=ADA).headers.get_list("set-cookie")
    assert sorted(cookie.partition("=")[0] for cookie in sent) == [
        "__Host-arena_device",
        "__Host-arena_session",
    ]
    for cookie in sent:
        parts = cookie.lower().split("; ")[1:]
        assert {"secure", "httponly", "path=/", "samesite=lax"} <= set(parts)
        assert not any(part.startswith("domain") for part in parts)


def test_session_over_http_has_a_plain_name(house: House) -> None:
    with house.client() as browser:
        sent = browser.post("/api/v1/login", json=ADA).headers.get_list("set-cookie")
    assert sorted(cookie.partition("=")[0] for cookie in sent) == ["arena_device", "arena_session"]
    assert not any("secure" in cookie.lower() for cookie in sent)


@pytest.mark.parametrize("path", ["/api/v1/me", "/account"])
def test_plain_cookie_lets_nobody_in_over_https(house: House, path: str) -> None:
    cookie = house.cookie("ada")
    with secure(house) as browser:
        browser.headers["Cookie"] = f"arena_session={cookie}"
        assert browser.get(path, follow_redirects=False).status_code in {401, 303}
        browser.headers["Cookie"] = f"arena_session=planted; __Host-arena_session={cookie}"
        assert browser.get(path, follow_redirects=False).status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/me", "/account"])
def test_secure_cookie_lets_nobody_in_over_http(house: House, path: str) -> None:
    with house.client() as browser:
        browser.headers["Cookie"] = f"__Host-arena_session={house.cookie('ada')}"
        assert browser.get(path, follow_redirects=False).status_code in {401, 303}


def test_cookie_that_was_there_before_signing_in_is_not_the_sessions(house: House) -> None:
    with house.client() as browser:
        browser.cookies.set("arena_session", "planted", domain="testserver.local")
        assert browser.post("/api/v1/login", json=ADA).status_code == 200
        assert "planted" not in {cookie.value for cookie in browser.cookies.jar}


def test_one_signs_in_and_out_over_https(house: House) -> None:
    with secure(house) as browser:
        assert post(browser, "/sign-in", **ADA).status_code == 303
        assert browser.get("/account").status_code == 200
        browser.headers["X-CSRF-Token"] = browser.get("/api/v1/me").json()["csrf"]
        assert post(browser, "/sign-out").status_code == 303
        assert "__Host-arena_session" not in browser.cookies
        assert browser.get("/account", follow_redirects=False).status_code == 303


def test_page_for_somebody_is_remembered_for_nobody_over_https(house: House) -> None:
    cookie = house.cookie("ada")
    with secure(house) as browser:
        mine = browser.get("/tournaments", headers={"Cookie": f"__Host-arena_session={cookie}"})
        theirs = browser.get("/tournaments")
    assert "Submit a bot" in mine.text
    assert "Submit a bot" not in theirs.text


def test_https_alone_is_said_to_stay(house: House) -> None:
    with house.client() as plain, secure(house) as browser:
        for path in ("/", "/api/v1/games", "/nothing", "/health"):
            assert "strict-transport-security" not in plain.get(path).headers
            assert browser.get(path).headers["strict-transport-security"] == "max-age=31536000"
