"""Named people for the tests of the API: ada writes bots, olga organises, root is admin; a stranger is nobody."""

from __future__ import annotations

import html
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from arena.accounts import actors, sessions, tokens, users
from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots
from arena.messaging.redis_connection import connect, connect_async
from arena.storage import Store
from arena.web.app import create_app
from arena.web.auth.api_auth import Access
from tests.parts.redis_server import RunningRedis
from tests.web.access import ACCESS
from tests.web.conftest import opened

if TYPE_CHECKING:
    import httpx

PASSWORD = "three or four words"
ROLES = {"ada": "author", "olga": "organiser", "root": "admin"}


@dataclass
class House:
    """An arena with people in it, and whoever asks it something."""

    store: Store
    redis: RunningRedis
    access: Access = ACCESS

    def actor(self, name: str) -> Actor:
        """Somebody with all that their role allows."""
        row = next(row for row in users.listing(self.store, OPERATOR) if row.name == name)
        with self.store.read() as session:
            user = users.find_in(session, name)
        return Actor(user.id, name, row.role, actors.scopes_of(row.role))

    def token(self, name: str, *scopes: str) -> str:
        return tokens.create(self.store, self.actor(name), "test", scopes).token

    @contextmanager
    def client(self, token: str | None = None, address: str | None = None) -> Iterator[TestClient]:
        """A program that asks from an address of its own, with a token or without."""
        app = create_app(self.store, connect_async(self.redis.url), self.access)
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        own = address or f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}::1"
        with TestClient(app, raise_server_exceptions=False, headers=headers, client=(own, 50000)) as client:
            yield client

    def cookie(self, name: str) -> str:
        """The cookie of a browser in which somebody is signed in."""
        # By a token: hashing passwords takes longer than most tests.
        actor = self.actor(name)
        made = tokens.create(self.store, actor, "test")
        begun = sessions.begin_by_token(self.store, ACCESS.secret, made.token)
        tokens.revoke(self.store, actor, made.id)
        return begun.cookie

    @contextmanager
    def browser(self, name: str) -> Iterator[TestClient]:
        """A browser in which somebody is signed in, and whose pages show the CSRF token."""
        cookie = self.cookie(name)
        with self.client() as client:
            client.cookies.set("arena_session", cookie, domain="testserver.local")
            client.headers["X-CSRF-Token"] = sessions.csrf_token(ACCESS.secret, cookie)
            yield client


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the people in it, made once: hashing their passwords takes longer than most tests."""
    folder = tmp_path_factory.mktemp("people")
    with opened(folder) as store:
        for name, role in ROLES.items():
            users.create(store, OPERATOR, name, role, PASSWORD)
        bots.register_house(store, {"lost_cities": ["greedy", "random"]})
    return folder


@pytest.fixture
def house(tmp_path: Path, furnished: Path, redis_server: RunningRedis) -> Iterator[House]:
    with connect(redis_server.url) as client:
        client.flushdb()
    shutil.copytree(furnished, tmp_path, dirs_exist_ok=True)
    with opened(tmp_path) as store:
        yield House(store, redis_server)


def post(browser: TestClient, path: str, /, *, files: Any = None, **fields: Any) -> httpx.Response:
    """Send a form as a page does on which somebody is signed in."""
    data = {"csrf": browser.headers.get("X-CSRF-Token", ""), **fields}
    return browser.post(path, data=data, files=files, follow_redirects=False)


def beside(page: httpx.Response, form: str, field: str) -> str:
    """Return the error that a page shows beside a field, empty if there is none."""
    found = re.search(rf'id="{form}-{field}-error"[^>]*>([^<]*)<', page.text)
    return html.unescape(found[1]) if found else ""
