"""Scheduling delay: the time in which a bot was ready to run and had no core, which is not charged to it.

When the time of a decision has run out, the delays of the bot's process and of the referee's since it was asked are
credited to it, and it is checked again once that time has passed, too.  A bot cannot fake such delays: its own CPU time
is subtracted, and the total credit is capped.  The steal time of a virtual machine counts as delay, too.

The kernel measures both.  Sources: Linux, Documentation/scheduler/sched-stats.rst: the three numbers of
/proc/<pid>/task/<tid>/schedstat are nanoseconds on a core, nanoseconds waiting for one, and the number of timeslices.
proc(5): the eighth number of the first line of /proc/stat is the steal time of all cores, in ticks.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_MAX_PROCESSES = 256
"""Processes of one bot that are measured; no honest bot has more."""

_MAX_SAMPLES = 64
_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
_STEAL_FIELD = 8

_log = logging.getLogger(__name__)


class CpuTime(NamedTuple):
    """The time that the threads of some processes have spent so far, added up, in milliseconds."""

    running_ms: float
    waiting_ms: float

    def since(self, before: CpuTime) -> CpuTime:
        """Return the difference to an earlier measurement; never negative."""
        return CpuTime(
            max(0.0, self.running_ms - before.running_ms), max(0.0, self.waiting_ms - before.waiting_ms)
        )


def tree_cpu_time(root: int) -> CpuTime:
    """Return the CPU time of a process and all its descendants; zero if it is gone or the kernel does not tell."""
    running = waiting = 0.0
    due, seen = [root], 0
    while due and seen < _MAX_PROCESSES:
        pid, seen = due.pop(), seen + 1
        own = process_cpu_time(pid)
        running, waiting = running + own.running_ms, waiting + own.waiting_ms
        with suppress(OSError, ValueError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                due += map(int, (task / "children").read_text().split())
    return CpuTime(running, waiting)


def process_cpu_time(pid: int) -> CpuTime:
    """Return the CPU time of one process, all threads added up."""
    running = waiting = 0
    with suppress(OSError, ValueError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            on_core, off_core, _ = (task / "schedstat").read_text().split()
            running += int(on_core)
            waiting += int(off_core)
    return CpuTime(running / 1e6, waiting / 1e6)


def steal_time_ms() -> float:
    """Return the steal time of this virtual machine so far, over all cores; 0 if the kernel does not tell."""
    with suppress(OSError, ValueError, IndexError):
        first = Path("/proc/stat").read_text().partition("\n")[0]
        return int(first.split()[_STEAL_FIELD]) * _TICK_MS
    return 0.0


class _Sample(NamedTuple):
    at_ms: float
    bot: CpuTime
    own: CpuTime
    steal_ms: float


class SchedulingDelayMeter:
    """Samples of the CPU time of a bot's process and of the referee's own.  Mutable; times are those of the referee's clock."""

    def __init__(self, root: int, at_ms: float) -> None:
        self._root = root
        self._samples = deque([self._measure(at_ms)], maxlen=_MAX_SAMPLES)

    def sample(self, at_ms: float) -> None:
        """Take a sample, so that earlier delays are not counted for later decisions."""
        self._samples.append(self._measure(at_ms))

    def delay_ms(self, since_ms: float, at_ms: float) -> float:
        """Return how much of the time from `since_ms` to `at_ms` was scheduling delay, at most all of it."""
        before = self._samples[0]
        for sample in self._samples:
            if sample.at_ms <= since_ms:
                before = sample
        now = self._measure(at_ms)
        self._samples.append(now)
        bot, own = now.bot.since(before.bot), now.own.since(before.own)
        steal = now.steal_ms - before.steal_ms
        idle_ms = now.at_ms - before.at_ms - bot.running_ms
        delay_ms = max(0.0, min(at_ms - since_ms, bot.waiting_ms + own.waiting_ms + steal, idle_ms))
        _log.info(
            "scheduling delay: in %.0f ms the bot ran for %.0f and waited for a core for %.0f, the referee waited for %.0f, steal time %.0f: credit %.0f",
            now.at_ms - before.at_ms,
            bot.running_ms,
            bot.waiting_ms,
            own.waiting_ms,
            steal,
            delay_ms,
        )
        return delay_ms

    def _measure(self, at_ms: float) -> _Sample:
        return _Sample(at_ms, tree_cpu_time(self._root), process_cpu_time(os.getpid()), steal_time_ms())
