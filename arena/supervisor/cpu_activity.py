"""Whether a process does something: what the kernel says that it ran, or waited to run.

Sources: Linux, Documentation/scheduler/sched-stats.rst, /proc/<pid>/task/<tid>/schedstat: nanoseconds on a core, and
nanoseconds ready to run without one; proc(5), /proc/<pid>/stat: the state, `D` while it waits for a disk.
"""

from __future__ import annotations

from pathlib import Path

_MIN_SHARE = 0.02
"""A process that ran, or was ready to run, for less of the time did nothing: threads that wake up to wait again use as much."""


class Activity:
    """Activity of one process since it was last looked at.  Mutable."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before_ns = _spent_ns(pid)

    def look(self, elapsed_s: float) -> bool:
        """Return whether it did something in the time since the last look.

        Waiting for a core counts: then it is the machine that is busy.  So does waiting for a disk.
        """
        spent = _spent_ns(self._pid)
        since, self._before_ns = spent - self._before_ns, spent
        return since >= _MIN_SHARE * elapsed_s * 1e9 or _state(self._pid) == "D"


def _spent_ns(pid: int) -> int:
    total = 0
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            on_core, waiting, _ = (task / "schedstat").read_text().split()
            total += int(on_core) + int(waiting)
    except (OSError, ValueError):
        return total  # it is ending
    return total


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return ""
