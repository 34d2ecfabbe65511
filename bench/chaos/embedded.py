"""`arena up` on one machine, with its store in SQLite, whose disk becomes full while it plays.

The tournament is created many times over, so that there is something to play until the disk has room again, however quick
the machine is; most copies are then cancelled, and the others have to end as the undisturbed one did.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.chaos.backends import fill, make_room
from bench.chaos.deployment import ARENA
from bench.chaos.health import ask, enter_network
from bench.chaos.injector import FIRST_S, Outcome
from bench.chaos.machines import Machine, MachineError, Service, wait_for
from bench.chaos.pace import Pace

_COPIES = 60
"""Of 180 matches each: enough for half a minute at 360 matches a second, ten times what a machine of today plays."""
_FIRST_RESULTS = 20
"""Results after which the disk becomes full."""
_VOLUME_MIB = 128
_PORT = 8000
_FULL_S = 12.0
_START_S = 300.0
_PLAY_S = 300.0
_FIRST_S = 60.0
_ROOT = Path(__file__).parents[2]
_BASE = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/root"), "LANG": "C.UTF-8"}


@dataclass(frozen=True, slots=True)
class _Seen:
    at: float
    results: int
    total: int
    status: int
    said: str
    counted_since: float = 0.0
    """When the counts were asked for."""


class Embedded:
    """An `arena up` whose data directory is on a small file system of its own, in memory."""

    def __init__(self, folder: Path) -> None:
        self._machine = Machine("alone", folder)
        self._volume = self._machine.folder / "volume"
        self._volume.mkdir()
        self._data = self._volume / "data"
        self._machine.run("mount", "-t", "tmpfs", "-o", f"size={_VOLUME_MIB}m", "tmpfs", str(self._volume))
        self._machine.run("ip", "link", "set", "lo", "up")
        self._closing = threading.Event()
        self._seen: list[_Seen] = [_Seen(time.monotonic(), 0, 0, 0, "")]
        self._copies: tuple[int, ...] = ()
        self._thread = threading.Thread(target=self._look_on, daemon=True)

    def play(self, seed: int, pace: Pace) -> tuple[Outcome, list[str], Path]:
        """Play a tournament, its disk full in the middle; give the JSON exports of all copies, and the archive of the first.

        Raises MachineError.
        """
        self._start()
        self._show_only(self._supply("create", str(seed), str(_COPIES)))
        wait_for(lambda: self._now.results >= _FIRST_RESULTS, "it plays", _PLAY_S)
        outcome = self._fill(pace)
        if self._now.results == self._now.total:
            outcome.wrong.append("all was played before the disk had room again: raise _COPIES")
        left = self._supply("cancel", *map(str, self._copies))
        self._show_only(left)
        outcome.notes.append(f"{len(left)} of {_COPIES} copies were played to their ends")
        wait_for(lambda: self._now.results == self._now.total, "all matches are played", _PLAY_S, 0.2)
        wrong = self._machine.run(*_sqlite_check(self._data / "arena.db")).strip()
        if wrong != "ok":
            outcome.wrong.append(f"SQLite's integrity_check: {wrong}")
        archive = self._machine.folder / "embedded.zip"
        exports = [self._arena("tournament", "export", str(number)) for number in self._copies]
        self._arena("tournament", "export", str(self._copies[0]), str(archive))
        return outcome, exports, archive

    def close(self) -> None:
        """Stop and remove it."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        self._machine.close()

    def _start(self) -> None:
        arguments = ("--data", str(self._data), "--port", str(_PORT), "--no-demo", "--workers", "2")
        self._machine.start(Service("arena", (ARENA, "up", *arguments), _BASE))
        log = self._machine.log("arena")
        wait_for(
            lambda: log.exists() and "Bots dial in at" in log.read_text(), "`arena up` is up", _START_S, 0.2
        )
        self._thread.start()

    def _fill(self, pace: Pace) -> Outcome:
        outcome = Outcome("disk full under SQLite", "disk", time.monotonic(), limit_s=FIRST_S)
        fill(self._machine, self._volume)
        began = time.monotonic()
        time.sleep(_FULL_S)
        before = self._now
        make_room(self._machine, self._volume, _VOLUME_MIB)
        over = time.monotonic()
        outcome.lasted_s = over - began
        within = [each for each in self._seen if began <= each.at <= over]
        outcome.results = within[-1].results - within[0].results if within else 0
        with suppress(MachineError):
            wait_for(lambda: self._now.results > before.results, "a result", _FIRST_S, 0.05)
        first = next(
            (each.at for each in self._seen if each.at > over and each.results > before.results), None
        )
        outcome.first_s = None if first is None else first - over
        outcome.blocks_s = outcome.pages_s = outcome.first_s
        outcome.slowness, outcome.loop_s = (
            pace.slowness(began, time.monotonic()),
            pace.loop_s(began, time.monotonic()),
        )
        said = sorted({f"{each.status} {each.said}".strip() for each in within if each.at > began + 3})
        outcome.notes.append(f"/health said: {', '.join(said)}")
        outcome.judge()
        if said == ["200 ok"]:
            outcome.wrong.append("nobody was told that the disk is full")
        return outcome

    @property
    def _now(self) -> _Seen:
        return self._seen[-1]

    def _arena(self, *arguments: str) -> str:
        environment = [f"{name}={value}" for name, value in _BASE.items()]
        return self._machine.run("env", "-i", *environment, f"ARENA_DATA={self._data}", ARENA, *arguments)

    def _supply(self, *arguments: str) -> tuple[int, ...]:
        """Create or cancel tournaments on the machine; return the ids that it prints."""
        environment = [f"{name}={value}" for name, value in {**_BASE, "PYTHONPATH": str(_ROOT)}.items()]
        module = (sys.executable, "-m", "bench.chaos.embedded_supply")
        text = self._machine.run("env", "-i", *environment, f"ARENA_DATA={self._data}", *module, *arguments)
        return tuple(json.loads(text.splitlines()[-1]))

    def _show_only(self, copies: tuple[int, ...]) -> None:
        """Count the matches of these from now on, and wait until they are counted."""
        self._copies = copies
        since = time.monotonic()
        wait_for(lambda: self._now.counted_since > since, "the tournaments are listed", _PLAY_S)

    def _look_on(self) -> None:
        enter_network(self._machine.init)
        while not self._closing.wait(0.25):
            status, health = ask(_PORT)
            asked_at, copies = time.monotonic(), set(self._copies)
            rows = _list() if copies else []
            found = [row for row in rows if row["id"] in copies]
            before = self._now
            total = sum(row["matches_total"] for row in found) if found else before.total
            results = sum(row["matches_done"] for row in found) if found else before.results
            counted_since = asked_at if found else before.counted_since
            said = str(health.get("store", ""))
            self._seen.append(_Seen(time.monotonic(), results, total, status, said, counted_since))


def _list() -> list[dict[str, Any]]:
    """List all tournaments; none while the web does not answer."""
    connection = http.client.HTTPConnection("127.0.0.1", _PORT, timeout=2.0)
    try:
        connection.request("GET", "/api/v1/tournaments")
        response = connection.getresponse()
        text = response.read()
        rows: list[dict[str, Any]] = json.loads(text) if response.status == http.HTTPStatus.OK else []
    except (OSError, http.client.HTTPException, ValueError):
        return []
    else:
        return rows
    finally:
        connection.close()


def _sqlite_check(file: Path) -> tuple[str, ...]:
    code = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])"
    return ("python3", "-c", code, str(file))
