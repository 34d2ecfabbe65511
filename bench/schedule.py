"""Schedules: how soon they are made, and how even they are.

The spread is the difference between the pairs that meet most and least; bots and seats are checked to be equal in every case.
"""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations

import numpy as np
from rich.console import Console
from rich.table import Table

from arena.games.chance import Stream
from arena.scheduling.formats.ladder import LadderStanding, pairings
from arena.scheduling.match_sets import rotated
from arena.scheduling.table_designs import TableDesign, evenly, meetings
from bench import swiss
from bench.figures import Figure

ENTRIES, SEATS, MATCHES = 1_000, 4, 40
LIMIT_S = 1.0
GRID = (8, 9, 12, 17, 24, 35, 50, 71, 100, 142, 200)
GRID_SEATS = (3, 4, 5, 6)
MAX_SPREAD = 2
LADDER_TABLES = 250
WHOLE = "whole"
LENGTHS = (WHOLE, "10 each", "20 each")


def measure() -> list[Figure]:
    """Measure the large case, then the grid."""
    began = time.perf_counter()
    large = TableDesign(ENTRIES, SEATS, per_bot=MATCHES // SEATS)
    tables = _all(large)
    seconds = time.perf_counter() - began
    note = f"{len(tables):,} sets, spread {_spread(large)}"
    name = f"schedule for {ENTRIES:,} bots, {SEATS} seats, {MATCHES} matches each"
    figures = [Figure(name, seconds, "s", LIMIT_S, at_least=False, note=note)]
    figures += [_ladder(seats) for seats in (2, SEATS)]
    spreads, slowest = _grid()
    for length in LENGTHS:
        found = [spread for (_, _, each), spread in spreads.items() if each == length]
        even = sum(spread <= 1 for spread in found)
        note = (
            f"{even} of {len(found)} within 1; N {GRID[0]} … {GRID[-1]}, k {GRID_SEATS[0]} … {GRID_SEATS[-1]}"
        )
        name = f"spread of pair meetings, {length}, the largest"
        figures.append(Figure(name, max(found), "meetings", MAX_SPREAD, at_least=False, note=note))
    figures.append(Figure("the slowest of these schedules", slowest, "s"))
    return figures + swiss.measure()


def _ladder(seats: int) -> Figure:
    """Draw one round of a ladder, of entries with ratings and variances as they come."""
    random = np.random.default_rng(1)
    known = LadderStanding(random.normal(0.0, 1.0, ENTRIES), random.uniform(0.01, 1.0, ENTRIES))
    began = time.perf_counter()
    pairings(known, seats, LADDER_TABLES, Stream(bytes(32)))
    seconds = time.perf_counter() - began
    name = f"ladder of {ENTRIES:,} at {seats} seats, a round of {LADDER_TABLES} tables"
    return Figure(name, seconds, "s", LIMIT_S, at_least=False)


def _grid() -> tuple[dict[tuple[int, int, str], int], float]:
    """Make the schedules of the grid and print their spreads; gives these, and the most seconds that one took."""
    spreads: dict[tuple[int, int, str], int] = {}
    slowest = 0.0
    shown = Table(title="Spread of pair meetings")
    shown.add_column("N", justify="right")
    for seats in GRID_SEATS:
        for length in LENGTHS:
            shown.add_column(f"k = {seats}\n{length}", justify="right")
    for entries in GRID:
        for seats in GRID_SEATS:
            for length in LENGTHS:
                per_bot = None if length == WHOLE else evenly(entries, seats, int(length.split()[0]))
                began = time.perf_counter()
                schedule = TableDesign(entries, seats, per_bot=per_bot)
                tables = _all(schedule)
                slowest = max(slowest, time.perf_counter() - began)
                _check_equal(tables)
                spreads[entries, seats, length] = _spread(schedule)
        shown.add_row(str(entries), *(str(spread) for (n, _, _), spread in spreads.items() if n == entries))
    Console(width=150, stderr=True).print(shown)
    return spreads, slowest


def _all(schedule: TableDesign) -> list[tuple[int, ...]]:
    return [schedule[number] for number in range(len(schedule))]


def _check_equal(tables: list[tuple[int, ...]]) -> None:
    """Check that every bot sits in every seat equally often."""
    sat: Counter[tuple[int, int]] = Counter()
    for table in tables:
        for match in range(len(table)):
            sat.update(enumerate(rotated(table, match)))
    assert len(set(sat.values())) == 1, "some bot sits in some seat more often than others"


def _spread(schedule: TableDesign) -> int:
    met = meetings(_all(schedule))
    counts = [met.get(pair, 0) for pair in combinations(range(schedule.entries), 2)]
    return max(counts) - min(counts)
