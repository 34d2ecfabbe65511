"""The processes of hosted bots, as /proc shows them: a bot in a sandbox has several."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")


def families() -> dict[int, list[int]]:
    """Return the processes of each house bot of this machine, by the outermost of them."""
    parents = dict(filter(None, map(_bot, _PROC.glob("[0-9]*"))))
    found: defaultdict[int, list[int]] = defaultdict(list)
    for pid in parents:
        outermost = pid
        while parents[outermost] in parents:
            outermost = parents[outermost]
        found[outermost].append(pid)
    return found


def own_mb(pids: list[int]) -> float:
    """Return the memory of processes: the proportional share (Pss) of all of them together."""
    return sum(map(_own_mb, pids))


def cpu_s(pids: list[int]) -> float:
    """Return the CPU seconds that processes have used, to the nanosecond: that of all threads that are still there."""
    used_ns = 0
    for pid in pids:
        for thread in (_PROC / str(pid) / "task").glob("*/schedstat"):
            with suppress(OSError):
                used_ns += int(thread.read_text().split()[0])
    return used_ns / 1e9


def _bot(folder: Path) -> tuple[int, int] | None:
    """Return the number of a process and its parent's, if it is a house bot's."""
    try:
        if not (folder / "cmdline").read_bytes().startswith(b"house:"):
            return None
        return int(folder.name), int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def _own_mb(pid: int) -> float:
    rollup = (_PROC / str(pid) / "smaps_rollup").read_text()
    (line,) = [each for each in rollup.splitlines() if each.startswith("Pss:")]
    return int(line.split()[1]) * 1024 / 1e6
