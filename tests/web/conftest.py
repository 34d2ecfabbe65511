"""A store of our own for the pages: real tournaments, real records, put there through the services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from arena.messaging.redis_connection import connect_async
from arena.rankings import public_ratings
from arena.storage import Store
from arena.storage.schema import RatingPoint
from arena.web.app import create_app
from tests import random_tournaments
from tests.parts.redis_server import RunningRedis, running_redis
from tests.settled_puzzles import settle
from tests.stores import new_sqlite
from tests.web.access import ACCESS
from tests.web.browser import running_browser
from tests.web.served_app import served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page


@dataclass(frozen=True)
class Cast:
    """What the store of the tests holds."""

    store: Store
    finished: int
    """Lost Cities, three bots, over; its first match ended by a fault."""

    tables: int
    """Land Unter, four bots at tables of three, over."""

    running: int
    """Lost Cities, four bots: set 0 is over, of set 1 one match, no other has begun."""

    talk: int
    """Lifeboats, four bots that all talk, over."""


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    """Open the store in a folder; an empty one if there is none yet."""
    file = folder / "arena.sqlite3"
    store = Store.open(f"sqlite:///{file}" if file.exists() else new_sqlite(file))
    yield store
    store.close()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RunningRedis]:
    with running_redis() as server:
        yield server


@pytest.fixture(scope="session")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    with opened(tmp_path_factory.mktemp("cast")) as store:
        finished = random_tournaments.create(
            store, "lost_cities", "random", "greedy", "cautious", name="Spring Cup"
        ).id
        random_tournaments.play(store, finished, fault=True)
        tables = random_tournaments.create(
            store, "land_unter", "random", "greedy", "hoarder", "counter", seats=3, name="Storm Cup"
        ).id
        random_tournaments.play(store, tables)
        running = random_tournaments.create(
            store, "lost_cities", "random", "greedy", "cautious", "rusher", name="Autumn Cup"
        ).id
        random_tournaments.play(store, running, limit=3)
        talk = random_tournaments.create(
            store, "lifeboats", "random", "greedy", "keeper", "liar", seats=4, name="Talking Cup", dealt=1
        ).id
        random_tournaments.play(store, talk)
        for pool in public_ratings.pools(store):
            public_ratings.refresh(store, pool.key)
        _age(store)
        for game in ("land_unter", "lifeboats", "lost_cities"):
            settle(store, game, date(2026, 1, 5), datetime.now(UTC).date())
        yield Cast(store, finished, tables, running, talk)


def _age(store: Store) -> None:
    """Make the ratings two hours older, so that their history is long enough for a chart."""
    with store.write() as session:
        for point in session.scalars(select(RatingPoint)).all():
            for hours in (1, 2):
                earlier = {column.key: getattr(point, column.key) for column in RatingPoint.__table__.columns}
                earlier |= {
                    "hour": point.hour - hours,
                    "computed_at": (point.computed_at or 0) - 3600 * hours,
                }
                session.add(RatingPoint(**earlier))


@pytest.fixture(scope="session")
def client(cast: Cast, redis_server: RunningRedis) -> Iterator[TestClient]:
    app = create_app(cast.store, connect_async(redis_server.url), ACCESS)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def empty(tmp_path: Path, redis_server: RunningRedis) -> Iterator[TestClient]:
    """A client of an arena in which nothing has happened yet."""
    with opened(tmp_path) as store:
        app = create_app(store, connect_async(redis_server.url), ACCESS)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def origin(cast: Cast, redis_server: RunningRedis) -> Iterator[str]:
    with served(cast.store, redis_server) as origin:
        yield origin


@pytest.fixture
def page(browser: Browser, origin: str) -> Iterator[Page]:
    context = browser.new_context(base_url=origin, viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()
