"""Matches in bulk on all cores compared with one core's rate: the cost of starting processes and writing the file.

Both write the same data set; the second run has as many times the matches as there are cores.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.rl import selfplay
from arena.rl.decision_rows import DecisionFile
from bench.figures import Figure

LEAST_SHARE = 0.8
MATCHES = 2000
"""A core's part."""


def measure() -> list[Figure]:
    """Measure one game whose bots are quick, so that everything else shows."""
    cores = os.cpu_count() or 1
    one = matches_per_second(1, MATCHES)
    all_cores = matches_per_second(cores, MATCHES * cores)
    return [
        Figure("selfplay on one core", round(one, 1), "matches/s"),
        Figure(
            f"selfplay on {cores} cores",
            round(all_cores / one / cores, 3),
            "× cores × one core's rate",
            LEAST_SHARE,
            note=f"{all_cores:,.1f} matches/s",
        ),
    ]


def matches_per_second(jobs: int, matches: int) -> float:
    """Play and write that many matches; return how many in a second of wall time."""
    plan = selfplay.Selfplay("land_unter", ("greedy", "hoarder", "random"), bytes(32), matches)
    with TemporaryDirectory() as folder:
        started = time.monotonic()
        with DecisionFile(Path(folder) / "shard.parquet", plan.game, {}) as file:
            selfplay.write(plan, file, jobs, lambda _: None)
        return matches / (time.monotonic() - started)
