"""What is wrong with the disk or the files in a data directory: it is told, and waited for."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena.storage import engine
from tests.cli.running import Done, run
from tests.parts.arena_process import ARENA, RunningArena, clean_environment
from tests.patience import wait_until
from tests.recovery.conftest import CYCLES, WITHIN_S

ON_A_SMALL_DISK = 'mkdir -p "$1" && mount -t tmpfs -o size=24m,mode=700 none "$1" && shift && exec "$@"'


def ask(arena: RunningArena, path: str) -> dict[str, Any]:
    """Ask the web for JSON, whatever its status is; nothing if it does not answer."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{arena.port}{path}", timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
    except urllib.error.HTTPError as answer:
        with answer:
            found = json.load(answer)
    except OSError:
        return {}
    return found


def fill(disk: Path) -> None:
    """Write until nothing more can be written."""
    with (disk / "filling").open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 10):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))


class Inside:
    """An arena whose data is on a small disk that only its own mount namespace has."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.arena = RunningArena(
            data, prefix=("unshare", "-m", "sh", "-c", ON_A_SMALL_DISK, "sh", str(data))
        )

    @property
    def disk(self) -> Path:
        """The disk as the kernel shows it to other namespaces.  SQLite finds nothing there: it resolves links by itself."""
        return Path(f"/proc/{self.arena.process.pid}/root{self.data}")

    def run(self, *arguments: str) -> str:
        """Run `arena tournament …` there; what it writes."""
        return self._inside(ARENA, "tournament", *arguments, "--data", str(self.data))

    def leave_little_room(self) -> None:
        """Fill the disk but for what a tournament needs to begin; in a long write-ahead log many results would find room."""
        log = "PRAGMA wal_checkpoint(TRUNCATE)"
        look = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])"
        command = (sys.executable, "-c", look, str(self.data / "arena.db"), log)
        wait_until(lambda: self._inside(*command) == "0\n", "the log is truncated", within_s=WITHIN_S)
        fill(self.disk)
        file = self.disk / "filling"
        os.truncate(file, file.stat().st_size - (1 << 20))

    def _inside(self, *command: str) -> str:
        enter = ("nsenter", "--mount", "--target", str(self.arena.process.pid))
        return subprocess.run(
            [*enter, *command], stdout=subprocess.PIPE, text=True, check=True, env=clean_environment()
        ).stdout

    def create(self) -> None:
        """Create the tournament that tests.parts.arena_process.create does, as number 1."""
        options = (
            "--option",
            "hands=1",
            "--cycles",
            str(CYCLES),
            "--secret",
            bytes(32).hex(),
            "--name",
            "Small",
        )
        self.run("create", "lost_cities", "--bots", "greedy,random", *options)

    def done(self) -> int:
        return int(ask(self.arena, "/api/v1/tournaments/1").get("matches_done", 0))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount a small disk of its own")
@pytest.mark.timeout(600)
def test_a_full_disk_is_told_and_play_goes_on_when_there_is_room(data: Path, undisturbed: str) -> None:
    inside = Inside(data)
    with inside.arena as arena:
        # Quick bots may have played all before the disk is full: hence most of it is filled before they begin.
        inside.leave_little_room()
        inside.create()
        told = "Results cannot be stored: no room is left on the disk"
        wait_until(
            lambda: fill(inside.disk) or told in arena.output(), "the terminal tells it", within_s=WITHIN_S
        )
        wait_until(
            lambda: ask(arena, "/health").get("store") == "unwritable", "/health tells it", within_s=WITHIN_S
        )
        assert "free some, and play goes on by itself" in ask(arena, "/health")["problem"]
        before = inside.done()
        assert before < 2 * CYCLES

        (inside.disk / "filling").unlink()
        wait_until(lambda: inside.done() == 2 * CYCLES, "all matches are played", within_s=WITHIN_S)
        wait_until(lambda: ask(arena, "/health")["store"] == "ok", "/health is well again", within_s=WITHIN_S)
        back = "The store can be written again; play goes on"
        wait_until(lambda: back in arena.output(), "the terminal says so", within_s=WITHIN_S)
        # The very same results as of the one that nobody disturbed: none lost, none twice.
        assert inside.run("export", "1") == undisturbed


@pytest.mark.parametrize("folder", ["redis", "logs", "bundles"])
def test_a_file_in_the_place_of_a_folder_is_one_clear_line(data: Path, folder: str) -> None:
    data.mkdir(mode=0o700)
    (data / folder).touch()
    done = up(data)
    assert (done.code, len(done.error.splitlines())) == (1, 1)
    assert f"{data / folder}: must be a directory" in done.error


def test_a_locked_store_is_one_line_with_the_process_that_has_it(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 2000)  # how long it waits is another matter
    assert run("db", "upgrade", "--data", str(data)).code == 0
    lock = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN IMMEDIATE'); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", lock, str(data / "arena.db")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        done = up(data)
        holder.kill()
    assert (done.code, len(done.error.splitlines())) == (1, 1)
    assert "database is locked; stop process" in done.error
    assert f"process {holder.pid} (" in done.error


def up(data: Path) -> Done:
    """Start an arena that will not start, in this process, which then makes files as before."""
    before = os.umask(0o077)
    try:
        return run("up", "--no-demo", "--data", str(data), "--port", str(RunningArena(data).port))
    finally:
        os.umask(before)
