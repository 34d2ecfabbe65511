"""Live tables with all parts running: from a bot's move to the spectator's browser, and what 500 open pages cost the web.

Two bots that run elsewhere and think a while play Lost Cities in an `arena up`; a page of Chromium watches.  A move begins
when its bot hands it to its SDK, and has arrived when the board in the page has changed: both by the clock of this machine.
A bare client of the same stream separates the arena's part from the browser's.  The 500 are such clients
in a process of their own; then all is measured again.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Page, sync_playwright

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.core.settings import Settings
from arena.storage import Store
from bench.figures import Figure
from bench.tournament import free_port, memory_mb, running

LIMIT_MS = 150.0
LIMIT_MB = 150.0
CLIENTS = 500
MOVES = 120
THINKS_S = 0.12
_WITHIN_S = 180.0
_CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")

_BOT = f"""
import time

from arena.sdk import Bot, run

class Slow(Bot):
    def choose(self, decision):
        time.sleep({THINKS_S})
        action = decision.random.choice(decision.legal)
        with open("moves", "a") as file:
            file.write(f"{{decision.match}} {{time.time()}}\\n")
        return action

run(Slow())
"""

_OBSERVE = """
window.seen = [];
new MutationObserver(() => {
  const board = document.querySelector("[data-board]");
  const point = board?.dataset.point;
  if (point !== undefined && window.seen.at(-1)?.[0] !== point) window.seen.push([point, Date.now() / 1000]);
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-point"] });
"""


def measure() -> list[Figure]:
    """Measure one browser alone, then together with 500 other clients."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-")))
        bots_port = free_port()
        up, port = stack.enter_context(running(folder / "data", "--bots-port", str(bots_port)))
        store = Store.open(Settings(data=folder / "data", database_url="").database_url)
        stack.callback(store.close)
        for name in ("ada", "ben"):
            token = bots.add_dial_in(store, OPERATOR, "lost_cities", name).token
            stack.enter_context(_bot(folder, f"127.0.0.1:{bots_port}", token))
        origin = f"http://127.0.0.1:{port}"
        spec = TournamentSpec("lost_cities", ("ada", "ben"), cycles=20, options={"hands": 9})
        creation.create(store, spec)
        address = _address(origin)
        browser = stack.enter_context(_browser())
        page = browser.new_page(reduced_motion="reduce")
        page.add_init_script(_OBSERVE)
        before_mb = memory_mb(up)["web"]
        page.goto(f"{origin}{address}")
        alone = _watch(page, origin, address, folder / "moves")
        with _crowd(port, f"{address}/live"):
            crowded = _watch(page, origin, address, folder / "moves")
            with_mb = memory_mb(up)["web"]
    return [
        _figure("from a move to the browser, 95 % of moves within", alone.browser_ms, LIMIT_MS),
        _figure("from a move to a bare client", alone.client_ms),
        _figure(f"to the browser, beside {CLIENTS} other clients", crowded.browser_ms),
        _figure(f"to a bare client, beside {CLIENTS} other clients", crowded.client_ms),
        Figure(
            f"memory of the web with {CLIENTS} clients of a live board, in all",
            with_mb,
            "MB",
            LIMIT_MB,
            at_least=False,
            note=f"{with_mb - before_mb:.0f} MB more than before they came",
        ),
    ]


def _figure(name: str, latencies_ms: list[float], limit: float | None = None) -> Figure:
    p95 = quantiles(latencies_ms, n=20)[-1]
    note = (
        f"{len(latencies_ms)} moves, median {median(latencies_ms):.0f} ms, longest {max(latencies_ms):.0f} ms"
    )
    return Figure(name, p95, "ms", limit, at_least=False, note=note)


class _Latencies(NamedTuple):
    """From the bot to the board in the browser, and to a bare client of the stream."""

    browser_ms: list[float]
    client_ms: list[float]


def _watch(page: Page, origin: str, address: str, moves: Path) -> _Latencies:
    """Watch the moves."""
    came: dict[int, float] = {}
    threading.Thread(target=_note, args=(f"{origin}{address}/live", came), daemon=True).start()
    page.evaluate("window.seen = []")
    deadline = time.monotonic() + _WITHIN_S
    while page.evaluate("window.seen.length") <= MOVES:
        assert time.monotonic() < deadline, f"{MOVES} moves not within {_WITHIN_S} s"
        page.wait_for_timeout(1000)
    seen = {int(point): at for point, at in page.evaluate("window.seen")[1:]}
    match = f"{origin}/api/v1{address}"
    match_id = _get(match)["id"]
    lines = (line.split() for line in moves.read_text().splitlines())
    made = sorted(float(at) for each, at in lines if each == match_id)
    points = list(zip(_asked_points(match), made, strict=False))
    return _Latencies(
        [1000 * (seen[point] - at) for point, at in points if point in seen],
        [1000 * (came[point] - at) for point, at in points if point in came and point in seen],
    )


def _note(stream: str, came: dict[int, float]) -> None:
    """Note when each point comes to a bare client."""
    with httpx.stream("GET", stream, timeout=_WITHIN_S) as answer:
        for line in answer.iter_lines():
            if line.startswith("id: "):
                came[int(line.partition(".")[2]) - 1] = time.time()


def _asked_points(match: str) -> list[int]:
    """Return the numbers of the points at which a bot was asked: what is forced, the platform plays."""
    with httpx.stream("GET", f"{match}/events", timeout=10) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                points = json.loads(line.removeprefix("data: "))["points"]
                return [
                    number for number, steps in enumerate(points) if any(step.get("ms") for step in steps)
                ]
    return []


def _address(origin: str) -> str:
    """Wait for the first table."""
    deadline = time.monotonic() + _WITHIN_S
    while not (found := _get(f"{origin}/api/v1/live")):
        assert time.monotonic() < deadline, f"no table within {_WITHIN_S} s"
        time.sleep(0.2)
    return f"/tournaments/{found[0]['tournament_id']}/sets/{found[0]['set']}/matches/{found[0]['match']}"


def _get(address: str) -> Any:  # noqa: ANN401 - a document
    return httpx.get(address, timeout=10).raise_for_status().json()


@contextmanager
def _bot(folder: Path, referee: str, token: str) -> Iterator[None]:
    program = folder / "slow.py"
    program.write_text(_BOT)
    environment = {**os.environ, "ARENA_REFEREE": referee, "ARENA_TOKEN": token}
    bot = subprocess.Popen(
        [sys.executable, str(program)], cwd=folder, env=environment, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        bot.terminate()
        bot.wait(10)


@contextmanager
def _browser() -> Iterator[Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=_CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@contextmanager
def _crowd(port: int, path: str) -> Iterator[None]:
    """Run many clients of a stream in a process of their own."""
    command = [sys.executable, "-c", "from bench.live import crowd; crowd()", str(port), path]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"all are there\n"
        try:
            yield
        finally:
            process.terminate()


def crowd() -> None:
    """Follow a stream with all the clients; says when each has got something."""
    asyncio.run(_follow_all(int(sys.argv[1]), sys.argv[2]))


async def _follow_all(port: int, path: str) -> None:
    async def follow() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: arena\r\nAccept: text/event-stream\r\n\r\n".encode())
        await reader.readuntil(b"event: board")
        waiting.discard(asyncio.current_task())
        if not waiting:
            print("all are there", flush=True)
        while await reader.read(1 << 16):
            pass

    waiting: set[Any] = set()
    for _ in range(CLIENTS):
        waiting.add(asyncio.create_task(follow()))
    await asyncio.gather(*list(waiting))
