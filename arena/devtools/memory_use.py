"""Memory that a program's processes have taken, read from /proc while they run."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

_PAUSE_S = 0.1
_PROC = Path("/proc")


class Peak:
    """The most bytes that one process of a program had in memory, with those that it started; 0 if none was seen."""

    def __init__(self, program: str) -> None:
        self._names = {program.encode(), program.partition(":")[2].encode()}
        """Words in its process's command line: the file, or in a sandbox the program's name."""
        self.bytes = 0

    def look(self) -> None:
        """Look once.  The kernel keeps each process's own peak, so a late look still sees what was before."""
        parents: dict[int, int] = {}
        peaks: dict[int, int] = {}
        roots: set[int] = set()
        for entry in _PROC.iterdir():
            if entry.name.isdecimal():
                with suppress(OSError, ValueError, KeyError):
                    pid = int(entry.name)
                    fields = _read_status(entry)
                    parents[pid], peaks[pid] = int(fields["PPid"]), int(fields["VmHWM"].split()[0]) * 1024
                    if self._names.intersection((entry / "cmdline").read_bytes().split(b"\0")):
                        roots.add(pid)
        trees = dict.fromkeys(roots, 0)
        for pid, peak in peaks.items():
            line = _line(pid, parents)
            if os.getpid() in line:
                for root in roots.intersection(line):
                    trees[root] += peak
        self.bytes = max(self.bytes, *trees.values(), 0)

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Look again and again, and at the end once more: the matches of a quick bot may be over before the first look."""
        task = asyncio.create_task(self._watch())
        try:
            yield
            await asyncio.to_thread(self.look)
        finally:
            task.cancel()

    async def _watch(self) -> None:
        while True:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(_PAUSE_S)


def _read_status(entry: Path) -> dict[str, str]:
    lines = (entry / "status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _line(pid: int, parents: dict[int, int]) -> list[int]:
    """Name a process and all that it descends from."""
    line = []
    while pid in parents and pid not in line:
        line.append(pid)
        pid = parents[pid]
    return line
