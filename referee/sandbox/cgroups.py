"""A control group (cgroup v2) for each sandbox, where the operator has delegated a subtree to the arena.

    <delegated>/                   systemd's Delegate=yes, or the root of a container's own hierarchy
        arena/                     the existing processes: a group with controllers for its children may have none itself
        sandbox-<pid>-<number>/    one sandbox of the referee with that pid

The kernel then limits each sandbox as a whole, including its kernel memory.  If nothing is delegated, the watchdog counts.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from referee.limits.sandbox_bounds import MIB, Bounds

_CONTROLLERS = ("memory", "pids", "cpu")
_PROCESSES = "arena"
_SANDBOX = "sandbox-"
_MARKS = ("user.delegate", "trusted.delegate")
"""Extended attributes by which systemd marks what it has delegated."""
_HELPERS = 8
"""Processes of bubblewrap, and the shell that it begins as, besides those of the bot."""
_PERIOD_US = 100_000
_BURST = 2
"""The factor beyond its share of the cores it may use within a tenth of a second.

The share itself is averaged over seconds, by the watchdog: a process that the kernel throttles would seem to wait for a core.
"""
_ATTEMPTS = 100


class NotDelegated(Exception):  # noqa: N818 - says what is the case
    """Raised when no control group is delegated to this process; says why."""


class Group:
    """The control group of one sandbox."""

    def __init__(self, folder: Path, memory: int) -> None:
        self.folder = folder
        self._memory = memory

    def enter(self, command: list[str]) -> list[str]:
        """Return a command line that runs another one in this group from its first moment on."""
        return ["/bin/sh", "-c", 'echo 0 >"$0" && exec "$@"', str(self.folder / "cgroup.procs"), *command]

    def add(self, pid: int) -> None:
        """Put a process that has done nothing yet into this group.  Raises OSError."""
        _write(self.folder / "cgroup.procs", pid)

    def exceeded(self) -> str:
        """Return why the kernel ended it; empty if it did not, or if memory ran out elsewhere."""
        kills, own = self._memory_events()
        if kills and own:
            return f"it used more than {self._memory // MIB} MiB of memory, {self._memory // MIB} MiB are allowed"
        return ""

    def was_machine_out_of_memory(self) -> bool:
        """Return whether the kernel ended it for lack of memory, although it never reached its own limit."""
        kills, own = self._memory_events()
        return kills > 0 and not own

    def _memory_events(self) -> tuple[int, int]:
        """Count the processes that the kernel ended for lack of memory, and how often the group's own limit was reached."""
        with suppress(OSError):
            events = dict(line.split() for line in (self.folder / "memory.events").read_text().splitlines())
            return int(events.get("oom_kill", 0)), int(events.get("oom", 0))
        return 0, 0


class Cgroups:
    """The control groups of a referee's sandboxes.  Mutable."""

    def __init__(self, base: Path) -> None:
        """Use a delegated group; see `delegated`.  Raises NotDelegated where the kernel refuses."""
        self.base = base
        self._count = 0
        self._leaving: set[Path] = set()
        try:
            self._take_over()
        except OSError as error:
            raise NotDelegated(f"the control group {base} cannot be used: {error}") from error

    def new(self, bounds: Bounds) -> Group:
        """Make the group of a new sandbox.  Raises OSError."""
        self._remove_left()
        self._count += 1
        folder = self.base / f"{_SANDBOX}{os.getpid()}-{self._count}"
        folder.mkdir()
        memory = bounds.memory_bytes + bounds.tmp_bytes
        quota = round(bounds.cores * _BURST * _PERIOD_US)
        _write(folder / "memory.max", memory)
        with suppress(FileNotFoundError):  # a kernel without swap
            _write(folder / "memory.swap.max", 0)
        _write(folder / "memory.oom.group", 1)
        _write(folder / "pids.max", bounds.processes + _HELPERS)
        _write(folder / "cpu.max", f"{quota} {_PERIOD_US}")
        return Group(folder, bounds.memory_bytes)

    def remove(self, group: Group) -> None:
        """Remove the group of a sandbox that has ended, as soon as its last process is gone."""
        self._leaving.add(group.folder)
        self._remove_left()

    def close(self) -> None:
        """Remove all groups of this referee."""
        self._leaving |= set(self.base.glob(f"{_SANDBOX}{os.getpid()}-*"))
        end = time.monotonic() + 1.0
        while self._remove_left() and time.monotonic() < end:
            time.sleep(0.01)

    def _take_over(self) -> None:
        processes = self.base / _PROCESSES
        processes.mkdir(exist_ok=True)
        for _ in range(_ATTEMPTS):  # they may start others meanwhile
            pids = (self.base / "cgroup.procs").read_text().split()
            if not pids:
                break
            for pid in pids:
                with suppress(ProcessLookupError):
                    _write(processes / "cgroup.procs", pid)
        _write(self.base / "cgroup.subtree_control", " ".join(f"+{name}" for name in _CONTROLLERS))
        alive = set((processes / "cgroup.procs").read_text().split())
        for folder in self.base.glob(f"{_SANDBOX}*"):
            if folder.name.removeprefix(_SANDBOX).partition("-")[0] not in alive:
                self._leaving.add(folder)  # a referee that was killed
        self._remove_left()

    def _remove_left(self) -> bool:
        """Remove groups without processes; return whether any are left."""
        for folder in list(self._leaving):
            with suppress(OSError):
                _write(folder / "cgroup.kill", 1)
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError:  # it takes a moment until all are gone
                continue
            self._leaving.discard(folder)
        return bool(self._leaving)


def delegated(root: Path = Path("/")) -> Path:
    """Find the group that is delegated to this process.  Raises NotDelegated."""
    own = next(
        (line[3:] for line in (root / "proc/self/cgroup").read_text().splitlines() if line.startswith("0::")),
        None,
    )
    mount = _mount(root)
    if own is None or mount is None:
        raise NotDelegated("this machine has no control groups of version 2")
    folder = mount / own.lstrip("/")
    for each in (folder, folder.parent):
        # The root of a container's own hierarchy is a group like any other; that of a machine has no type.
        is_container = (
            each == mount and folder in {mount, mount / _PROCESSES} and (each / "cgroup.type").exists()
        )
        if is_container or _is_marked(each):
            _check(each)
            return each
    raise NotDelegated(f"the control group {own} is not delegated (Delegate=yes in a unit of systemd)")


def _mount(root: Path) -> Path | None:
    for line in (root / "proc/self/mountinfo").read_text().splitlines():
        fields, _, source = line.partition(" - ")
        if source.split()[0] == "cgroup2":
            return root / fields.split()[4].lstrip("/")
    return None


def _is_marked(folder: Path) -> bool:
    for mark in _MARKS:
        with suppress(OSError):
            if os.getxattr(folder, mark) == b"1":
                return True
    return False


def _check(folder: Path) -> None:
    try:
        there = (folder / "cgroup.controllers").read_text().split()
    except OSError as error:
        raise NotDelegated(f"the control group {folder} cannot be read: {error}") from error
    missing = [name for name in _CONTROLLERS if name not in there]
    if missing:
        raise NotDelegated(f"the control group {folder} lacks the controllers {', '.join(missing)}")
    files = (folder, folder / "cgroup.procs", folder / "cgroup.subtree_control")
    if not all(os.access(file, os.W_OK) for file in files):
        raise NotDelegated(f"the control group {folder} cannot be written to")


def _write(file: Path, value: str | int) -> None:
    # One call of write(2), as the kernel wants it.
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, str(value).encode())
    finally:
        os.close(descriptor)
