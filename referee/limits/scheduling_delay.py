"""Excuses: time in which a bot was ready to run and got no core, which is not charged to it.

A seat whose time is up is looked at before it is charged.  What its process, and the referee's, have since waited for a core
is added to its time, and then it is looked at again: where the machine is busy it is given the time that the machine took.  A bot
cannot make up such waits: what its own threads had of the cores is taken off, and the whole is bounded.  On a virtual
machine the host may take the cores away from everybody: that counts as waiting, too.

The kernel counts both.  Source: Linux, Documentation/scheduler/
sched-stats.rst: the three numbers of /proc/<pid>/task/<tid>/schedstat are nanoseconds on a core, nanoseconds waiting for one, and
the number of times that it got one.  And proc(5): the eighth number of the first line of /proc/stat is the time that the host
took, over all cores, in ticks.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_MAX_PROCESSES = 256
"""More are not looked at: only who wants to be a bother has so many."""

_SAMPLES = 64
_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
_STOLEN = 8

_log = logging.getLogger(__name__)


class CpuTime(NamedTuple):
    """What the threads of some processes have spent so far, added up, in milliseconds."""

    running_ms: float
    waiting_ms: float

    def since(self, before: CpuTime) -> CpuTime:
        """Return what came after."""
        return CpuTime(
            max(0.0, self.running_ms - before.running_ms), max(0.0, self.waiting_ms - before.waiting_ms)
        )


def spent(root: int) -> CpuTime:
    """Add up a process with all that descend from it; nothing where the kernel does not say, or it is gone."""
    running = waiting = 0.0
    due, seen = [root], 0
    while due and seen < _MAX_PROCESSES:
        pid, seen = due.pop(), seen + 1
        alone = spent_alone(pid)
        running, waiting = running + alone.running_ms, waiting + alone.waiting_ms
        with suppress(OSError, ValueError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                due += map(int, (task / "children").read_text().split())
    return CpuTime(running, waiting)


def spent_alone(pid: int) -> CpuTime:
    """Add up the threads of one process."""
    running = waiting = 0
    with suppress(OSError, ValueError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            on_core, off_core, _ = (task / "schedstat").read_text().split()
            running += int(on_core)
            waiting += int(off_core)
    return CpuTime(running / 1e6, waiting / 1e6)


def stolen_ms() -> float:
    """Return what the host of this machine has taken from all its cores so far; nothing where the kernel does not say."""
    with suppress(OSError, ValueError, IndexError):
        first = Path("/proc/stat").read_text().partition("\n")[0]
        return int(first.split()[_STOLEN]) * _TICK_MS
    return 0.0


class _Sample(NamedTuple):
    at_ms: float
    bot: CpuTime
    own: CpuTime
    stolen_ms: float


class SchedulingDelayMeter:
    """What one bot's process, and the referee's own, had spent at some moments.  Mutable; times are the referee's."""

    def __init__(self, root: int, at_ms: float) -> None:
        self._root = root
        self._samples = deque([self._look(at_ms)], maxlen=_SAMPLES)

    def note(self, at_ms: float) -> None:
        """Look now, so that waits before are not mistaken for later ones."""
        self._samples.append(self._look(at_ms))

    def excuse_ms(self, since_ms: float, at_ms: float) -> float:
        """Return how much of the time since then the machine took, at most all of it."""
        before = self._samples[0]
        for sample in self._samples:
            if sample.at_ms <= since_ms:
                before = sample
        now = self._look(at_ms)
        self._samples.append(now)
        bot, own = now.bot.since(before.bot), now.own.since(before.own)
        stolen = now.stolen_ms - before.stolen_ms
        idle_ms = now.at_ms - before.at_ms - bot.running_ms
        excuse_ms = max(0.0, min(at_ms - since_ms, bot.waiting_ms + own.waiting_ms + stolen, idle_ms))
        _log.info(
            "time is up: in %.0f ms it ran %.0f and waited %.0f for a core, the referee %.0f, the host took %.0f: %.0f more",
            now.at_ms - before.at_ms,
            bot.running_ms,
            bot.waiting_ms,
            own.waiting_ms,
            stolen,
            excuse_ms,
        )
        return excuse_ms

    def _look(self, at_ms: float) -> _Sample:
        return _Sample(at_ms, spent(self._root), spent_alone(os.getpid()), stolen_ms())
