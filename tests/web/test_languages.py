"""Pages are answered in the language that a browser asks for, or that its reader has chosen."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("es", "es"),
        ("es-MX,es;q=0.9,en;q=0.1", "es"),
        ("en-GB,es;q=0.5", "en"),
        ("fr,es;q=0.5", "es"),
        ("fr", "en"),
        ("*", "en"),
        ("es;q=nonsense", "es"),
        ("", "en"),
    ],
)
def test_browser_is_answered_in_the_first_language_that_we_have(
    client: TestClient, header: str, language: str
) -> None:
    answer = client.get("/", headers={"Accept-Language": header})
    assert f'<html lang="{language}">' in answer.text


def test_switch_goes_before_what_the_browser_asks_for(client: TestClient) -> None:
    answer = client.post(
        "/language", data={"language": "es", "back": "/tournaments?page=1"}, follow_redirects=False
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/tournaments?page=1")
    assert '<html lang="es">' in client.get("/", headers={"Accept-Language": "en"}).text
    client.cookies.clear()


@pytest.mark.parametrize("back", ["//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example"])
def test_switch_sends_nobody_elsewhere(client: TestClient, back: str) -> None:
    answer = client.post("/language", data={"language": "es", "back": back}, follow_redirects=False)
    assert answer.headers["location"] == "/"
    client.cookies.clear()


def test_language_that_we_do_not_have_is_refused(client: TestClient) -> None:
    answer = client.post("/language", data={"language": "tlh"}, follow_redirects=False)
    assert answer.status_code == 422
    assert "we have en, es" in answer.text
