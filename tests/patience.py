"""How long a test waits: for as long as it makes progress, in the time in which its processes could have run.

A limit says how long something takes on a machine that is free.  On a busy one processes wait for a core: the kernel counts
that (`/proc/PID/task/TID/schedstat`), and it does not count against the limit.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

CEILING_S = 400.0
"""The longest wait, whatever the reason: less than a test may take (`timeout` in pyproject.toml)."""
_MAX_SHARE = 0.95
"""The largest part of a wait that is put down to the machine: it must come to an end."""


class Patience:
    """A limit for one wait, in seconds."""

    def __init__(self, limit_s: float, progress: Callable[[], object] = lambda: None) -> None:
        """Whenever `progress` gives another value, such as a count or the size of a log, the limit begins anew."""
        self._limit_s = limit_s
        self._progress = progress
        self._began = self._since = self._look_at = time.monotonic()
        self._before: dict[tuple[int, int], float] = {}
        self._begin()

    def is_over(self) -> bool:
        """Whether to wait no longer."""
        now = time.monotonic()
        if now < self._look_at:
            return False
        if now - self._began >= max(CEILING_S, self._limit_s):
            return True
        if self._progress() != self._seen:
            self._begin()
            return False
        passed_s = now - self._since
        waited_s = min(waited_for_cores(self._before), _MAX_SHARE * passed_s)
        self._look_at = now + self._limit_s - (passed_s - waited_s)
        return self._look_at <= now

    def _begin(self) -> None:
        self._seen = self._progress()
        self._since = time.monotonic()
        self._look_at = self._since + self._limit_s
        self._before = read_delays()


def patient(limit_s: float) -> float:
    """Give four times a limit where something else keeps the machine busy.

    An arena and its tests alone keep it at most at three runnable processes a core.
    """
    return limit_s if os.getloadavg()[0] <= 3 * (os.cpu_count() or 1) else 4 * limit_s


def wait_until(
    holds: Callable[[], object],
    what: str,
    *,
    within_s: float = 10.0,
    progress: Callable[[], object] = lambda: None,
    every_s: float = 0.05,
) -> float:
    """Wait for a condition, as long as `progress` changes, and on a busy machine more patiently; the seconds it took."""
    began = time.monotonic()
    patience = Patience(within_s, progress)
    while not holds():
        # Once more: on a busy machine much may have happened while this process waited for a core itself.
        assert not patience.is_over() or holds(), f"not within {within_s} s: {what}"
        time.sleep(every_s)
    return time.monotonic() - began


def waited_for_cores(before: dict[tuple[int, int], float]) -> float:
    """Return for how long this process and those below it have waited for a core since a reading, in seconds.

    Of each process that thread counts which has waited longest; processes that follow on each other add up.
    """
    longest: dict[int, float] = {}
    for (pid, thread), delay_s in read_delays().items():
        longest[pid] = max(longest.get(pid, 0.0), delay_s - before.get((pid, thread), 0.0))
    return sum(longest.values())


def read_delays() -> dict[tuple[int, int], float]:
    """Read for how long each thread has waited for a core since it began, by process and thread."""
    found: dict[tuple[int, int], float] = {}
    for pid in _family():
        with suppress(OSError):  # it has ended
            for place in Path(f"/proc/{pid}/task").iterdir():
                with suppress(OSError, IndexError):  # the thread has ended, or this kernel does not count
                    found[pid, int(place.name)] = int((place / "schedstat").read_text().split()[1]) / 1e9
    return found


def _family() -> list[int]:
    """List this process and all below it."""
    below: dict[int, list[int]] = {}
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            try:
                parent = int((place / "stat").read_text().rpartition(") ")[2].split()[1])
            except OSError:
                continue
            below.setdefault(parent, []).append(int(place.name))
    found = [os.getpid()]
    for pid in found:
        found.extend(below.get(pid, ()))
    return found
