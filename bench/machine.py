"""The machine at the time of a measurement: how fast it runs a plain loop and a bare echo, and how busy it is.

A machine can be three times slower an hour later, in Python more than in C.  So each table says what a plain loop and a
bare echo took, before and after, and how busy the machine was when the run began.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from arena.core import compiled_modules
from bench import echo

ROUNDS = 60_000_000
MAX_LOAD = 0.5
"""The load average of the last minute above which a run cannot be compared with others."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Speed of the machine at a moment."""

    load: float
    """The load average of the last minute."""
    loop_s: float
    """A plain Python loop of sixty million additions, the better of two."""
    echo_per_s: float
    """Round trips of the bare echo, one in flight."""

    def __str__(self) -> str:
        modules = "compiled" if compiled_modules.are_in_use() else "plain Python"
        return f"load {self.load:.2f}, loop {self.loop_s:.2f} s, echo {self.echo_per_s:,.0f}/s, modules: {modules}"


def look() -> Machine:
    """Measure the machine; the load is read first, since the rest adds to it."""
    load = os.getloadavg()[0]
    return Machine(load, min(loop_s() for _ in range(2)), echo.trips_per_s(tuned=False))


def loop_s(clock: Callable[[], float] = time.perf_counter) -> float:
    """Run the plain loop once and return its seconds, by a clock."""
    began = clock()
    total = 0
    for number in range(ROUNDS):
        total += number
    return clock() - began


def in_loops(
    work: Callable[[], object], runs: int, before: Iterator[None] | None = None
) -> tuple[float, float]:
    """Return the CPU time of some work as a part of the plain loop's, the best of runs in alternation; and its seconds.

    `before` goes one step on each time before the work, which is not measured.
    """
    loops, works = [], []
    for _ in range(runs):
        next(before or iter(()), None)
        loops.append(loop_s(time.process_time))
        works.append(_cpu_s(work))
    fastest_s, work_s = min(loops), min(works)
    return work_s / fastest_s, work_s


def _cpu_s(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
