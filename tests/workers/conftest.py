import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest
from redis import Redis

from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.core import child_process
from arena.games import registry
from arena.messaging.redis_connection import connect
from arena.referee_client import local_referee
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from tests.parts.forked_parts import forked
from tests.parts.redis_server import RunningRedis, running_redis
from tests.stores import new_sqlite

__all__ = ["forked"]

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture(scope="module")
def server() -> Iterator[RunningRedis]:
    with running_redis() as server:
        yield server


@pytest.fixture
def client(server: RunningRedis) -> Iterator[Redis]:
    client = connect(server.url)
    client.flushall()
    yield client
    client.close()


@pytest.fixture(scope="package")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the house bots of all games."""
    file = tmp_path_factory.mktemp("template") / "arena.db"
    store = Store.open(new_sqlite(file))
    register_house(store)
    store.close()
    return file


@pytest.fixture
def url(template: Path, tmp_path: Path) -> str:
    return f"sqlite:///{shutil.copy(template, tmp_path / 'arena.db')}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store.open(url)
    register_house(store)
    yield store
    store.close()


def register_house(store: Store) -> None:
    bots.register_house(store, {game: package.house_bots for game, package in registry.PACKAGES.items()})


@pytest.fixture
def create(store: Store) -> Callable[..., TournamentPage]:
    """Create a small tournament of quick bots."""

    def create(cycles: int = 8, *, rated: bool = False) -> TournamentPage:
        options = {} if rated else {"hands": 1}
        spec = TournamentSpec(
            "lost_cities", ("greedy", "random"), options=options, cycles=cycles, secret=bytes(32)
        )
        return tournaments.page(store, creation.create(store, spec))

    return create


@pytest.fixture(scope="module")
def control() -> Iterator[str]:
    with local_referee(allow_files=False) as address:
        yield address


@pytest.fixture
def start(url: str, server: RunningRedis, client: Redis, control: str) -> Iterator[Start]:
    """Start workers that are gone when the test is over."""
    started = []

    def start(*, stderr: IO[bytes] | None = None, **more: str) -> subprocess.Popen[bytes]:
        environment = {
            "ARENA_DATABASE_URL": url,
            "ARENA_REDIS_URL": server.url,
            "ARENA_CONTROL": control,
            **more,
        }
        worker = child_process.start(
            [sys.executable, "-m", "workers"], environment=environment, stderr=stderr
        )
        started.append(worker)
        return worker

    yield start
    for worker in started:
        child_process.stop(worker, grace_s=5)
