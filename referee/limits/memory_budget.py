"""The memory that hosted bots may use together, computed from what the machine has when the referee starts.

An author's program is counted with its sandbox's limit, so all processes fit even if every one of them reaches its limit
at once.  House bots are known to be small: if they were counted with the limit too, a laptop would play two matches at a
time.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from referee.limits.sandbox_bounds import MIB, Bounds

_HOUSE_BYTES = 64 * MIB
"""The estimate for a house bot; those that search were measured to use 18 to 23 MiB and page tables."""
_RESERVE_BYTES = 512 * MIB
_SCARCE_BYTES = _RESERVE_BYTES // 2
_RESERVE_DIVISOR = 8
"""An eighth of the available memory, and 512 MiB, are left to the other programs, most of which start after the referee."""
_UNLIMITED = 1 << 60
_MAX_SEATS = 6


@dataclass(frozen=True, slots=True)
class Budget:
    """The memory of all hosted processes together, in bytes."""

    total_bytes: int = _UNLIMITED
    sandbox_bytes: int = 0
    """The limit of one sandbox."""
    root: Path = Path("/")

    def is_scarce(self) -> bool:
        """Return whether the machine has so little memory left that processes without a match should end."""
        return min(_available_bytes(self.root), _left_in_cgroups(self.root)) < _SCARCE_BYTES

    def charge(self, program: str) -> int:
        """Return how many bytes a process of a program is counted with."""
        return min(_HOUSE_BYTES, self.sandbox_bytes) if program.startswith("house:") else self.sandbox_bytes

    def __str__(self) -> str:
        """Describe the budget, and how many processes fit into it."""
        processes = self.total_bytes // self.sandbox_bytes
        house = self.total_bytes // self.charge("house:")
        text = (
            f"{self.total_bytes // MIB} MiB of memory for hosted bots: {processes} at {self.sandbox_bytes // MIB} MiB each,"
            f" or {house} house bots"
        )
        if processes < _MAX_SEATS:
            fitting = self.total_bytes // _MAX_SEATS // MIB
            text += (
                f"; a match of {_MAX_SEATS} does not fit at their limit, so it is played while no other is;"
                f" with at most {fitting} MiB for each it would fit"
            )
        return text


def memory_budget(bounds: Bounds, total_mib: int | None, *, parts: int = 1, root: Path = Path("/")) -> Budget:
    """Return a budget of one of `parts` equal shares of `total_mib`; if that is None, of the memory that is available now."""
    total = _usable_bytes(root) if total_mib is None else total_mib * MIB
    return Budget(total // parts, bounds.memory_bytes + bounds.tmp_bytes, root)


def _usable_bytes(root: Path) -> int:
    available = min(_available_bytes(root), _left_in_cgroups(root))
    return max(0, available - _RESERVE_BYTES - available // _RESERVE_DIVISOR)


def _available_bytes(root: Path) -> int:
    """Return the kernel's estimate of what can be used without swapping (proc(5), MemAvailable)."""
    for line in (root / "proc/meminfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) * 1024
    return _UNLIMITED


def _left_in_cgroups(root: Path) -> int:
    """Return how many bytes this process's control groups leave it, in either version of cgroups, where that has the memory controller."""
    left = _UNLIMITED
    for line in (root / "proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        mount, limit, usage = (
            ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            if controllers
            else ("sys/fs/cgroup", "memory.max", "memory.current")
        )
        group = Path(path.lstrip("/"))
        for each in (group, *group.parents):
            left = min(left, _left_in_group(root / mount / each, limit, usage))
    return left


def _left_in_group(folder: Path, limit: str, usage: str) -> int:
    """Return how many bytes one group may still use; cached files do not count as used."""
    try:
        allowed = int((folder / limit).read_text())
        used = int((folder / usage).read_text())
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):  # no such file, or `max`
        return _UNLIMITED
    cached = int(stat.get("total_inactive_file", stat.get("inactive_file", 0)))
    return max(0, allowed - used + cached)
