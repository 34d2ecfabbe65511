"""A hosted bot's process, sandboxed or not: its end, and what it prints."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from referee.launch.process_exit import ProcessExit, ended_by_signal, name_signal

KEPT_BYTES = 16 * 1024
"""How much of what a process printed is kept: its end."""

_LAST_WORDS_BYTES = 4096
_READ_BYTES = 64 * 1024
_READ_PAUSE_S = 0.05
"""A process that prints without end is read at this pace, and waits for it itself."""


class Process(Protocol):
    """A hosted bot's process, sandboxed or not."""

    pid: int
    """All that it starts descends from it."""

    @property
    def began(self) -> bool:
        """Whether the bot's own program has begun; what goes wrong before is not the bot's fault."""
        ...

    def mark(self) -> int:
        """Return how many bytes it has printed so far; 0 the first time, since what it prints at its start is of interest too."""
        ...

    async def wait(self) -> ProcessExit:
        """Wait for its end; return how it ended."""
        ...

    def kill(self) -> None:
        """End it with all that it started."""
        ...

    def last_words(self) -> str:
        """Return the end of what it printed."""
        ...

    def output(self, since: int) -> tuple[bytes, int]:
        """Return what it printed after its first `since` bytes: the end that was kept, and how many bytes before it are gone."""
        ...


@dataclass(frozen=True, slots=True)
class Printed:
    """What a process prints from some point on."""

    process: Process
    since: int

    def read(self) -> tuple[bytes, int]:
        """Return the end of it, at most `KEPT_BYTES`, and how many bytes before that are gone."""
        return self.process.output(self.since)


class ChildProcess:
    """A child process with its output in a pipe, which dies with its whole group."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.pid = popen.pid
        self._popen = popen
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[ProcessExit] = self._loop.create_future()
        self._tail = b""
        self._printed = 0
        self._killed = False
        self._marked = False
        assert popen.stdout is not None  # noqa: S101 - it was started with a pipe
        self._output = popen.stdout
        os.set_blocking(self._output.fileno(), False)
        self._loop.add_reader(self._output.fileno(), self._read)
        self._pid_file = os.pidfd_open(popen.pid)
        self._loop.add_reader(self._pid_file, self._end)

    @property
    def began(self) -> bool:
        """Whether the bot's own program has begun."""
        return True

    def mark(self) -> int:
        """Return how many bytes it has printed so far, as far as they were read; 0 the first time."""
        self._take()
        first, self._marked = not self._marked, True
        return 0 if first else self._printed

    async def wait(self) -> ProcessExit:
        """Wait for its end; return how it ended."""
        return await asyncio.shield(self._ended)

    def kill(self) -> None:
        """End it with all that it started."""
        self._killed = True
        self._kill_group()

    def last_words(self) -> str:
        """Return the end of what it printed."""
        return self._tail[-_LAST_WORDS_BYTES:].decode(errors="replace").strip()

    def output(self, since: int) -> tuple[bytes, int]:
        """Return what it printed after its first `since` bytes: what is kept of it, and how many bytes before that are gone."""
        self._take()
        wanted = self._printed - since
        kept = self._tail[-wanted:] if wanted else b""
        return kept, wanted - len(kept)

    def _exit(self, code: int) -> ProcessExit:
        """Tell how it ended, by its exit code."""
        if code < 0:
            return ProcessExit(ended_by_signal(-code), name_signal(-code))
        return ProcessExit(f"its process ended with exit code {code}")

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)

    def _take(self) -> bool:
        """Read what is there; tells whether there may be more."""
        if self._output.closed:
            return False
        try:
            read = os.read(self._output.fileno(), _READ_BYTES)
        except BlockingIOError:
            return True
        self._printed += len(read)
        self._tail = (self._tail + read)[-KEPT_BYTES:]
        return bool(read)

    def _read(self) -> None:
        self._loop.remove_reader(self._output.fileno())
        if self._take():
            self._loop.call_later(_READ_PAUSE_S, self._read_on)

    def _read_on(self) -> None:
        if not self._output.closed:
            self._loop.add_reader(self._output.fileno(), self._read)

    def _end(self) -> None:
        self._loop.remove_reader(self._pid_file)
        os.close(self._pid_file)
        code = self._popen.wait()
        self._kill_group()  # what it started must not outlive it
        self._loop.remove_reader(self._output.fileno())
        self._take()
        self._output.close()
        self._ended.set_result(self._exit(code))
