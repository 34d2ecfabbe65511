"""A whole arena for tests: `arena up` in a process of its own, whose parts a test may kill."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from random import randrange
from typing import Self

from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.core.settings import Settings
from arena.reports import tournaments
from arena.storage import Store
from tests.cli.running import run
from tests.patience import wait_until

ARENA = str(Path(sys.executable).parent / "arena")
MARKS = {"worker": "-m workers", "referee": "-m referee", "web": "-m arena.web", "redis": "unixsocket"}
START_S = 40.0
"""How long all parts together may take to start on a busy machine."""


def clean_environment() -> dict[str, str]:
    """This process's environment, less what an operator may have set."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}


PORTS = range(11_000, 32_000)
"""None that a browser refuses, nor one that the kernel gives to connections (32768 and up on Linux)."""

IN_A_ROW = 10
"""Behind each port that is given come those that parts take by themselves: each its own, for monitoring."""


@cache
def _ports() -> Iterator[int]:
    """Return the ports of this process in turn, from anywhere in its share of them."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    share = len(PORTS) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    own = PORTS[worker * share : (worker + 1) * share : IN_A_ROW]
    return islice(cycle(own), randrange(len(own)), None)


def free_port() -> int:
    """Return a port that nothing listens at, nor is likely to before it is used."""
    while True:
        port = next(_ports())
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@dataclass
class RunningArena:
    """`arena up` on a data directory; started, killed and started again at will, and gone after a `with` block."""

    data: Path
    workers: int = 2
    port: int = field(default_factory=free_port)
    bots_port: int = field(default_factory=free_port)
    prefix: tuple[str, ...] = ()
    """What `arena up` is run by, such as `unshare -m`."""
    program: str = ARENA
    folder: Path | None = None
    """Where it is started; this process's own folder, if not given."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What is set for it."""
    options: tuple[str, ...] = ()
    """More options of `arena up`."""

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        self.log = (self.data.parent / f"{self.data.name}.log").open("a+")
        self.began = self.log.seek(0, os.SEEK_END)
        self.process = subprocess.Popen(
            [
                *(*self.prefix, self.program, "up", "--no-demo", "--data", str(self.data)),
                *("--port", str(self.port), "--bots-port", str(self.bots_port)),
                *("--workers", str(self.workers), *self.options),
            ],
            stdout=self.log,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env={**clean_environment(), **self.environment},
        )
        wait_until(lambda: self.process.poll() is not None or self.is_up(), "it is up", within_s=START_S)
        assert self.process.poll() is None, self.output()

    def output(self) -> str:
        self.log.seek(0)
        return self.log.read()

    def output_since_start(self) -> str:
        """What it has said since it was started last."""
        self.log.seek(self.began)
        return self.log.read()

    def is_up(self) -> bool:
        return "Bots dial in at" in self.output_since_start()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(30)

    def close(self) -> None:
        if self.process.poll() is None:
            self.stop()
        self.log.close()

    @property
    def settings(self) -> Settings:
        return Settings(data=self.data)

    def open_store(self) -> Store:
        return Store.open(self.settings.database_url)

    def pids(self, part: str) -> list[int]:
        """The processes of a part, oldest first."""
        return sorted(pid for pid in children(self.process.pid) if MARKS[part] in command_line(pid))

    def all_pids(self) -> list[int]:
        """Every process below `arena up`."""
        return descendants(self.process.pid)

    def get(self, path: str) -> int:
        """Ask the dashboard for a page: its status, 0 if it does not answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                return int(answer.status)
        except OSError:
            return 0


def create(store: Store, *, cycles: int, secret: bytes = bytes(32)) -> int:
    """Create a small tournament of quick bots, always the same one; its id."""
    bots = ("greedy", "random")
    spec = TournamentSpec(
        "lost_cities", bots, options={"hands": 1}, cycles=cycles, secret=secret, name="Small"
    )
    return creation.create(store, spec)


def done(store: Store, tournament: int) -> int:
    """How many matches of a tournament have their result."""
    return next(row.matches_done for row in tournaments.listing(store) if row.id == tournament)


def is_over(store: Store, tournament: int) -> bool:
    return next(row.state for row in tournaments.listing(store) if row.id == tournament) == "finished"


def export(data: Path, tournament: int) -> str:
    """What `arena tournament export` writes."""
    done = run("tournament", "export", str(tournament), "--data", str(data))
    assert done.code == 0, done.error
    return done.out


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def children(parent: int) -> list[int]:
    return [pid for pid, above in _parents().items() if above == parent]


def descendants(parent: int) -> list[int]:
    found = [parent]
    parents = _parents()
    for pid in found:
        found.extend(child for child, above in parents.items() if above == pid)
    return found[1:]


def lives(pid: int) -> bool:
    """Whether a process is there, and no zombie."""
    state, _ = _stat(pid)
    return state not in {"", "Z", "X"}


def _parents() -> dict[int, int]:
    pids = [int(place.name) for place in Path("/proc").iterdir() if place.name.isdecimal()]
    return {pid: parent for pid in pids for state, parent in [_stat(pid)] if state not in {"", "Z", "X"}}


def _stat(pid: int) -> tuple[str, int]:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return "", 0
    return fields[0], int(fields[1])
