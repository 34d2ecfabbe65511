"""A rolling upgrade: from the last release to this tree, part by part, while a tournament runs.

The last release is the commit that `deploy/last-release` names.  Its wheel is built and installed as an operator would, and
its parts run as processes of their own, beside those of this tree.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import create_engine, text

from arena.core import child_process
from arena.storage import StoreInUse, contract, migration_chain, upgrade
from tests.deploy.test_wheel import install
from tests.parts.arena_process import START_S, clean_environment, free_port
from tests.parts.postgres_server import Server
from tests.parts.redis_server import running_redis
from tests.patience import read_delays, wait_until, waited_for_cores
from tests.schemas import CONTRACT, EXPAND, add_migrations
from tests.stores import BOTH

ROOT = Path(__file__).parents[2]
RELEASE = (ROOT / "deploy" / "last-release").read_text().split()[0]
OUTAGE_S = 2.0
"""How long no page may be served, where a plain request takes some milliseconds."""
PLAYED_S = 120.0
PARTS = ("web-1", "web-2", "referee-1", "referee-2", "worker-1", "worker-2")
"""In the order of docs/upgrading.md."""


def in_repository(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


@pytest.fixture(scope="session")
def last_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `arena` of the last release, in an environment of its own."""
    folder = tmp_path_factory.mktemp("last-release")
    subprocess.run(["tar", "-x", "-C", folder], input=in_repository("archive", RELEASE), check=True)
    build: list[str | Path] = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-t",
        "wheel",
        "-d",
        folder / "dist",
    ]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    return install(wheel).folder / "bin" / "arena"


THIS = Path(sys.executable).parent / "arena"


@dataclass
class Watcher:
    """Asks the webs for a page over and over, as a proxy does: the next one where one does not answer."""

    ports: Sequence[int]
    longest_s: float = 0.0
    """The longest time from one answer to the next, without that in which processes waited for a core."""
    answers: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        answered_at, before = time.monotonic(), read_delays()
        with httpx.Client(timeout=10) as browser:
            while not self._over.wait(0.1):
                if not any(serves(browser, port) for port in self.ports):
                    continue
                passed_s = time.monotonic() - answered_at
                if passed_s > self.longest_s:
                    self.longest_s = max(self.longest_s, passed_s - waited_for_cores(before))
                answered_at, before = time.monotonic(), read_delays()
                self.answers += 1

    @contextmanager
    def watching(self) -> Iterator[None]:
        thread = threading.Thread(target=self.watch)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()


def serves(browser: httpx.Client, port: int) -> bool:
    try:
        return browser.get(f"http://127.0.0.1:{port}/tournaments").status_code == 200
    except httpx.HTTPError:
        return False


class Parts:
    """The parts of an arena, each a process of one of two releases."""

    def __init__(self, url: str, redis_url: str, folder: Path, stack: ExitStack) -> None:
        self.sockets = [folder / f"referee-{number}.sock" for number in (1, 2)]
        self.ports = [free_port(), free_port()]
        self.environment = {
            **clean_environment(),
            "ARENA_DATABASE_URL": url,
            "ARENA_REDIS_URL": redis_url,
            "ARENA_DATA": str(folder / "data"),
            "ARENA_DRAIN_S": "1",
            "ARENA_SANDBOX": "off",
            "ARENA_SECRET": "s" * 32,
            "ARENA_CONTROL": ",".join(f"unix:{socket}" for socket in self.sockets),
        }
        self._folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        stack.callback(self.close)

    def run(self, arena: Path, *arguments: str) -> str:
        done = subprocess.run(
            [arena, *arguments], env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, arena: Path, part: str) -> None:
        """Start a part such as `web-1` in a release, and where it runs in another one stop that first."""
        if part in self._running:
            child_process.stop(self._running.pop(part), grace_s=30.0)
        kind, number = part.split("-")
        environment = dict(self.environment)
        arguments: list[str] = []
        if kind == "web":
            arguments = ["--port", str(self.ports[int(number) - 1])]
        elif kind == "referee":
            environment["ARENA_CONTROL"] = f"unix:{self.sockets[int(number) - 1]}"
            environment["ARENA_DATA"] = str(self._folder / part)  # as on a machine of its own
            (self._folder / part).mkdir(mode=0o700, exist_ok=True)
        with (self._folder / f"{part}.log").open("ab") as log:
            self._running[part] = subprocess.Popen(
                [arena, "serve", kind, *arguments], env=environment, stdout=log, stderr=log
            )
        if kind == "web":
            with httpx.Client(timeout=10) as browser:
                port = self.ports[int(number) - 1]
                wait_until(lambda: serves(browser, port), f"{part} serves", within_s=START_S)
        elif kind == "referee":
            wait_until(self.sockets[int(number) - 1].exists, f"{part} listens", within_s=START_S)

    def assert_all_run(self) -> None:
        ended = [part for part, process in self._running.items() if process.poll() is not None]
        assert ended == [], "".join((self._folder / f"{part}.log").read_text()[-2000:] for part in ended)

    def close(self) -> None:
        while self._running:
            child_process.stop(self._running.popitem()[1], grace_s=30.0)


class Play:
    """Tournaments, one after the other, so that matches are played at any time."""

    def __init__(self, parts: Parts, url: str, stack: ExitStack) -> None:
        self._parts = parts
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        stack.callback(engine.dispose)
        self._engine = engine

    def begin(self, arena: Path) -> None:
        """Begin a tournament where none runs."""
        if self.is_over():
            bots = ("--bots", "greedy,random", "--cycles", "400")
            self._parts.run(arena, "tournament", "create", "lost_cities", *bots)

    def goes_on(self, arena: Path, when: str) -> None:
        """Wait for another result."""
        before = self.results()

        def has_another() -> bool:
            self.begin(arena)
            return self.results() > before

        wait_until(has_another, f"matches are played {when}", within_s=PLAYED_S)

    def results(self) -> int:
        return self._number("SELECT count(*) FROM match_result")

    def is_over(self) -> bool:
        return self._number("SELECT count(*) FROM tournament WHERE finished_at IS NULL") == 0

    def _number(self, query: str) -> int:
        with self._engine.connect() as connection:
            return int(connection.execute(text(query)).scalar_one())

    def assert_none_lost(self, folder: Path) -> None:
        """Check that each match was played, no bot was charged, and that the archives are right."""
        listed: list[dict[str, Any]] = json.loads(self._parts.run(THIS, "tournament", "list", "--json"))
        assert len(listed) > 0
        assert self.results() == sum(each["matches_total"] for each in listed)
        assert self._number("SELECT count(*) FROM match_result WHERE fault_seat IS NOT NULL") == 0
        for each in listed:
            assert each["matches_done"] == each["matches_total"]
            archive = folder / f"{each['id']}.zip"
            self._parts.run(THIS, "tournament", "export", str(each["id"]), str(archive))
            self._parts.run(THIS, "verify", "--tournament", str(archive))


@pytest.mark.long
@pytest.mark.parametrize("kind", BOTH)
def test_an_arena_is_upgraded_part_by_part_while_a_tournament_runs(
    kind: str,
    last_release: Path,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = f"sqlite:///{tmp_path}/data/arena.db"
    if kind == "postgres":
        server: Server = request.getfixturevalue("server")
        url = server.new_database()
    (tmp_path / "data").mkdir(mode=0o700)
    with ExitStack() as stack:
        parts = Parts(url, stack.enter_context(running_redis()).url, tmp_path, stack)
        parts.run(last_release, "db", "upgrade")
        for part in PARTS:
            parts.start(last_release, part)
        play = Play(parts, url, stack)
        play.goes_on(last_release, "by the last release")
        watcher = Watcher(parts.ports)
        with watcher.watching():
            parts.run(THIS, "db", "upgrade")
            with monkeypatch.context() as patch:  # and a migration more, which neither release knows
                add_migrations(tmp_path / "migrations", EXPAND, CONTRACT)
                patch.setattr(migration_chain, "SCRIPTS", str(tmp_path / "migrations"))
                upgrade(url)
                with pytest.raises(StoreInUse, match="in use by"):
                    contract(url)
            for part in PARTS:
                parts.start(THIS, part)
                play.goes_on(THIS, f"after {part} was upgraded")
                parts.assert_all_run()
            wait_until(play.is_over, "the tournaments end", within_s=PLAYED_S, progress=play.results)
            parts.assert_all_run()
        assert watcher.answers > 0
        assert watcher.longest_s < OUTAGE_S
        play.assert_none_lost(tmp_path)
        parts.close()
        with monkeypatch.context() as patch:
            patch.setattr(migration_chain, "SCRIPTS", str(tmp_path / "migrations"))
            contract(url)
