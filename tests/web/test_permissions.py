"""Which role, and which scope of a token, may call which route of the API; every route that writes is in the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.web.people import PASSWORD, ROLES, House, furnished, house, post

__all__ = ["furnished", "house"]

ANYBODY = {"stranger", "author", "organiser", "admin", "read", "bots", "tournaments"}
SIGNED_IN = ANYBODY - {"stranger"}
READERS = {"author", "organiser", "admin", "read"}
AUTHORS = {"author", "organiser", "admin", "bots"}
ORGANISERS = {"organiser", "admin", "tournaments"}
ADMINS = {"admin"}

CALLERS = {
    "stranger": None,
    "author": ("ada", ()),
    "organiser": ("olga", ()),
    "admin": ("root", ()),
    "read": ("root", ("read",)),
    "bots": ("root", ("bots",)),
    "tournaments": ("root", ("tournaments",)),
}
"""A user's token with all scopes of the role, or with one alone."""


@dataclass(frozen=True)
class Route:
    """A route, who may call it, what is sent, and the status for who may."""

    method: str
    path: str
    allowed: set[str]
    body: dict[str, Any] | None = None
    status: int = 200


NEW = "grace"
MATCHING = {"game": "lost_cities", "bots": ["greedy", "random"]}
ROUTES = [
    Route("POST", "/api/v1/register", ANYBODY, {"name": NEW, "password": "five whole words"}, 201),
    Route("POST", "/api/v1/login", ANYBODY, {"name": "ada", "password": "three or four words"}),
    Route("POST", "/api/v1/logout", SIGNED_IN, status=204),
    Route("POST", "/api/v1/play/tables", ANYBODY, {"game": "lost_cities", "opponents": ["greedy"]}, 503),
    *(
        Route(method, f"/api/v1/play/tables/{{table_id}}{verb}", ANYBODY, body, 404)
        for method, verb, body in (
            ("POST", "/answer", {"decision": 1, "action": "draw deck"}),
            ("POST", "/resign", None),
            ("DELETE", "", None),
        )
    ),
    Route("GET", "/api/v1/me", SIGNED_IN),
    Route(
        "PUT",
        "/api/v1/me/password",
        SIGNED_IN,
        {"old": "three or four words", "new": "words of somebody"},
        204,
    ),
    Route("GET", "/api/v1/tokens", READERS),
    Route("POST", "/api/v1/tokens", AUTHORS, {"label": "laptop"}, 201),
    Route("DELETE", "/api/v1/tokens/{token_id}", AUTHORS, status=404),
    Route("GET", "/api/v1/me/bots", READERS),
    Route("GET", "/api/v1/me/quotas", READERS),
    Route("GET", "/api/v1/sessions", READERS),
    Route("DELETE", "/api/v1/sessions/{session_id}", AUTHORS, status=404),
    Route("GET", "/api/v1/bots/{game_id}/{name}/upload", READERS, status=404),
    Route("GET", "/api/v1/bots/{game_id}/{name}/connection", READERS, status=404),
    Route("GET", "/api/v1/bots/{game_id}/{name}/entries", READERS, status=404),
    Route("GET", "/api/v1/users", ADMINS),
    Route("POST", "/api/v1/users", ADMINS, {"name": NEW}, 201),
    Route("PATCH", "/api/v1/users/{name}", ADMINS, {"role": "organiser"}),
    Route("POST", "/api/v1/users/{name}/reset", ADMINS, {}),
    Route("POST", "/api/v1/invitations", ADMINS, {}, 201),
    Route("GET", "/api/v1/audit", ADMINS),
    Route("POST", "/api/v1/tournaments", ORGANISERS, MATCHING, 201),
    Route("POST", "/api/v1/ladders", ORGANISERS, {"game": "lost_cities", "epoch_s": 1}, 422),
    Route("POST", "/api/v1/ladders/{ladder_id}/stop", ORGANISERS, status=404),
    *(
        Route("POST", f"/api/v1/tournaments/{{tournament_id}}/{verb}", ORGANISERS, body, 404)
        for verb, body in (
            ("open", None),
            ("start", None),
            ("pause", None),
            ("resume", None),
            ("cancel", {}),
            ("extend", {"more": 1}),
            ("priority", {"priority": 20}),
        )
    ),
    Route("POST", "/api/v1/tournaments/{tournament_id}/entries", AUTHORS, {"bot": "greedy"}, 404),
    Route("DELETE", "/api/v1/tournaments/{tournament_id}/entries/{name}", AUTHORS, status=404),
    Route("POST", "/api/v1/bots/uploads", AUTHORS, status=422),
    Route("POST", "/api/v1/bots/{game_id}", AUTHORS, {"name": NEW, "source": "dial_in"}, 201),
    Route("POST", "/api/v1/bots/{game_id}/{name}/token", AUTHORS, status=404),
    Route("DELETE", "/api/v1/bots/{game_id}/{name}/token", AUTHORS, status=404),
    Route("GET", "/api/v1/bots/{game_id}/{name}/versions", READERS, status=404),
    Route("POST", "/api/v1/bots/{game_id}/{name}/withdraw", AUTHORS, status=404),
    Route("POST", "/api/v1/bots/{game_id}/{name}/restore", AUTHORS, status=404),
    Route("POST", "/api/v1/bots/{game_id}/{name}/challenges", AUTHORS, {"others": ["greedy"]}, 404),
    Route("GET", "/api/v1/bots/{game_id}/{name}/logs", READERS, status=404),
    Route("GET", "/api/v1/bots/{game_id}/{name}/logs/{match_id}", READERS, status=404),
]


@dataclass(frozen=True)
class Page:
    """A page that not everybody may have, or a form of one: which roles may, what is sent, and the status for them."""

    method: str
    path: str
    status: int
    form: dict[str, str] = field(default_factory=dict)
    roles: frozenset[str] = frozenset({"author", "organiser", "admin"})


OWN = "/account/bots/lost_cities/mine"
PAGES = [
    Page("GET", "/account", 200),
    Page("POST", "/account/password", 422, {"old": PASSWORD, "password": "weak"}),
    Page("POST", "/account/tokens", 422, {"scopes": "read"}),
    Page("POST", "/account/tokens/revoke", 404),
    Page("POST", "/account/sessions/end", 404),
    Page("GET", "/submit", 200),
    Page("POST", "/submit/dial-in", 422, {"game": "chess"}),
    Page("POST", "/submit/endpoint", 422, {"game": "chess"}),
    Page("GET", "/submit/starters/lost_cities.zip", 200),
    Page("GET", OWN, 404),
    Page("POST", f"{OWN}/versions/1/withdraw", 404),
    Page("POST", f"{OWN}/versions/1/restore", 404),
    Page("GET", f"{OWN}/versions/1/upload", 404),
    Page("POST", f"{OWN}/token", 404),
    Page("POST", f"{OWN}/token/revoke", 404),
    Page("POST", f"{OWN}/challenges", 404, {"others": "greedy"}),
    Page("POST", f"{OWN}/enter/7", 404),
    Page("POST", f"{OWN}/leave/7", 404),
    Page("GET", f"{OWN}/matches/m", 404),
    Page("POST", "/sign-out", 303),
]


def test_pages_are_for_those_who_may_and_their_forms_for_their_own_session(house: House) -> None:
    with house.client() as stranger:
        for page in PAGES:
            answer = stranger.request(page.method, page.path, follow_redirects=False)
            assert answer.status_code == 303, page
            assert answer.headers["location"].startswith("/sign-in?next=/"), page
    for name, role in ROLES.items():
        with house.browser(name) as browser:
            for page in PAGES:
                if page.method == "POST":
                    forged = browser.post(page.path, data={**page.form, "csrf": "0" * 64})
                    assert "this form is not of your session" in forged.text, page
                    answer = post(browser, page.path, **page.form)
                else:
                    answer = browser.get(page.path, follow_redirects=False)
                assert answer.status_code == (page.status if role in page.roles else 403), (role, page)


def names(route: Route) -> str:
    return f"{route.method} {route.path}"


@pytest.mark.parametrize("route", ROUTES, ids=names)
def test_route_is_for_those_who_may_and_for_nobody_else(route: Route, house: House) -> None:
    path = route.path.format(
        table_id="0" * 16,
        token_id="0" * 16,
        session_id="0" * 16,
        name="ada",
        game_id="lost_cities",
        match_id="m",
        tournament_id=7,
        ladder_id=7,
    )
    with house.client() as client:
        for caller, who in CALLERS.items():
            headers = {} if who is None else {"Authorization": f"Bearer {house.token(who[0], *who[1])}"}
            client.cookies.clear()
            answer = client.request(route.method, path, json=_body(route, caller), headers=headers)
            said = f"{caller}: {answer.text}"
            if caller in route.allowed:
                assert answer.status_code == route.status, said
            elif caller == "stranger":
                assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), said
            else:
                assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing"), said


def _body(route: Route, caller: str) -> dict[str, Any] | None:
    """What is sent: names are new each time, and a password is changed once by each role."""
    body = route.body
    if body and body.get("name") == NEW:
        return {**body, "name": f"{NEW}-{caller}"}
    if body and "new" in body and caller in {"bots", "tournaments", "read"}:
        chain = ["admin", "read", "bots", "tournaments"]
        return {"old": f"words of {chain[chain.index(caller) - 1]}", "new": f"words of {caller}"}
    if body and "new" in body:
        return {**body, "new": f"words of {caller}"}
    return body


def test_every_route_that_writes_or_is_not_for_all_is_in_the_table(house: House) -> None:
    listed = {(route.method, route.path) for route in ROUTES}
    with house.client() as client:
        paths = client.get("/openapi.json").json()["paths"]
    there = {
        (method.upper(), path)
        for path, methods in paths.items()
        for method, operation in methods.items()
        if method != "get" or "security" in operation
    }
    assert there == listed
