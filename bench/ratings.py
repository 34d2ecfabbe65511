"""Ratings: the fit, its error bars, and a table that is fresh after a block of results; compared with other programs on the same matches.

Times are the best of a few runs, since other programs share the machine; the processor's time of that run is shown with it.  A figure with a
limit is measured in turn with the plain loop of `bench.machine`, as a part of its CPU time: so a slow hour counts for both.  Others are
given their own form of the matches before the clock runs, as ours is given pair totals.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import choix
import evalica
import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce
from sqlalchemy import update

from arena.bot_registry import bots
from arena.competition import plans, pools
from arena.competition.matches import running_totals
from arena.competition.matches.outcomes import Outcome
from arena.competition.plans import StoredPlan
from arena.rankings import public_ratings
from arena.ratings.error_bars import covariance
from arena.ratings.fit import solve
from arena.ratings.rating_data import Inputs, gather
from arena.ratings.totals import UNITS_PER_POINT
from arena.scheduling.formats.ladder import LadderFormat
from arena.scheduling.match_sets import PlannedMatch
from arena.storage import Store, upgrade
from arena.storage.schema import Bot, Entry, Tournament, Version
from bench import machine
from bench.figures import Figure

RUNS = 5
SPREAD = 1.0
"""Standard deviation of the true strengths, in units of e: 174 Elo."""
LARGE = (10_000, 1_000_000)
SMALL = (1_000, 100_000)
"""Bots, and matches among them."""
MAX_FIT, MAX_ERROR_BARS, MAX_TABLE = 0.35, 0.2, 0.25
"""Parts of the plain loop's time: a fit of the large, error bars of the small, a table of the small after a block."""
BLOCK = 40
"""Matches of a block."""
SAMPLE = 2_000
"""Matches after which openskill's time is counted up to all."""
TOURNAMENT: dict[str, Any] = {
    "name": "Ladder",
    "format": LadderFormat.name,
    "rules": {},
    "game": "lost_cities",
    "variant": "standard",
    "seats": 2,
    "options": {"hands": 3},
    "base_ms": 30_000,
    "increment_ms": 100,
    "cap_ms": 10_000,
    "talk_ms": 1_000,
    "cycles": 1,
    "trusted": True,
    **dict.fromkeys(("secret", "commitment", "inputs"), bytes(32)),
    "state": "running",
    "revision": 0,
    "priority": 10,
    "served": 0.0,
    "matches_total": 0,
    "matches_done": 0,
    "created_at": 0.0,
}
VERSION: dict[str, Any] = {
    "version": "1",
    "source": bots.HOSTED,
    "program": "house:lost_cities/random",
    "talks": False,
    "state": bots.ACTIVE,
    "qualified": True,
    "created_at": 0.0,
}


@dataclass(frozen=True)
class Played:
    """Two-seat matches, as columns: who met, `low` < `high`, and whether `low` won."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    won: NDArray[np.bool_]

    def __len__(self) -> int:
        """Count the matches."""
        return len(self.low)

    def part(self, first: int, end: int, step: int = 1) -> Played:
        """Take some of the matches."""
        which = slice(first, end, step)
        return Played(self.low[which], self.high[which], self.won[which])


def measure() -> list[Figure]:
    """Measure fits, error bars, and a table from the store."""
    return [*_fits(), *_others(), *_error_bars(), *_tables()]


def _fits() -> Iterator[Figure]:
    for (count, matches), most in ((LARGE, MAX_FIT), (SMALL, None)):
        name = f"fit of {matches:,} two-seat matches among {count:,} bots"
        played = _play(count, matches)
        totals = _inputs(count, played).totals
        yield _in_loops(f"{name}, cold", partial(solve, totals), most)
        new = matches // 1000
        before = solve(_inputs(count, played.part(new, matches)).totals)
        start = dict(zip(before.names, np.round(before.elo, 1).tolist(), strict=True))
        yield _best(
            f"{name}, warm",
            partial(solve, totals, start=start),
            f"from the table of {new:,} matches before",
        )


def _others() -> Iterator[Figure]:
    count, matches = SMALL
    played = _play(count, matches)
    name = f"{matches:,} matches among {count:,} bots"
    winners = np.where(played.won, played.low, played.high).tolist()
    losers = np.where(played.won, played.high, played.low).tolist()
    pairs = list(zip(winners, losers, strict=True))
    yield _best(f"{name}: choix, opt_pairwise", lambda: choix.opt_pairwise(count, pairs, alpha=0.01), runs=1)
    wins = [evalica.Winner.X] * matches
    yield _best(
        f"{name}: evalica, bradley_terry", lambda: evalica.bradley_terry(winners, losers, wins), runs=1
    )
    model = PlackettLuce()
    rated = [model.rating() for _ in range(count)]

    def one_by_one() -> None:
        for winner, loser in pairs[:SAMPLE]:
            (rated[winner],), (rated[loser],) = model.rate([[rated[winner]], [rated[loser]]])

    figure = _best(f"{name}: openskill, PlackettLuce", one_by_one, runs=1)
    seconds = round(figure.value * matches / SAMPLE, 1)
    yield Figure(figure.name, seconds, "s", note=f"match by match; counted up from {SAMPLE:,}")


def _error_bars() -> Iterator[Figure]:
    count, matches = SMALL
    inputs = _inputs(count, _play(count, matches))
    solution = solve(inputs.totals)
    name = f"error bars for {count:,} bots, {matches:,} matches"
    yield _in_loops(name, lambda: covariance(solution, inputs.sets), MAX_ERROR_BARS)


def _tables() -> Iterator[Figure]:
    count, matches = SMALL
    played = _play(count, matches + RUNS * BLOCK)
    played.low[1::2], played.high[1::2] = played.low[::2], played.high[::2]  # sets of two
    with _store(count) as (store, stored, pool):
        _add(store, stored, played.part(0, matches), 0)
        yield _best(
            f"the first table of {count:,} bots, from a store with {matches:,} results",
            lambda: public_ratings.refresh(store, pool),
            runs=1,
        )
        yield _in_loops(
            f"the table after a block of {BLOCK} more results",
            lambda: public_ratings.refresh(store, pool),
            MAX_TABLE,
            before=_blocks(store, stored, played),
        )
        yield _best("the same where nothing is new", lambda: public_ratings.refresh(store, pool))


def _blocks(store: Store, stored: StoredPlan, played: Played) -> Iterator[None]:
    """Add a block of results each time."""
    for first in range(SMALL[1], len(played), BLOCK):
        _add(store, stored, played.part(first, first + BLOCK), first)
        yield


def _best(name: str, work: Callable[[], object], note: str = "", runs: int = RUNS) -> Figure:
    times = []
    for _ in range(runs):
        began, cpu = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - began, time.process_time() - cpu))
    wall, cpu = min(times)
    text = f"{cpu:.3f} s of CPU" + (f"; {note}" if note else "")
    return Figure(name, round(wall, 4), "s", note=text)


def _in_loops(
    name: str, work: Callable[[], object], most: float | None, before: Iterator[None] | None = None
) -> Figure:
    """Measure work in turn with the plain loop; `before` goes one step on each time, and is not measured."""
    ratio, seconds = machine.in_loops(work, RUNS, before)
    return Figure(
        name,
        round(ratio, 3),
        "loops",
        most,
        at_least=False,
        note=f"{seconds:.3f} s of CPU, the best of {RUNS}",
    )


def _play(count: int, matches: int) -> Played:
    """Play matches between random bots."""
    chance = np.random.default_rng(1)
    strength = chance.normal(0, SPREAD, count)
    first = chance.integers(0, count, matches)
    second = (first + chance.integers(1, count, matches)) % count
    low, high = np.minimum(first, second), np.maximum(first, second)
    return Played(low, high, chance.random(matches) < 1 / (1 + np.exp(strength[high] - strength[low])))


def _inputs(count: int, played: Played) -> Inputs:
    """Add up matches, each a set of its own."""
    low, high, won = played.low, played.high, played.won
    pairs, at = np.unique(low * count + high, return_inverse=True)
    points = np.bincount(at, won).astype(int), np.bincount(at, ~won).astype(int)
    totals = (pairs // count, pairs % count, *(UNITS_PER_POINT * each for each in points))
    units = UNITS_PER_POINT * won, UNITS_PER_POINT * ~won
    sets = (np.arange(len(low)), low, high, *units, np.ones(len(low), dtype=int))
    rows = (list(zip(*(column.tolist() for column in columns), strict=True)) for columns in (totals, sets))
    return gather({bot: f"bot{bot:05}@1" for bot in range(count)}, *rows)


@contextmanager
def _store(count: int) -> Iterator[tuple[Store, StoredPlan, str]]:
    """Make a store with a ladder of `count` bots, in which nothing has been played."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'arena.db'}"
        upgrade(url)
        store = Store.open(url)
        with store.write() as session:
            pool = pools.ensure(session, "lost_cities", "standard")
            session.add(Tournament(**TOURNAMENT, pool_id=pool.id))
            for number in range(count):
                session.add(Bot(game="lost_cities", name=f"bot{number:05}", house=True, created_at=0.0))
            session.flush()
            for number in range(count):
                session.add(Version(**VERSION, bot_id=number + 1))
            session.flush()
            for number in range(count):
                session.add(Entry(tournament_id=1, number=number, version_id=number + 1))
        yield store, plans.find(store, 1), "lost_cities/standard"
        store.close()


def _add(store: Store, stored: StoredPlan, played: Played, first: int) -> None:
    """Add matches to the sums, as results are, in one transaction; two after each other are a set."""
    rows = zip(played.low.tolist(), played.high.tolist(), played.won.tolist(), strict=True)
    with store.write_fast() as connection:
        matches = (
            (
                PlannedMatch(number // 2, number % 2, 0, f"{number}", bytes(32), (low, high), 0, shared=True),
                Outcome((1, 2) if won else (2, 1), None, "completed"),
            )
            for number, (low, high, won) in enumerate(rows, first)
        )
        running_totals.add(connection, stored, matches)
        connection.execute(update(Tournament).values(matches_done=first + len(played)))
