"""What each of the cast may see and do, at every route of the app; a route that is not in the table fails the tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from arena.accounts import actors, invitations, passwords, sessions, tokens, users
from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.competition import creation, ladders, lifecycle
from arena.competition.drafts import TournamentSpec
from arena.competition.ladders import LadderRequest
from arena.messaging.redis_connection import connect, connect_async
from arena.rankings import public_ratings
from arena.storage import Store
from arena.storage.schema import Bot, Version
from arena.web.app import create_app
from tests import decided_matches, random_tournaments
from tests.parts.redis_server import RunningRedis
from tests.web.access import ACCESS
from tests.web.conftest import opened
from tests.web.routes import PEOPLE, ROWS, Row

if TYPE_CHECKING:
    import redis

PASSWORD = "three or four words"
CAST = {
    "owner": ("ada", "author"),
    "other": ("bob", "author"),
    "organiser": ("olga", "organiser"),
    "admin": ("root", "admin"),
}
SMALL = {"hands": 1}


@dataclass
class Stage:
    """An arena in which everything that a route may name is there once, and is again before each row."""

    app: FastAPI
    client: TestClient
    redis: redis.Redis
    file: Path
    copy: sqlite3.Connection
    names: dict[str, object]
    cookies: dict[str, str]
    tokens: dict[str, str]

    def ask(self, row: Row, headers: dict[str, str], csrf: str = "") -> Any:
        """Ask for a row's address once, as if nobody had asked before."""
        path = (row.at or row.route).format(**self.names)
        sent = row.sent
        if sent is not None:
            sent = {
                key: value.format(**self.names) if isinstance(value, str) else value
                for key, value in sent.items()
            }
        body = {"json": sent} if path.startswith("/api/") else {"data": {**(sent or {}), "csrf": csrf}}
        self.client.cookies.clear()
        writes = row.method not in {"GET", "HEAD"}
        answer = self.client.request(
            row.method, path, headers=headers, follow_redirects=False, **(body if writes else {})
        )
        if writes and answer.status_code < 400:
            self.set_back()
        return answer

    def as_person(self, row: Row, person: str) -> Any:
        """Ask as a browser does."""
        if person == "nobody":
            return self.ask(row, {})
        cookie = self.cookies[person]
        csrf = sessions.csrf_token(ACCESS.secret, cookie)
        return self.ask(row, {"Cookie": f"arena_session={cookie}", "X-CSRF-Token": csrf}, csrf)

    def set_back(self) -> None:
        """Have the store as it was, and nobody's requests counted."""
        self.redis.flushdb()
        with closing(sqlite3.connect(self.file)) as now:
            self.copy.backup(now)


@pytest.fixture(scope="module")
def stage_of_all(tmp_path_factory: pytest.TempPathFactory, redis_server: RunningRedis) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("permissions")
    file = folder / "arena.sqlite3"
    with opened(folder) as store, connect(redis_server.url) as client:
        names, cookies, keys = furnish(store)
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        client.flushdb()
        with closing(sqlite3.connect(":memory:")) as copy:
            with closing(sqlite3.connect(file)) as now:
                now.backup(copy)
            with TestClient(app, raise_server_exceptions=False, client=("2001:db8::9", 5)) as asking:
                yield Stage(app, asking, client, file, copy, names, cookies, keys)


def furnish(store: Store) -> tuple[dict[str, object], dict[str, str], dict[str, str]]:
    """Put one of everything into a store; their names, the people's cookies, and tokens with one scope alone."""
    bots.register_house(store, random_tournaments.HOUSE)
    people = {}
    hashed = passwords.make(PASSWORD, "")  # once: it takes longer than all the rest
    for person, (name, role) in CAST.items():
        with store.write() as session:
            user = users.add_in(session, name, role, hashed)
            people[person] = Actor(user.id, name, role, actors.scopes_of(role))
    for person, bot in (("owner", "mine"), ("other", "theirs"), ("owner", "bad")):
        decided_matches.dial_in(store, people[person], "lost_cities", bot)
    with store.write() as session:
        bad = select(Bot.id).where(Bot.name == "bad")
        session.execute(update(Version).where(Version.bot_id.in_(bad)).values(state=bots.SUSPENDED))
    organiser = people["organiser"]

    def create(*entries: str, **more: Any) -> int:
        spec = TournamentSpec("lost_cities", entries, options=SMALL, **more)
        return creation.create(store, spec, organiser)

    over = random_tournaments.create(store, "lost_cities", "random", "greedy").id
    random_tournaments.play(store, over, fault=True)
    for pool in public_ratings.pools(store):
        public_ratings.refresh(store, pool.key)
    names: dict[str, object] = {
        "over": over,
        "running": create("random", "greedy", "cautious", cycles=3),
        "held": create("random", "greedy", begin="created"),
        "open": create("random", "greedy", begin="open"),
        "mine": create("random", "mine", begin="open"),
        "paused": (paused := create("random", "greedy", cycles=3)),
        "token": tokens.create(store, people["owner"], "laptop", ()).id,
        "invitation": invitations.invite(store, people["admin"]).id,
        "ladder": ladders.start(store, LadderRequest("land_unter"), organiser).id,
    }
    lifecycle.pause(store, paused, organiser)
    cookies = {
        person: sessions.begin_by_token(
            store, ACCESS.secret, tokens.create(store, actor, "browser", ()).token
        ).cookie
        for person, actor in people.items()
    }
    keys = {scope: tokens.create(store, people["admin"], "one", (scope,)).token for scope in actors.SCOPES}
    return names, cookies, keys


def test_everybody_gets_what_is_theirs_at_every_route(stage_of_all: Stage) -> None:
    wrong = []
    for row in ROWS:
        expected = row.statuses.split()
        answers = [
            None if status == "-" else stage_of_all.as_person(row, person)
            for person, status in zip(PEOPLE, expected, strict=True)
        ]
        got = ["-" if answer is None else str(answer.status_code) for answer in answers]
        if got != expected:
            wrong.append(f"{row.method} {row.at or row.route}: {' '.join(got)}, not {row.statuses}")
        if "/api/" not in row.route and got[0] == "303" and expected[0] == "303":
            assert answers[0] is not None
            to = answers[0].headers["location"]
            for_all = set(expected) <= {"303", "-"}
            if not for_all and not to.startswith("/sign-in?next=/"):
                wrong.append(f"{row.method} {row.route}: sends nobody to {to}")
    assert not wrong, "\n".join(wrong)


def test_form_is_taken_from_its_own_session_alone(stage_of_all: Stage) -> None:
    cookie = {"Cookie": f"arena_session={stage_of_all.cookies['admin']}"}
    answers = {
        f"{row.method} {row.route}": stage_of_all.ask(row, cookie, csrf="0" * 64)
        for row in ROWS
        if row.method != "GET" and row.statuses.startswith("303 ") and row.statuses != "303 - - - -"
    }
    # The language is nobody's, and an upload is no such form: it is read bit by bit, its `csrf` before its file.
    others = {"POST /language", "POST /submit"}
    taken = [route for route, answer in answers.items() if answer.status_code != 403 and route not in others]
    assert not taken
    assert len(answers) >= 30


def test_no_route_takes_a_write_that_a_page_of_another_site_sends(stage_of_all: Stage) -> None:
    cookie = stage_of_all.cookies["admin"]
    csrf = sessions.csrf_token(ACCESS.secret, cookie)
    headers = {
        "Cookie": f"arena_session={cookie}",
        "X-CSRF-Token": csrf,
        "Sec-Fetch-Site": "cross-site",
    }
    taken = [
        f"{row.method} {row.route}: {answer.status_code}"
        for row in ROWS
        if row.method not in {"GET", "HEAD"}
        and (answer := stage_of_all.ask(row, headers, csrf)).status_code != 403
    ]
    assert not taken, "\n".join(taken)


def test_token_does_what_its_scope_allows_and_nothing_else(stage_of_all: Stage) -> None:
    wrong = []
    for row in ROWS:
        if row.scope is None:
            continue
        expected = row.statuses.split()[-1]
        for scope, token in stage_of_all.tokens.items():
            answer = stage_of_all.ask(row, {"Authorization": f"Bearer {token}"})
            refused = answer.status_code == 403 and answer.json()["code"] == "scope_missing"
            if refused != (scope != row.scope) or (not refused and str(answer.status_code) != expected):
                wrong.append(f"{row.method} {row.route} with {scope} alone: {answer.status_code}")
    assert not wrong, "\n".join(wrong)


def test_every_route_is_in_the_table(stage_of_all: Stage) -> None:
    there = {
        (method, route.path)
        for route in iter_route_contexts(stage_of_all.app.routes)
        for method in route.methods or ()
        if method != "HEAD"
    }
    listed = {("GET" if row.method == "HEAD" else row.method, row.route) for row in ROWS}
    assert there - listed == set(), "these need a row in tests/web/routes.py"
    assert listed - there == set(), "these are no routes any more"


def test_route_that_needs_a_scope_says_which(stage_of_all: Stage) -> None:
    """Those of the API that need somebody signed in: each has a scope in the table, but for one's own account.

    `/health` needs nobody, and says more to an admin; so does a match, to those whose bots have noted something in it.
    """
    paths = stage_of_all.app.openapi()["paths"]
    scoped = {(row.method, row.route) for row in ROWS if row.scope is not None}
    needing = {
        (method.upper(), path)
        for path, methods in paths.items()
        for method, operation in methods.items()
        if "security" in operation
    }
    assert {route for route in needing - scoped if "/me" not in route[1]} <= {
        ("POST", "/api/v1/logout"),
        ("GET", "/health"),
        ("GET", "/api/v1/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}"),
    }
