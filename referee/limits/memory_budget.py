"""How much memory hosted bots may have together, from what the machine has when the referee starts.

A stranger's program is counted with all that its sandbox lets it use, so what is started fits even if every one of them
takes its limit at once.  House bots are our own and known to be small: counted with their limit too, a laptop would play
two matches at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from referee.sandbox.resource_bounds import MIB, Bounds

_HOUSE_BYTES = 128 * MIB
"""What a house bot is counted with; those that search were measured to use 18 to 23 MiB, and page tables beside."""
_RESERVE_BYTES = 512 * MIB
_RESERVE_SHARE = 8
"""An eighth of what is available, and 512 MiB, are left to the other parts, most of which start after the referee."""
_UNLIMITED = 1 << 60
_MAX_SEATS = 6


@dataclass(frozen=True, slots=True)
class Budget:
    """Memory of all hosted processes together."""

    total_bytes: int = _UNLIMITED
    sandbox_bytes: int = 0
    """What a sandbox may use at most."""

    def charge(self, program: str) -> int:
        """Return how much a process of a program is counted with."""
        return min(_HOUSE_BYTES, self.sandbox_bytes) if program.startswith("house:") else self.sandbox_bytes

    def __str__(self) -> str:
        """Return how many processes it is enough for."""
        strangers = self.total_bytes // self.sandbox_bytes
        house = self.total_bytes // self.charge("house:")
        text = (
            f"{self.total_bytes // MIB} MiB of memory for hosted bots: {strangers} at {self.sandbox_bytes // MIB} MiB each,"
            f" or {house} house bots"
        )
        if strangers < _MAX_SEATS:
            fitting = self.total_bytes // _MAX_SEATS // MIB
            text += (
                f"; a match of {_MAX_SEATS} does not fit at their limit, so it is played while no other is;"
                f" with at most {fitting} MiB for each it would fit"
            )
        return text


def budget(bounds: Bounds, total_mib: int | None, *, root: Path = Path("/")) -> Budget:
    """Return the budget that was asked for, else one from the memory that is available now."""
    total = _of_machine(root) if total_mib is None else total_mib * MIB
    return Budget(total, bounds.memory_bytes + bounds.tmp_bytes)


def _of_machine(root: Path) -> int:
    available = min(_available(root), _left_of_cgroups(root))
    return max(0, available - _RESERVE_BYTES - available // _RESERVE_SHARE)


def _available(root: Path) -> int:
    """Return what the kernel estimates that programs can take without swapping (proc(5), MemAvailable)."""
    for line in (root / "proc/meminfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) * 1024
    return _UNLIMITED


def _left_of_cgroups(root: Path) -> int:
    """Return what the control groups that this process is in leave it, whichever version has the memory controller."""
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
            left = min(left, _left(root / mount / each, limit, usage))
    return left


def _left(folder: Path, limit: str, usage: str) -> int:
    """Return what one group may still take; files that it only has in the cache do not count as taken."""
    try:
        allowed = int((folder / limit).read_text())
        used = int((folder / usage).read_text())
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):  # there is none, or it says `max`
        return _UNLIMITED
    cached = int(stat.get("total_inactive_file", stat.get("inactive_file", 0)))
    return max(0, allowed - used + cached)
