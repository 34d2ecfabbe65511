"""The first run of a new arena: `arena up` on an empty folder, to its first page, and to the end of the tournaments it begins with."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from arena.core.settings import Settings
from arena.reports import tournaments
from arena.storage import Store
from bench import bot_processes, machine, sandbox
from bench.figures import Figure
from bench.tournament import cpu_s, free_port

_WITHIN_S = 1_800.0
_LOOK_EVERY_S = 0.05
_IMPORTS = 5


def measure() -> list[Figure]:
    """Measure the start and the first tournaments, alone on the machine."""
    loop_s, import_s = _loop_and_import_s()
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        page_s, tables_s, used_s, matches, starts = _run(Path(folder, "data"))
    start_ms = asyncio.run(sandbox.start_cpu_ms())
    cpu = ", ".join(f"{part} {seconds:.0f}" for part, seconds in sorted(used_s.items()))
    return [
        Figure(
            "import arena.web.app / loop",
            import_s / loop_s,
            "×",
            0.7,
            at_least=False,
            note=f"{import_s:.2f} s of CPU, loop {loop_s:.2f} s",
        ),
        Figure("arena up to the first page", page_s, "s", 4, at_least=False),
        Figure(
            "arena up to five tables",
            tables_s,
            "s",
            60,
            at_least=False,
            note=f"{matches} matches; CPU s: {cpu}",
        ),
        Figure(
            "share of the bots' starts in the CPU of all parts",
            starts * start_ms / 1000 / sum(used_s.values()) * 100,
            "%",
            5,
            at_least=False,
            note=f"{starts} starts, {start_ms:.0f} ms of CPU each",
        ),
    ]


def _loop_and_import_s() -> tuple[float, float]:
    """Return the CPU seconds of the plain loop, and of a process that imports the app: the best of each, taken in turns.

    The first process writes bytecode where there is none, and fills the cache of files.
    """
    times = [(machine.loop_s(time.process_time), _import_s()) for _ in range(_IMPORTS)]
    loops, imports = zip(*times, strict=True)
    return min(loops), min(imports)


def _import_s() -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import arena.web.app"], env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _run(data: Path) -> tuple[float, float, dict[str, float], int, int]:
    """Return the seconds to the first page and to the last result, the CPU seconds of each part, and how many matches and starts of bots there were."""
    port = free_port()
    began = time.monotonic()
    process = subprocess.Popen(
        [Path(sys.executable).parent / "arena", "up", "--data", data, "--port", str(port)],
        stdout=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if not name.startswith("ARENA_")},
    )
    try:
        while not _answers(port):
            assert process.poll() is None, "arena up did not start"
            time.sleep(_LOOK_EVERY_S)
        page_s = time.monotonic() - began
        store = Store.open(Settings(data=data, database_url="").database_url)
        bots: set[int] = set()
        while not (rows := tournaments.listing(store)) or any(row.state != "finished" for row in rows):
            assert time.monotonic() - began < _WITHIN_S, f"not within {_WITHIN_S} s"
            bots.update(bot_processes.families())
            time.sleep(1)
        tables_s = time.monotonic() - began
        store.close()
        return page_s, tables_s, cpu_s(process.pid), sum(row.matches_done for row in rows), len(bots)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def _answers(port: int) -> bool:
    """Return whether the home page is shown."""
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
        return bool(answer.status == 200)
    return False
