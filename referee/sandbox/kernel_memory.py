"""Memory that the kernel holds for sandboxes beyond what can be counted for each: bounded by its sum.

The kernel counts much of its own memory for no process: watches of epoll, structures of mappings, what a future call takes.
Its sum is in /proc/meminfo.  As only a system call can take such memory, each growth is split among the sandboxes by the
system time that they and the rest of the machine used meanwhile; a sandbox that used none is never suspected.
Source: proc_meminfo(5), proc_stat(5).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_HELD = ("SUnreclaim", "VmallocUsed", "Percpu")
_TASK_BYTES = 128 << 10
"""Memory that the kernel holds for a process or thread, stacks included; some 20 KiB for a thread, up to 200 for a process."""
_SUSPECT_DIVISOR = 32
"""A sandbox is a suspect if it may have taken this part of the limit."""
_SCARCE_BYTES = 512 << 20
_KIB = 1024


@dataclass(frozen=True, slots=True)
class Held:
    """Memory that the kernel holds, in bytes, and for how many processes and threads."""

    bytes: int
    tasks: int

    def growth_since(self, base: Held) -> int:
        """Return by how much more it holds than before, less what more processes and threads need."""
        return self.bytes - base.bytes - _TASK_BYTES * max(0, self.tasks - base.tasks)


class KernelMemory:
    """The growth of the kernel's memory since there was no sandbox, and which may have caused it.  Mutable."""

    def __init__(self, limit: int, base: Held, system_s: Callable[[], float], root: Path = Path("/")) -> None:
        """`limit` is in bytes; `base` is what was held before; `system_s` returns the system time of the whole machine."""
        self._limit = limit
        self._system_s = system_s
        self._root = root
        self._base = base
        """The least since there was no sandbox."""
        self.growth = 0
        """By how many bytes the memory had grown when it was last attributed."""
        self._sampled: tuple[float, Mapping[int, float]] = (system_s(), {})
        self._taken: dict[int, float] = {}
        """Sandbox → bytes that it may have taken."""

    def is_exceeded(self, *, has_sandboxes: bool) -> bool:
        """Measure the memory; return whether it has grown by more than the limit."""
        now = held(self._root)
        if not has_sandboxes or now.bytes < self._base.bytes:
            self._base = now
        return now.growth_since(self._base) > self._limit

    def attribute(self, used_s: Mapping[int, float]) -> None:
        """Split what the memory has grown by since the last time; `used_s` is the system time of each sandbox."""
        (system_before, used_before), self._sampled = self._sampled, (self._system_s(), used_s)
        before, self.growth = self.growth, max(0, held(self._root).growth_since(self._base))
        spent = {root: max(0.0, seconds - used_before.get(root, 0.0)) for root, seconds in used_s.items()}
        all_spent = max(self._sampled[0] - system_before, sum(spent.values()))
        taken = {root: self._taken.get(root, 0.0) for root in used_s}
        if self.growth > before and all_spent:
            grown = self.growth - before
            self._taken = {root: taken[root] + grown * spent[root] / all_spent for root in used_s}
        else:
            self._taken = {root: taken[root] * self.growth / max(before, 1) for root in used_s}

    def suspects(self, sandboxes: Sequence[int]) -> list[int]:
        """Return the sandboxes that explain the growth, the most likely first, and the newest of those that are equally likely.

        `sandboxes` are in the order of their starts.  Where none is a suspect, the growth is the machine's own: it counts
        from here on, unless the machine has hardly any memory left: then the newest sandbox goes.
        """
        found: list[int] = []
        unexplained = self.growth - self._limit / 2
        for root in reversed(sorted(sandboxes, key=lambda root: self._taken.get(root, 0.0))):  # noqa: C413 - of equals the last
            taken = self._taken.get(root, 0.0)
            if unexplained > 0 and taken >= self._limit / _SUSPECT_DIVISOR:
                found.append(root)
                unexplained -= taken
        if not found and self._available() < _SCARCE_BYTES:
            return list(sandboxes[-1:])
        if not found:
            self._base = held(self._root)
        return found

    def _available(self) -> int:
        return _memory(self._root).get("MemAvailable", _SCARCE_BYTES)


def held(root: Path = Path("/")) -> Held:
    """Return what the kernel holds now; nothing where that cannot be read."""
    with suppress(OSError, IndexError, ValueError):
        tasks = (root / "proc/loadavg").read_text().split()[3].rpartition("/")[2]
        memory = _memory(root)
        return Held(sum(memory.get(name, 0) for name in _HELD), int(tasks))
    return Held(0, 0)


def _memory(root: Path) -> dict[str, int]:
    lines = (root / "proc/meminfo").read_text().splitlines()
    return {name: int(value.split()[0]) * _KIB for name, _, value in (line.partition(":") for line in lines)}


def machine_system_s() -> float:
    """Return the system time that the machine has used since its start."""
    with Path("/proc/stat").open(encoding="ascii") as file:
        return int(file.readline().split()[3]) / os.sysconf("SC_CLK_TCK")
