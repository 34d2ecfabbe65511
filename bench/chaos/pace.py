"""Pace of this machine: a plain Python loop, timed once a second, while the arena plays.

Limits in seconds hold on a machine that plays tournaments and does nothing else.  Where the loop takes longer than it takes there, as on a
slower or a busy machine, limits grow in proportion; and every time is also given in loops, which compare between machines.
"""

from __future__ import annotations

import statistics
import threading
import time

QUIET_S = 0.035
"""Seconds of the loop on two cores of which an arena has most."""
_ROUNDS = 200_000
_EVERY_S = 1.0


class Pace:
    """Times the loop until it is closed."""

    def __init__(self) -> None:
        self._loops: list[tuple[float, float]] = [(time.monotonic(), _time())]
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._measure_on, daemon=True)
        self._thread.start()

    def loop_s(self, begin: float, end: float) -> float:
        """Return what the loop took in a span of time, or at the last time before it ended."""
        within = [took for at, took in self._loops if begin <= at <= end]
        before = [took for at, took in self._loops if at <= end]
        return statistics.median(within or before[-1:] or [took for _, took in self._loops[:1]])

    def slowness(self, begin: float, end: float) -> float:
        """Return how many times longer than on a quiet machine anything takes here; at least 1."""
        return max(1.0, self.loop_s(begin, end) / QUIET_S)

    def close(self) -> None:
        """End."""
        self._closing.set()
        self._thread.join()

    def _measure_on(self) -> None:
        while not self._closing.wait(_EVERY_S):
            self._loops.append((time.monotonic(), _time()))


def _time() -> float:
    began, total = time.perf_counter(), 0
    for number in range(_ROUNDS):
        total += number & 7
    return time.perf_counter() - began
