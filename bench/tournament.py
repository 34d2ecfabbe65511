"""A round-robin with all parts running: `arena up`, its workers, its store, its dashboard.

4,000 matches of lost_cities, one hand each (`hands=1`), among quick house bots, compared with the rates of the referee alone
in the same run: with the same bots, and with random ones (bench/referee.py).  A decision is one that a bot was really asked for.

Of a tournament and of the referee alone only the middle half of the matches counts: by the first quarter all is running, and
what the matches under way then have already played is made up for by those that are under way at the end of the third.

The speed of a shared machine drifts by a fifth within a minute, so all take turns, several times: the shares are taken
within each round, from the referee alone before and after it, and their median counts.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

import uvloop
from rich.progress import track
from sqlalchemy import func, select

from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.core.settings import Settings
from arena.referee_client import Referee, local_referee
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.record_compression import unpack
from arena.storage.schema import MatchResult, Record
from bench import referee
from bench.figures import Figure

MATCHES = 4_000
ALONE = 2_000
BOTS = ("greedy", "random")
PROCESSES = 2
"""Of each bot, since that many workers play."""

ROUNDS = 7
SHARE = 0.9
TWO_REFEREES = 1.0
"""They are for machines of many cores; on few they must cost nothing, but for what two runs differ by."""
GROWTH = 1.1
"""Memory grows until every kind of match has been played once, and every kind of job done, some 800 matches here."""
_START_S = 60.0
_WITHIN_S = 1_200.0


@dataclass(frozen=True, slots=True)
class Run:
    """The middle half of a tournament: what was played in which time, and what its parts used."""

    decisions: int
    seconds: float
    early_mb: dict[str, float]
    late_mb: dict[str, float]
    cpu_s: dict[str, float]

    @property
    def rate(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds


def measure() -> list[Figure]:
    """Measure the referee alone and the whole arena, with one referee and with two, in turn."""
    random_alone = next(figure.value for figure in referee.measure() if str(referee.AT_ONCE) in figure.name)
    alone = [uvloop.run(_measure_alone())]
    runs: list[Run] = []
    twos: list[Run] = []
    for number in track(range(ROUNDS), "tournaments", transient=True):
        for referees in (1, 2) if number % 2 == 0 else (2, 1):
            (runs if referees == 1 else twos).append(play("--referees", str(referees)))
        alone.append(uvloop.run(_measure_alone()))
    beside = [(before + after) / 2 for before, after in pairwise(alone)]
    shares = [run.rate / rate for run, rate in zip(runs, beside, strict=True)]
    decisions = sum(run.decisions for run in runs)
    cpu = {part: sum(run.cpu_s.get(part, 0.0) for run in runs) for part in sorted(runs[0].cpu_s)}
    return [
        Figure(
            f"tournament of {MATCHES:,} matches",
            median(run.rate for run in runs),
            "decisions/s",
            note=f"{runs[0].decisions:,} decisions in the middle half, hands=1; median of {ROUNDS} rounds",
        ),
        Figure(
            "share of the referee alone, same bots",
            median(shares),
            "×",
            SHARE,
            note=f"alone {median(alone):,.0f}/s; rounds: {' '.join(f'{share:.2f}' for share in sorted(shares))}",
        ),
        Figure(
            "share of the referee alone, random bots",
            median(run.rate for run in runs) / random_alone,
            "×",
            note=f"alone {random_alone:,.0f}/s",
        ),
        Figure(
            "CPU of all parts, a decision",
            sum(cpu.values()) / decisions * 1e6,
            "µs",
            150,
            at_least=False,
            note=", ".join(f"{part} {seconds / decisions * 1e6:.0f}" for part, seconds in cpu.items()),
        ),
        Figure(
            "the same with two referees, of one",
            median(two.rate / run.rate for two, run in zip(twos, runs, strict=True)),
            "×",
            TWO_REFEREES,
            note=f"{median(two.rate for two in twos):,.0f} decisions/s",
        ),
        *(
            Figure(
                f"memory of {part}, at the end / half-way",
                median(run.late_mb[part] / run.early_mb[part] for run in runs),
                "×",
                GROWTH,
                at_least=False,
                note=f"{runs[0].early_mb[part]:.0f} MB, then {runs[0].late_mb[part]:.0f} MB",
            )
            for part in ("referee", "worker")
        ),
    ]


async def _measure_alone() -> float:
    """Measure the referee alone, with the same bots in as many processes; decisions a second in the middle half."""
    with local_referee(slots=PROCESSES) as control:
        async with Referee(control) as client:
            for name, matches in (("warm", referee.AT_ONCE), ("alone", ALONE)):
                played = await referee.play(
                    client, name, matches=matches, hands=1, bots=BOTS, processes=PROCESSES
                )
            (began, _), *counted = played[ALONE // 4 : ALONE // 4 * 3]
            return sum(referee.asked(record) for _, record in counted) / (counted[-1][0] - began)


def play(*arguments: str) -> Run:
    """Play one tournament in an arena of its own; `arguments` are further ones of `arena up`."""
    with (
        tempfile.TemporaryDirectory(prefix="arena-") as folder,
        running(Path(folder, "data"), *arguments) as (up, _),
    ):
        store = Store.open(Settings(data=Path(folder, "data"), database_url="").database_url)
        spec = TournamentSpec(
            "lost_cities", BOTS, options={"hands": 1}, cycles=MATCHES // 2, secret=bytes(32), name="Bench"
        )
        number = creation.create(store, spec)
        _wait(store, number, MATCHES // 4)
        began, used = _last_stored(store, number), cpu_s(up)
        _wait(store, number, MATCHES // 2)
        early = memory_mb(up)
        _wait(store, number, MATCHES // 4 * 3)
        ended, after = _last_stored(store, number), cpu_s(up)
        _wait(store, number, MATCHES)
        spent = {part: seconds - used.get(part, 0.0) for part, seconds in after.items()}
        run = Run(_count_decisions(store, number, began, ended), ended - began, early, memory_mb(up), spent)
        store.close()
        return run


def free_port() -> int:
    """Return a free port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number: int = listener.getsockname()[1]
        return number


@contextmanager
def running(data: Path, *arguments: str) -> Iterator[tuple[int, int]]:
    """Run `arena up`; gives its pid, and the port of the dashboard."""
    port = free_port()
    arena = str(Path(sys.executable).parent / "arena")
    process = subprocess.Popen(
        [arena, "up", "--data", str(data), "--port", str(port), "--no-demo", *arguments],
        stdout=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if not name.startswith("ARENA_")},
    )
    assert process.stdout is not None
    try:
        deadline = time.monotonic() + _START_S
        while b"Bots dial in at" not in process.stdout.readline():
            assert process.poll() is None, "arena up did not start"
            assert time.monotonic() < deadline, f"arena up did not start within {_START_S} s"
        yield process.pid, port
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def _wait(store: Store, number: int, matches: int) -> None:
    deadline = time.monotonic() + _WITHIN_S
    while next(row.matches_done for row in tournaments.listing(store) if row.id == number) < matches:
        assert time.monotonic() < deadline, f"{matches} matches not within {_WITHIN_S} s"
        time.sleep(0.1)


def _last_stored(store: Store, number: int) -> float:
    """Return when the newest result of a tournament was stored."""
    with store.read() as session:
        return session.scalars(
            select(func.max(MatchResult.stored_at)).where(MatchResult.tournament_id == number)
        ).one()


def _count_decisions(store: Store, number: int, after: float, until: float) -> int:
    """Count the decisions of what was stored between two moments: the steps that took a bot some time.

    The platform plays single legal actions in none.
    """
    query = (
        select(Record.data)
        .join(MatchResult, MatchResult.id == Record.result_id)
        .where(
            MatchResult.tournament_id == number, MatchResult.stored_at > after, MatchResult.stored_at <= until
        )
    )
    with store.read() as session:
        records = (json.loads(unpack(data)) for data in session.scalars(query))
        return sum(step.get("ms", 0) > 0 for record in records for step in record["steps"])


def _parts(up: int) -> Iterator[tuple[str, int]]:
    """Return the processes of the arena, each with the name of its part."""
    parents = {pid: _stat(pid)[1] for pid in _pids()}
    for pid in parents:
        if up not in _ancestors(pid, parents):
            continue
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has gone meanwhile
        part = next((part for mark, part in _MARKS.items() if mark in line), None)
        if part is not None:
            yield part, pid


def _ancestors(pid: int, parents: dict[int, int]) -> Iterator[int]:
    while pid := parents.get(pid, 0):
        yield pid


_MARKS = {
    "-m referee.sandbox.watchdog": "watchdog",
    "-m referee": "referee",
    "-m workers": "worker",
    "-m arena.web": "web",
    "house:": "bots",
    "fork_server.py": "fork server",
    "valkey": "redis",
}


def _pids() -> list[int]:
    return [int(place.name) for place in Path("/proc").iterdir() if place.name.isdecimal()]


def _stat(pid: int) -> tuple[float, int]:
    """Return the CPU seconds of a process and its parent (proc_pid_stat(5))."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0, 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(fields[1])


def cpu_s(up: int) -> dict[str, float]:
    """Return the CPU seconds that each part has used so far."""
    used: dict[str, float] = {}
    for part, pid in _parts(up):
        used[part] = used.get(part, 0.0) + _stat(pid)[0]
    return used


def memory_mb(up: int) -> dict[str, float]:
    """Return the resident memory of each part, the largest of its processes."""
    page_mb = os.sysconf("SC_PAGE_SIZE") / 2**20
    found: dict[str, float] = {}
    for part, pid in _parts(up):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        found[part] = max(found.get(part, 0.0), pages * page_mb)
    return found
