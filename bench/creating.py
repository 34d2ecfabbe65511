"""Beginning: how soon a tournament is created, however large it is, and how soon its first match is played.

The first in a fresh process on a store of its own; the second in a real `arena up` that is idle, from the API's answer on:
until a worker has the first block, and until the first result is stored, so that the start of the first match is between them.
"""

from __future__ import annotations

import json
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from sqlalchemy import func, select

from arena.accounts import actors, tokens, users
from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.core.settings import Settings
from arena.reports import tournaments
from arena.storage import Store, upgrade
from arena.storage.schema import Block, MatchResult
from bench.figures import Figure
from bench.tournament import running

LARGE = (("lost_cities", 2, 2, 50_000), ("lost_cities", 100, 2, 11), ("land_unter", 500, 4, 1))
"""Game, bots, seats, cycles: 100,000 matches or a few more."""
LIMIT_S = 10.0
LIMIT_MB = 300.0
BEGINNINGS = 40
BEGIN_LIMIT_S = 1.0
_WARM = 3
"""The first tournaments of an arena start its bots."""
_WITHIN_S = 60.0
_LOOK_EVERY_S = 0.002


def measure() -> list[Figure]:
    """Measure both."""
    return [*(figure for case in LARGE for figure in _create(*case)), *_begin()]


def _create(game: str, count: int, seats: int, cycles: int) -> list[Figure]:
    """Create one large tournament in a process of its own."""
    arguments = [game, str(count), str(seats), str(cycles)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.creating", *arguments], check=True, stdout=subprocess.PIPE, text=True
    )
    found = json.loads(done.stdout)
    name = f"creating {found['matches']:,} matches, {count} bots, {seats} seats"
    return [
        Figure(name, found["seconds"], "s", LIMIT_S, at_least=False),
        Figure(f"{name}: peak memory", found["mb"], "MB", LIMIT_MB, at_least=False, note="of the process"),
    ]


def create_here(game: str, count: int, seats: int, cycles: int) -> dict[str, float]:
    """Create a tournament in this process; gives its matches, the seconds, and the process's peak of memory."""
    names = tuple(f"bot{number}" for number in range(count))
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        url = f"sqlite:///{folder}/arena.db"
        upgrade(url)
        store = Store.open(url)
        bots.register_house(store, {game: names})
        began = time.perf_counter()
        page = tournaments.page(
            store, creation.create(store, TournamentSpec(game, names, seats=seats, cycles=cycles))
        )
        seconds = time.perf_counter() - began
        store.close()
    # Not getrusage: its peak begins with what the parent had.
    peak = re.search(r"VmHWM:\s+([0-9]+) kB", Path("/proc/self/status").read_text())
    assert peak is not None
    return {"matches": page.matches_total, "seconds": seconds, "mb": int(peak[1]) / 1024}


def _begin() -> list[Figure]:
    """Create small tournaments in an arena that is idle, one at a time and at any moment of its second."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        data = Path(folder, "data")
        with running(data) as (_, port):
            store = Store.open(Settings(data=data, database_url="").database_url)
            headers = {"Authorization": f"Bearer {_token(store)}"}
            with httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1", headers=headers) as client:
                waits = [_wait(store, client) for _ in range(_WARM + BEGINNINGS)][_WARM:]
            store.close()
    taken, first = ([wait[which] for wait in waits] for which in (0, 1))
    load = f"load {os.getloadavg()[0]:.1f}"
    return [
        _percentile("answer to first block taken, p95", taken, "an idle arena, " + load),
        _percentile("answer to first result stored, p95", first, "lost_cities, hands=1; " + load),
    ]


def _percentile(name: str, waits: list[float], note: str) -> Figure:
    p95 = statistics.quantiles(waits, n=20)[-1]
    note = f"median {statistics.median(waits):.2f} s, longest {max(waits):.2f} s of {len(waits)}; {note}"
    return Figure(name, p95, "s", BEGIN_LIMIT_S, at_least=False, note=note)


def _wait(store: Store, client: httpx.Client) -> tuple[float, float]:
    """Create a tournament; gives the seconds until its first block is taken, and until its first result is stored."""
    time.sleep(random.uniform(0.5, 1.5))
    wish = {"game": "lost_cities", "bots": ["greedy", "random"], "options": {"hands": 1}}
    answer = client.post("/tournaments", json=wish)
    answered = time.time()
    answer.raise_for_status()
    number = answer.json()["id"]
    taken = stored = None
    while stored is None:
        assert time.time() < answered + _WITHIN_S, f"no result within {_WITHIN_S} s"
        with store.read() as session:
            mine = (Block.tournament_id == number, Block.done.is_(True) | Block.worker.is_not(None))
            if taken is None and session.scalar(select(func.count()).where(*mine)):
                taken = time.time()
            query = select(func.min(MatchResult.stored_at)).where(MatchResult.tournament_id == number)
            stored = session.scalar(query)
        time.sleep(_LOOK_EVERY_S)
    while tournaments.row(store, number).state == "running":
        time.sleep(0.05)
    return max(0.0, min(taken or stored, stored) - answered), max(0.0, stored - answered)


def _token(store: Store) -> str:
    """Make an organiser and a token of theirs."""
    users.create(store, OPERATOR, "organiser", "organiser", secrets.token_hex(16))
    with store.read() as session:
        user = users.find_in(session, "organiser")
    return tokens.create(
        store, Actor(user.id, user.name, user.role, actors.scopes_of(user.role)), "bench"
    ).token


if __name__ == "__main__":
    print(json.dumps(create_here(sys.argv[1], *map(int, sys.argv[2:]))))
