"""Capacity of an arena of many machines: added up from the CPU time that each part takes for a match.

    python -m bench.capacity --matches-a-day 1e7 --machines 20 --cores 4

One arena plays a tournament of whole matches of Lost Cities on this machine: that gives the CPU time of each part.  Where all cores are
busy, the rate is cores / (CPU time of a match); the run itself is held against that, as the one point that can be checked here.  Nothing
waits in this model: it says how many cores are needed, not how long a match takes.  Bots that run elsewhere, or that think, cost
their own.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.core.settings import Settings
from arena.reports import tournaments
from arena.storage import Store
from bench import machine
from bench.tournament import cpu_s, running

MATCHES = 400
BOTS = ("greedy", "random")
USABLE = 0.7
"""Average load of the cores at most, so that peaks have room and bots are answered in time."""
_DAY_S = 86_400
_WARM = 40
_WITHIN_S = 1_200.0


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs in a run: CPU milliseconds of each part for a match, and the matches per second."""

    parts: Mapping[str, float]
    rate: float

    @property
    def total(self) -> float:
        """CPU milliseconds of all parts for a match."""
        return sum(self.parts.values())


def main() -> None:
    """Play, print what it takes and what it comes to."""
    parser = argparse.ArgumentParser(prog="bench.capacity", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help="how many to play here")
    parser.add_argument("--matches-a-day", type=float, default=1e7)
    parser.add_argument("--machines", type=int, default=20)
    parser.add_argument("--cores", type=int, default=4, help="of each machine")
    options = parser.parse_args()
    began = machine.look()
    costs = play(options.matches)
    show(costs, options.matches_a_day, options.machines * options.cores)
    cores = len(os.sched_getaffinity(0))
    most = 1000 * cores / costs.total
    print(f"before: {began}; after: {machine.look()}")
    print(
        f"Check: {cores} cores could play {most:.1f} matches/s, were they the arena's alone; the run had {costs.rate:.1f}/s."
    )


def play(matches: int) -> Costs:
    """Play a tournament in an arena of its own, and count from when the first matches are over."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder, running(Path(folder, "data")) as (up, _):
        store = Store.open(Settings(data=Path(folder, "data"), database_url="").database_url)
        spec = TournamentSpec(
            "lost_cities", BOTS, cycles=(matches + _WARM) // 2, secret=bytes(32), name="Capacity"
        )
        number = creation.create(store, spec)
        first = _wait(store, number, _WARM)
        began, used = time.monotonic(), cpu_s(up)
        done = _wait(store, number, matches + _WARM) - first
        seconds = time.monotonic() - began
        spent = {part: 1000 * (late - used.get(part, 0.0)) / done for part, late in cpu_s(up).items()}
        store.close()
    return Costs(spent, done / seconds)


def show(costs: Costs, a_day: float, cores: int) -> None:
    """Print a table: what each part needs."""
    table = Table(title=f"{a_day:,.0f} matches a day: {a_day / _DAY_S:,.1f} a second, on {cores} cores")
    for heading in ("", "CPU ms a match", "matches a CPU second", f"cores needed, {USABLE:.0%} busy"):
        table.add_column(heading, justify="left" if not heading else "right")
    rows = {**dict(sorted(costs.parts.items(), key=lambda part: -part[1])), "together": costs.total}
    for part, ms in rows.items():
        if ms:
            table.add_row(
                part, f"{ms:,.2f}", f"{1000 / ms:,.0f}", f"{ms / 1000 * a_day / _DAY_S / USABLE:,.1f}"
            )
    Console(width=None if sys.stdout.isatty() else 120).print(table)
    most = cores * USABLE * 1000 / costs.total * _DAY_S
    print(f"{cores} cores would be enough for {most:,.0f} matches a day.")


def _wait(store: Store, number: int, matches: int) -> int:
    """Wait until `matches` are over; return how many are."""
    deadline = time.monotonic() + _WITHIN_S
    while (done := _done(store, number)) < matches:
        assert time.monotonic() < deadline, f"only {done} matches within {_WITHIN_S} s"
        time.sleep(0.1)
    return done


def _done(store: Store, number: int) -> int:
    return next(row.matches_done for row in tournaments.listing(store) if row.id == number)


if __name__ == "__main__":
    main()
