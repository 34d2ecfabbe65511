"""`make bench-growth`: what costs more as a store grows: at ten thousand matches and at a million, on SQLite and on PostgreSQL.

Both stores are made by bench/crowd.py, in some minutes, and are deleted in the end; the larger one takes 2 GB in each database.  Of
PostgreSQL a server of its own is started, with 16 MB of shared buffers, and without waiting for the disk.  Adding a result is measured on both
stores in turn, the same matches of the same tournament; what it costs is the CPU time of this process and of the server's for this
database, the median.  That of a page is the web process's alone.

The plan of a tournament is computed once by each process: the first claim of a block pays for it, the median does not.

`ARGS="--only sqlite"` leaves one database out; `--matches 100` measures fewer results.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path

from rich.console import Console
from rich.table import Table
from sqlalchemy import func, select, text

from arena.bot_registry import bots
from arena.competition import creation, plans, settlement, stages
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import blocks, running_totals
from arena.competition.matches.results import Arrival
from arena.competition.qualification import suspensions
from arena.match.record import to_json
from arena.messaging.redis_connection import connect
from arena.rankings import public_ratings
from arena.storage import Store
from arena.storage.schema import Bot, MatchResult, PairTotal, SetTotal, Tournament
from arena.storage.schema import Record as StoredRecord
from arena.storage.table_sizes import table_sizes
from bench import crowd, pages, store_copy
from bench.asking import Connection, steadily
from tests.parts import postgres_server

MAX_GROWTH = 1.2
"""Largest factor by which a result may cost more in the larger store."""
GAME, POOL = "lost_cities", "lost_cities/standard"
OPENED = 1_000
"""Bots of the tournament that is opened."""
ENTRIES = 100
"""Bots of the tournament that results are added to."""
MATCHES = 400
TOGETHER = 40
"""Matches of a block: their results come in one transaction."""
_PER_MATCH = (MatchResult, StoredRecord, SetTotal, PairTotal)
_RATE, _COUNT = 20.0, 100
_RUNS = 3
_CLAIMS = 20


@dataclass
class Measured:
    """Measurements of one store; times are milliseconds of CPU."""

    matches: int
    bots: int
    figures: dict[str, float] = field(default_factory=dict)


def main() -> None:
    """Make the stores, measure them, print the tables; exit with 1 if results cost more than they may."""
    parser = argparse.ArgumentParser(prog="bench.growth", description=__doc__)
    parser.add_argument("--only", choices=("sqlite", "postgresql"), help="leave the other database out")
    parser.add_argument("--matches", type=int, default=MATCHES, help="how many results are added")
    options = parser.parse_args()
    crowd.OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=crowd.OUT, prefix="growth-") as folder:
        files = [Path(folder, f"{size.name}.sqlite3") for size in (crowd.YOUNG, crowd.GROWN)]
        for file, size in zip(files, (crowd.YOUNG, crowd.GROWN), strict=True):
            _say(f"making {size.name}")
            crowd.build(f"sqlite:///{file}", size)
        good = [
            show(dialect, *measure(dialect, files, options.matches))
            for dialect in ("postgresql", "sqlite")  # this order: the files are copied as they were made
            if options.only in {None, dialect}
        ]
    if not all(good):
        sys.exit(1)


def measure(dialect: str, files: list[Path], matches: int) -> tuple[Measured, ...]:
    """Measure the stores of one database, the small one and the large one."""
    with ExitStack() as stack:
        if dialect == "sqlite":
            urls = [f"sqlite:///{file}" for file in files]
        else:
            server = stack.enter_context(postgres_server.running())
            urls = [server.new_database() for _ in files]
            for file, url in zip(files, urls, strict=True):
                _say(f"copying {file.name}")
                store_copy.copy(file, url)
        stores = [Store.open(url) for url in urls]
        found = [_count(store) for store in stores]
        _say(f"{dialect}: results")
        for each, costs in zip(found, _results(stores, matches), strict=True):
            each.figures |= costs
        for store, url, each in zip(stores, urls, found, strict=True):
            _say(f"{dialect}: {each.matches:,} matches")
            each.figures |= _on_its_own(store)
            each.figures |= _pages(url)
            store.close()
    return tuple(found)


def show(dialect: str, small: Measured, large: Measured) -> bool:
    """Print a table; return whether results cost no more than they may."""
    table = Table(title=f"Growth: {dialect}")
    table.add_column("")
    for each in (small, large):
        table.add_column(f"{each.matches:,} matches,\n{each.bots:,} bots", justify="right")
    table.add_column("×", justify="right")
    table.add_column("limit", justify="right")
    good = True
    for name, before in small.figures.items():
        after = large.figures[name]
        limit = MAX_GROWTH if name.startswith("result") else None
        missed = limit is not None and after / before > limit
        good &= not missed
        growth = f"{after / before:.2f}"
        table.add_row(
            name,
            f"{before:,.2f}",
            f"{after:,.2f}",
            f"[red]{growth}[/]" if missed else growth,
            "" if limit is None else f"≤ {limit}",
        )
    Console(width=None if sys.stdout.isatty() else 120).print(table)
    return good


def _count(store: Store) -> Measured:
    """Count what there is; measure how much room it takes."""
    with store.read() as session:
        matches = session.scalar(select(func.count()).select_from(MatchResult)) or 1
        count = session.scalar(select(func.count()).select_from(Bot)) or 0
    measured = Measured(matches, count)
    taken = {size.table: size.size_bytes or 0 for size in table_sizes(store)}
    for table in _PER_MATCH:
        name = table.__tablename__
        measured.figures[f"bytes a match, {name}"] = taken[name] / matches
    measured.figures["bytes a match, all tables"] = sum(taken.values()) / matches
    return measured


def _results(stores: list[Store], matches: int) -> list[dict[str, float]]:
    """Add results to a tournament of each store, in turn: one by one, then many in a transaction."""
    numbers = [_open(store, _names(store, ENTRIES), "results") for store in stores]
    arrivals = [_arrivals(store, number, 2 * matches) for store, number in zip(stores, numbers, strict=True)]
    found: list[dict[str, float]] = [{} for _ in stores]
    meters = [_Meter(store) for store in stores]
    for name, first, at_once in (("one by one", 0, 1), (f"{TOGETHER} in a transaction", matches, TOGETHER)):
        spent: list[list[float]] = [[] for _ in stores]
        for begin in range(first, first + matches, at_once):
            for at, (store, number) in enumerate(zip(stores, numbers, strict=True)):
                some = arrivals[at][begin : begin + at_once]
                ms = meters[at].ms(partial(_add, store, number, some))
                spent[at].append(ms / at_once)
        for each, costs in zip(found, spent, strict=True):
            each[f"result, {name}: CPU ms"] = statistics.median(costs)
    return found


def _add(store: Store, number: int, arrivals: list[Arrival]) -> None:
    added = settlement.add_results(store, number, arrivals)
    assert all(each is True for each in added), added


def _on_its_own(store: Store) -> dict[str, float]:
    """Measure what is done seldom: a fit after results, a tournament that is opened."""
    meter, fits = _Meter(store), []
    for number in range(_RUNS):
        if number:
            _go_on(store)
        fits.append(meter.ms(lambda: public_ratings.refresh(store, POOL)))
    names = _names(store, OPENED)
    opened = [meter.ms(lambda: _open(store, names, "opened")) for _ in range(_RUNS)]
    claims = [meter.ms(lambda: blocks.claim(store, "bench", 600.0)) for _ in range(_CLAIMS)]
    rounds = [meter.ms(lambda: _reconcile(store)) for _ in range(_RUNS)]
    rows = len(public_ratings.table(store, GAME).rows)
    return {
        "bots in the pool's table": rows,
        "the pool's table after results: CPU ms": min(fits),
        f"opening a tournament of {OPENED:,}: CPU ms": min(opened),
        "claiming a block, median: CPU ms": statistics.median(claims),
        "a round of the reconciler: CPU ms": min(rounds),
        "counting old results, at its start: CPU ms": meter.ms(lambda: running_totals.recount_old(store)),
    }


def _pages(url: str) -> dict[str, float]:
    """Ask for pages while results come in; gives the CPU time of the web process for each."""
    with (
        tempfile.TemporaryDirectory(prefix="arena-") as folder,
        pages.serving(url, Path(folder)) as (store, web),
    ):
        asked = {}
        asyncio.run(_answers(web.port))
        with pages.playing(store):
            for name, address in _addresses(store).items():
                asyncio.run(steadily(web.port, [address], {}, rate=_RATE, count=5))
                with connect(web.redis) as client:
                    client.flushdb()  # one address asks for more in a minute than one may
                used = pages.cpu_s(web.pid)
                taken = asyncio.run(steadily(web.port, [address], {}, rate=_RATE, count=_COUNT))
                asked[f"page {name}: CPU ms"] = 1000 * (pages.cpu_s(web.pid) - used) / _COUNT
                asked[f"page {name}: median ms"] = 1000 * statistics.median(taken)
    return asked


async def _answers(port: int) -> None:
    """Wait until the web process has started."""
    status = None
    while status != HTTPStatus.OK:
        connection = Connection(port)  # while it starts it hangs up after each answer
        status = (await connection.get("/")).status
        connection.close()
        await asyncio.sleep(0.2)


def _addresses(store: Store) -> dict[str, str]:
    """Choose pages: of the pool's best bot, of the largest tournament that is over, of the largest that runs."""
    best = public_ratings.table(store, GAME).rows[0].bot
    with store.read() as session:
        largest = (
            select(Tournament.id).where(Tournament.game == GAME).order_by(Tournament.matches_done.desc())
        )
        over = session.scalar(largest.where(Tournament.state == "finished", Tournament.ladder_id.is_(None)))
        runs = session.scalar(largest.where(Tournament.state == "running", Tournament.ladder_id.is_(None)))
    return {
        "start": "/",
        "leaderboard": f"/games/{GAME}",
        "bot": f"/bots/{GAME}/{best}",
        "tournament that is over": f"/tournaments/{over}",
        "tournament that runs": f"/tournaments/{runs}",
        "tournaments": "/tournaments",
        "a match of it": f"/tournaments/{over}/sets/0/matches/0",
    }


def _names(store: Store, count: int) -> tuple[str, ...]:
    """Name the first bots of the game."""
    return tuple(row.bot for row in bots.listing(store, GAME) if row.state == bots.ACTIVE)[:count]


def _open(store: Store, names: tuple[str, ...], name: str) -> int:
    """Open a round-robin."""
    given = {"sets_each": 2} if len(names) > ENTRIES else {}
    spec = TournamentSpec(GAME, names, given=given, secret=bytes(32), name=name)
    return creation.create(store, spec)


def _arrivals(store: Store, number: int, matches: int) -> list[Arrival]:
    """Play the first matches of a tournament."""
    stored, draw = plans.find(store, number), random.Random(1)
    planned = (match for at in range(stored.plan.sets_total) for match in stored.plan.set(at))
    return [
        Arrival(each.set, each.match, each.attempt, to_json(crowd.play(stored, each, draw)))
        for each, _ in zip(planned, range(matches), strict=False)
    ]


def _reconcile(store: Store) -> None:
    """Look for what is to be done, as the reconciler does each second, and every ten seconds for ratings."""
    blocks.reconcile(store)
    stages.due(store)
    public_ratings.pools(store)
    suspensions.lift(store)


def _go_on(store: Store) -> None:
    """Store results of a set of a tournament that counts for the pool."""
    with store.read() as session:
        mine = Tournament.game == GAME, Tournament.state == "running", Tournament.name != "opened"
        number = session.scalar(select(func.max(Tournament.id)).where(*mine))
    assert number is not None
    crowd.go_on(store, number)


class _Meter:
    """Counts CPU seconds: of this process, and of the server's processes that serve it on a store."""

    def __init__(self, store: Store) -> None:
        self._servers: list[int] = []
        if store.dialect == "postgresql":
            mine = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
            with store.read() as session:
                self._servers = list(session.scalars(text(mine)))

    def read(self) -> float:
        """Return the seconds so far."""
        return time.process_time() + sum(map(_ran_s, self._servers))

    def ms(self, work: Callable[[], object]) -> float:
        """Return the milliseconds that some work takes."""
        used = self.read()
        work()
        return 1000 * (self.read() - used)


def _ran_s(pid: int) -> float:
    """Return the CPU seconds of a process, to the nanosecond (sched-stats.rst of the kernel)."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def _say(words: str) -> None:
    print(f"growth: {words}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
