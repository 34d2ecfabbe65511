"""Pages on a large store: every page at 50 requests a second, the leaderboard flat out, the first page in a browser.

The store is that of bench/crowd.py.  The real web process has one core, those who ask have the other.  Pages are found among the
app's routes, with what their addresses need taken from the store; each is asked for at several addresses in turn, packed, never
conditionally, after each address was asked for once.  Meanwhile the tournaments that run are played: five results a second.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path

from fastapi.routing import iter_route_contexts
from sqlalchemy import select

from arena.accounts import sessions
from arena.competition.matches import uptime
from arena.core import child_process
from arena.messaging.redis_connection import connect, connect_async
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import Bot, MatchResult, Record, Tournament, Version
from arena.supervisor import embedded_redis
from arena.web.app import create_app
from arena.web.auth.api_auth import COOKIE, Access
from bench import browsing, crowd
from bench.asking import Connection, flat_out, steadily
from bench.figures import Figure

RATE = 50.0
COUNT = 250
MAX_MS = 80.0
LEADERBOARD = "/games/lost_cities"
LEAST_RATE = 600.0
_PAUSE_S = 0.4
"""Between two sets of the tournaments that are being played, those of a thousand bots among them."""
_CONNECTIONS = 8
_SECONDS = 4.0
_START_S = 30.0
_NOT_PAGES = (
    "/static/",
    "/favicon.ico",
    "/openapi.json",
    "/health",
    "/sdk/",
    "/api/v1/sdk/",
    "/api/v1/protos",
)
_DOWNLOADS = ("/export", "/record", "/upload", ".png", ".json")
_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")


@dataclass(frozen=True, slots=True)
class Web:
    """The web process, with the session cookies of an admin and of an author."""

    port: int
    pid: int
    redis: str
    cookies: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A route that was measured: times in ms, the CPU time of the web process for each answer, and its size packed."""

    path: str
    p99: float
    median: float
    cpu: float
    kb: float
    addresses: int


def measure() -> list[Figure]:
    """Measure all."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        copy = Path(folder, "arena.sqlite3")
        shutil.copy(crowd.find(), copy)
        cores = os.sched_getaffinity(0)
        with serving(f"sqlite:///{copy}", Path(folder)) as (store, web):
            with playing(store):
                asked = asyncio.run(_ask_all(store, web))
                rate = asyncio.run(
                    flat_out(web.port, LEADERBOARD, connections=_CONNECTIONS, seconds=_SECONDS)
                )
            os.sched_setaffinity(
                0, cores
            )  # a browser has threads of its own for drawing, a phone cores for them
            first = browsing.measure(f"http://127.0.0.1:{web.port}/")
    return [*map(_figure, asked), Figure("leaderboard", round(rate), "requests/s", LEAST_RATE), *first]


def _figure(asked: Asked) -> Figure:
    kind = "JSON" if asked.path.startswith("/api/") else "page"
    note = f"median {asked.median:.1f} ms, {asked.cpu:.1f} ms of CPU, {asked.kb:.1f} KB; {asked.addresses} addresses"
    return Figure(f"{kind} {asked.path}: p99", round(asked.p99, 1), "ms", MAX_MS, at_least=False, note=note)


@contextmanager
def serving(
    url: str, folder: Path, accounts: Sequence[str] = (crowd.ADMIN, crowd.AUTHOR)
) -> Iterator[tuple[Store, Web]]:
    """Serve a store by a web process on the first core, with sessions of some accounts; this process goes to the last."""
    cores = sorted(os.sched_getaffinity(0))
    redis = Path(folder, "redis.sock")
    secret = secrets.token_hex(32)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    server = child_process.start(
        embedded_redis.command(redis, folder), environment={}, stdout=subprocess.DEVNULL
    )
    web = subprocess.Popen(
        [sys.executable, "-m", "arena.web", "--port", str(port)],
        env={
            **os.environ,
            "ARENA_DATABASE_URL": url,
            "ARENA_REDIS_URL": f"unix://{redis}",
            "ARENA_SECRET": secret,
            "ARENA_LOG_LEVEL": "WARNING",
        },
    )
    store = Store.open(url)
    try:
        os.sched_setaffinity(web.pid, {cores[0]})
        os.sched_setaffinity(0, {cores[-1]})
        cookies = {
            name: sessions.begin(store, secret.encode(), name, crowd.PASSWORD).cookie for name in accounts
        }
        _wait(web, port)
        yield store, Web(port, web.pid, f"unix://{redis}", cookies)
    finally:
        os.sched_setaffinity(0, cores)
        store.close()
        child_process.stop(web, grace_s=5.0)
        child_process.stop(server, grace_s=5.0)


@contextmanager
def playing(store: Store) -> Iterator[None]:
    """Store results while pages are asked for, so that their data change, and let the uptime go on."""
    numbers = cycle([row.id for row in tournaments.running(store)])
    over = threading.Event()

    def play() -> None:
        while not over.wait(_PAUSE_S):
            crowd.go_on(store, next(numbers))
            uptime.advance(store, _PAUSE_S)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _wait(web: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        assert web.poll() is None, "the web process ended"
        assert time.monotonic() < deadline, f"the web process did not start within {_START_S} s"
        with suppress(OSError), closing(HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
            connection.request("GET", "/")
            if connection.getresponse().status == HTTPStatus.OK:
                return  # before that it says that it is starting
        time.sleep(0.05)


async def _ask_all(store: Store, web: Web) -> list[Asked]:
    scenes = _scenes(store)
    asked = {path: await _ask(web, path, _addresses(path, scenes)) for path in _paths(store)}
    left_out = [path for path, each in asked.items() if each is None]
    print(
        f"pages: not measured, as they are streams or the store has nothing for them: {', '.join(left_out)}",
        file=sys.stderr,
    )
    return [each for each in asked.values() if each is not None]


async def _ask(web: Web, path: str, addresses: list[str]) -> Asked | None:
    """Measure one route; None for what is no page, a stream, a file or what sends elsewhere, and where nothing is found."""
    headers, addresses, kb = await _look(web, addresses) if addresses else ({}, [], 0.0)
    if not addresses:
        return None
    with connect(web.redis) as client:
        client.flushdb()  # one account asks for more in a minute than one account may
    used = cpu_s(web.pid)
    taken = [1000 * each for each in await steadily(web.port, addresses, headers, rate=RATE, count=COUNT)]
    cpu = 1000 * (cpu_s(web.pid) - used) / COUNT
    p99 = statistics.quantiles(taken, n=100)[-1]
    return Asked(path, p99, statistics.median(taken), cpu, kb, len(addresses))


async def _look(web: Web, addresses: list[str]) -> tuple[dict[str, str], list[str], float]:
    """Ask for each address once: signed out, as admin, as author; return who sees it, those to measure, and the largest size."""
    for cookie in ("", *(f"{COOKIE}={cookie}" for cookie in web.cookies.values())):
        headers = {"Cookie": cookie} if cookie else {}
        connection = Connection(web.port, headers)
        answers = {address: await connection.get(address) for address in addresses}
        connection.close()
        good = {
            address: answer
            for address, answer in answers.items()
            if answer.status == 200
            and answer.headers["content-type"].partition(";")[0] in {"text/html", "application/json"}
        }
        if good:
            return headers, list(good), max(len(answer.body) for answer in good.values()) / 1000
    return {}, [], 0.0


def _paths(store: Store) -> list[str]:
    """List what can be read: pages first, then the API."""
    client = connect_async("unix:///nowhere")
    app = create_app(store, client, Access(bytes(32), "open"))
    routes = [route for route in iter_route_contexts(app.routes) if "GET" in (route.methods or ())]
    paths = {
        str(route.path)
        for route in routes
        if not str(route.path).startswith(_NOT_PAGES) and not str(route.path).endswith(_DOWNLOADS)
    }
    return sorted(paths, key=lambda path: ("/api/" in path, path))


def _addresses(path: str, scenes: list[dict[str, object]]) -> list[str]:
    """Fill in an address's parameters from the store."""
    needed = set(_PARAMETER.findall(path))
    if "/docs" in path:
        scenes = [{**scene, "name": "bots"} for scene in scenes]
    fitting = [scene for scene in scenes if needed <= scene.keys()]
    filled = [re.sub(_PARAMETER, r"{\1}", path).format(**scene) for scene in fitting]
    return list(dict.fromkeys(filled))


def _scenes(store: Store) -> list[dict[str, object]]:
    """Name what addresses are made of: matches with a record of each game, tournaments large and small, bots."""
    with store.read() as session:
        matches = session.execute(
            select(MatchResult, Tournament.game)
            .join(Record, Record.result_id == MatchResult.id)
            .join(Tournament, Tournament.id == MatchResult.tournament_id)
            .order_by(MatchResult.id)
        ).all()
        known = session.execute(
            select(Bot.game, Bot.name, Version.version)
            .join(Version, Version.bot_id == Bot.id)
            .order_by(Bot.owner_id.is_(None), Bot.owner_id, Bot.id)
        ).all()
    by_game: dict[str, list[dict[str, object]]] = {}
    for result, game in matches:
        scene = {
            "tournament_id": result.tournament_id,
            "set_number": result.set_number,
            "match_number": result.match_number,
            "match_id": result.match,
            "game_id": game,
        }
        if all(result.tournament_id != other["tournament_id"] for other in by_game.setdefault(game, [])):
            by_game[game].append(scene)
    bots = {game: {"name": name, "bot": name, "version": version} for game, name, version in reversed(known)}
    pools: list[dict[str, object]] = [{"game_id": game, "variant": "standard"} for game in by_game]
    return [
        *(scene | bots[str(scene["game_id"])] for scenes in by_game.values() for scene in scenes[:6]),
        *(scene | bots[str(scene["game_id"])] for scene in pools),
    ]


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process (proc_pid_stat(5))."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    for figure in measure():
        print(
            f"{'' if figure.holds is None else '✓✗'[not figure.holds]} {figure.name:70} {figure.value:8} {figure.unit:10} {figure.note}"
        )
