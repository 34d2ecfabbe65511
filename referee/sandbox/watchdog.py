"""The watchdog of a referee's sandboxes: counts what each uses as a whole, and ends one that uses too much.

Run as `python -m referee.sandbox.watchdog MEMORY_BYTES CORES BURST_S KERNEL_BYTES HELD_BYTES
TASKS`: the bounds, and what the kernel held before.  It reads `+PID` and `-PID` (a
sandbox's outermost process has begun, has ended) from stdin, a line each, and writes a line before it ends one:
`PID own SENTENCE` if it used too much, `PID kernel SENTENCE` if the kernel held too much for all of them.  A line of PID 0
shows that the watchdog lives; its sentence is for the log.  When stdin ends, the referee is gone, and the watchdog ends
all remaining sandboxes.

The kernel enforces limits for single processes; the watchdog enforces their sums, which the kernel limits only for
control groups, and those belong to the machine's operator.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
from collections import deque
from contextlib import suppress
from itertools import islice
from time import monotonic

from referee.sandbox.kernel_memory import Held, KernelMemory, machine_system_s

_TICK_S = 0.1
_LOOK_AGAIN_S = 2.0
"""The interval at which cached facts about processes are refreshed, since process numbers are reused."""
_USAGE_S = 1.0
_PAGE = os.sysconf("SC_PAGESIZE")
_HERTZ = os.sysconf("SC_CLK_TCK")
_SOCKET = 2 * 212_992
"""The most bytes that one Unix socket may hold unread (the default of net.core.wmem_max, doubled as the kernel does)."""
_MAPPED_PER_TABLE = 512
"""The number of pages that a page table of one page maps (x86-64, arm64 with 4 KiB pages)."""
_SPARE_FILES = 64
"""The number of files it may open in addition to those it keeps open."""
_READ_BYTES = 4096
_LEAVE_S = 10.0
"""The time that the processes of sandboxes that were ended may take to give the kernel's memory back."""
_MAX_MAPPINGS = 65_536
"""Mappings of one sandbox: the kernel takes some 200 bytes for each, and lets each process have as many as this."""


class OpenFiles:
    """Files of /proc that are read again and again: kept open, a read costs a fifteenth.

    An open file stays with the process that had the number when it was opened, even if another process gets that number.
    """

    def __init__(self) -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self._room = hard - _SPARE_FILES
        self._files: dict[int, dict[str, int]] = {}

    def read(self, pid: int, name: str) -> str:
        """Return the beginning of a process's file, empty if the process is gone."""
        files = self._files.setdefault(pid, {})
        if name in files:
            with suppress(OSError):  # it is gone, and another may have its number
                return os.pread(files[name], _READ_BYTES, 0).decode()
            self._close(pid)
            return self.read(pid, name)
        try:
            file = os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return ""
        files[name] = file
        self._room -= 1
        try:
            return os.pread(file, _READ_BYTES, 0).decode()
        except OSError:
            return ""
        finally:
            if not self._room:
                self._close(pid)

    def keep(self, alive: set[int]) -> None:
        """Close the files of all other processes."""
        for pid in self._files.keys() - alive:
            self._close(pid)

    def _close(self, pid: int) -> None:
        for file in self._files.pop(pid, {}).values():
            os.close(file)
            self._room += 1


class Watchdog:
    """All sandboxes of a referee."""

    def __init__(self, memory: int, cores: float, burst_s: float, kernel: KernelMemory) -> None:
        self._kernel = kernel
        self._leaving: tuple[float, set[int]] = (0.0, set())
        """Until when the processes of sandboxes that were ended for the kernel's memory are waited for."""
        self._memory = memory
        self._cores = cores
        self._burst_s = burst_s
        self._roots: dict[int, deque[tuple[float, float]]] = {}
        """Outermost process → samples of time and processor seconds used."""
        self._owner: dict[int, int] = {}
        """Process → its sandbox; 0 for a process outside all sandboxes."""
        self._files = OpenFiles()
        self._counted: dict[int, float] = {}
        """Process → the processor seconds it had used when its mappings were counted."""

    def handle(self, line: str) -> None:
        """Handle a line of stdin: a sandbox has begun or ended."""
        root = int(line[1:])
        if line[0] == "+":
            self._roots[root] = deque()
        else:
            self._roots.pop(root, None)
        self._owner = {}

    def check(self, *, anew: bool, usage: bool) -> None:
        """Check all sandboxes once."""
        kernel = self._kernel.is_exceeded(has_sandboxes=bool(self._roots))
        if not self._roots:
            return
        if anew:
            self._owner = {}
        members = self._members()
        for root, pids in members.items():
            exceeded = (
                self._too_much_memory(root, pids)
                or (usage and self._too_much_time(root, pids))
                or (anew and self._too_many_mappings(pids))
            )
            if exceeded and not anew:
                # The id of a process that has ended may be reused by now: no sandbox is ended for what another process uses.
                self._owner = {}
                own = self._members()[root]
                exceeded = self._too_much_memory(root, own) or (usage and self._too_much_time(root, own))
            else:
                own = pids
            if exceeded:
                _say(root, f"own {exceeded}")
                self.end(root, own)
        if kernel or usage:
            self._check_kernel(
                {root: pids for root, pids in members.items() if root in self._roots}, exceeded=kernel
            )

    def _check_kernel(self, members: dict[int, list[int]], *, exceeded: bool) -> None:
        """Note who may have taken the kernel's memory, and end sandboxes where it is too much."""
        self._kernel.attribute({root: sum(map(self._system_s, pids)) for root, pids in members.items()})
        until, pids = self._leaving
        if not exceeded or (monotonic() < until and any(os.path.exists(f"/proc/{pid}") for pid in pids)):
            return
        grown = f"the kernel's memory grew by {self._kernel.growth >> 20} MiB, more than what all sandboxes together may take"
        found = self._kernel.suspects([root for root in self._roots if root in members])
        for root in found:
            own = members.pop(root)
            self._leaving = (monotonic() + _LEAVE_S, self._leaving[1] | set(own))
            _say(root, f"kernel {grown}, and this one may have caused it")
            self.end(root, own)
        if not found:
            _say(0, f"log {grown}, but no sandbox can have caused it")

    def end_all(self) -> None:
        """End all sandboxes."""
        self._owner = {}
        for root, pids in self._members().items():
            self.end(root, pids)

    def end(self, root: int, pids: list[int]) -> None:
        """End a sandbox: the kernel ends it with its first process, which ends with its parent."""
        self._roots.pop(root, None)
        self._owner = {}  # its processes stay in /proc until they are reaped
        for pid in (root, *pids):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def _members(self) -> dict[int, list[int]]:
        alive = {int(name) for name in os.listdir("/proc") if name.isdigit()}
        self._files.keep(alive)
        self._counted = {pid: used for pid, used in self._counted.items() if pid in alive}
        owner = {pid: root for pid, root in self._owner.items() if pid in alive}
        for pid in sorted(alive - owner.keys()):
            self._find(pid, owner)
        self._owner = owner
        members: dict[int, list[int]] = {root: [] for root in self._roots}
        for pid, root in owner.items():
            if root == pid:
                members[root].insert(0, pid)
            elif root in members:
                members[root].append(pid)
        return members

    def _find(self, pid: int, owner: dict[int, int]) -> int:
        """Find the sandbox of a process: its own if it is the first process of one, otherwise its parent's."""
        chain = []
        while pid not in owner and pid not in self._roots and pid > 1:
            chain.append(pid)
            fields = _stat(pid)
            pid = int(fields[1]) if fields else 0
        root = pid if pid in self._roots else owner.get(pid, 0)
        if pid in self._roots:
            owner[pid] = pid
        for each in chain:
            owner[each] = root
        return root

    def _too_much_memory(self, root: int, pids: list[int]) -> str:
        sockets = self._sockets_of(pids[-1]) * _SOCKET if pids[-1:] not in ([], [root]) else 0
        used = sockets + sum(map(self._memory_of, pids))
        if used > self._memory:
            # Memory that a process shares with its parent was counted for both.
            used = sockets + sum(_exact_memory(pid) or self._memory_of(pid) for pid in pids)
        if used <= self._memory:
            return ""
        return f"it used {used >> 20} MiB of memory, {self._memory >> 20} MiB are allowed"

    def _memory_of(self, pid: int) -> int:
        """Return an upper bound of a process's own memory: pages of no file, and page tables for all its addresses."""
        fields = self._files.read(pid, "statm").split()
        if not fields:
            return 0
        size, resident, shared = (int(field) for field in fields[:3])
        return (resident - shared + size // _MAPPED_PER_TABLE) * _PAGE

    def _sockets_of(self, pid: int) -> int:
        """Return the number of sockets in a process's network namespace: what they hold belongs to no process."""
        words = self._files.read(pid, "net/sockstat").split()
        return int(words[2]) if words[:2] == ["sockets:", "used"] else 0

    def _too_much_time(self, root: int, pids: list[int]) -> str:
        now = monotonic()
        used = sum(map(self._processor_s, pids))
        samples = self._roots[root]
        samples.append((now, used))
        while len(samples) > 1 and samples[1][0] <= now - self._burst_s:
            samples.popleft()
        since, before = samples[0]
        spent, lasted = used - before, now - since
        if lasted < self._burst_s or spent <= self._cores * lasted:
            return ""
        return (
            f"it used {spent:.0f} s of processor time within {lasted:.0f} s, on {self._cores:g} cores at a time "
            "at most it may think"
        )

    def _processor_s(self, pid: int) -> float:
        return sum(self._times(pid)) / _HERTZ

    def _system_s(self, pid: int) -> float:
        """Return the system time of a process; the kernel rounds it down to ticks, so half of one is added."""
        times = self._times(pid)
        return (sum(times[1::2]) + 0.5) / _HERTZ if times else 0.0

    def _times(self, pid: int) -> list[int]:
        """Return user and system time of a process, and of its children that were waited for; nothing if it is gone."""
        return [int(field) for field in self._files.read(pid, "stat").rpartition(")")[2].split()[11:15]]

    def _too_many_mappings(self, pids: list[int]) -> str:
        """Count mappings, of one sandbox at most as many as it may have, so that a check takes a bounded time.

        A sandbox whose processes are the same and have not run since has no more mappings than before.
        """
        used = {pid: self._processor_s(pid) for pid in pids}
        if all(self._counted.get(pid) == seconds for pid, seconds in used.items()):
            return ""
        self._counted |= used
        left = _MAX_MAPPINGS
        for pid in pids:
            with suppress(OSError), open(f"/proc/{pid}/maps", "rb") as maps:
                left -= sum(1 for _ in islice(maps, left + 1))
            if left < 0:
                return f"it made more than {_MAX_MAPPINGS} memory mappings"
        return ""


def _stat(pid: int) -> list[str]:
    """Read /proc/PID/stat from the state on (proc(5)); empty if the process is gone."""
    return _read(pid, "stat").rpartition(")")[2].split()


def _exact_memory(pid: int) -> int:
    """Return a process's share of the memory it uses, and its page tables; 0 if that cannot be read."""
    share = [line.split()[1] for line in _read(pid, "smaps_rollup").splitlines() if line.startswith("Pss:")]
    tables = [line.split()[1] for line in _read(pid, "status").splitlines() if line.startswith("VmPTE:")]
    return sum(int(kib) for kib in share + tables) * 1024 if share else 0


def _read(pid: int, name: str) -> str:
    try:
        with open(f"/proc/{pid}/{name}", encoding="ascii", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _say(root: int, sentence: str) -> None:
    os.write(1, f"{root} {sentence}\n".encode())


def _show_life() -> None:
    """Write a line that names no sandbox, if that can be done without waiting."""
    if select.select([], [1], [], 0)[1]:
        os.write(1, b"0\n")


def main() -> None:
    """Watch until stdin ends."""
    memory, cores, burst_s = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
    kernel, held, tasks = map(int, sys.argv[4:])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # it ends after the referee
    watchdog = Watchdog(memory, cores, burst_s, KernelMemory(kernel, Held(held, tasks), machine_system_s))
    pending = b""
    anew = usage = 0.0
    while True:
        readable, _, _ = select.select([0], [], [], _TICK_S)
        if readable:
            read = os.read(0, 4096)
            if not read:
                break
            *lines, pending = (pending + read).split(b"\n")
            for line in lines:
                watchdog.handle(line.decode())
        now = monotonic()
        watchdog.check(anew=now >= anew, usage=now >= usage)
        if now >= usage:
            _show_life()
        anew = now + _LOOK_AGAIN_S if now >= anew else anew
        usage = now + _USAGE_S if now >= usage else usage
    watchdog.end_all()


if __name__ == "__main__":
    main()
