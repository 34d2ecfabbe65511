"""A hosted bot's process, sandboxed or not: its exit, and its output."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Protocol

from referee.launch.process_exit import ProcessExit, ended_by_signal, name_signal

KEPT_BYTES = 16 * 1024
"""Bytes of a process's output that are kept, from its end."""

_LAST_WORDS_BYTES = 4096
_FIRST_WORDS_BYTES = 1024
"""Bytes of the output since the last match began that are kept from its beginning: a panic says there what is wrong."""
_READ_BYTES = 64 * 1024
_READ_PAUSE_S = 0.05
"""The pause between reads, so that a process that prints without end has to wait."""


class Process(Protocol):
    """A hosted bot's process, sandboxed or not."""

    pid: int
    """The root of its process tree."""

    was_forked: bool
    """Whether the fork server made it, rather than starting a program."""

    @property
    def began(self) -> bool:
        """Whether the bot's own program has begun; errors before that are not the bot's fault."""
        ...

    def mark(self) -> int:
        """Return how many bytes it has printed so far; 0 the first time, so that the output of its start is included."""
        ...

    async def wait(self) -> ProcessExit:
        """Wait for its exit; return how it ended."""
        ...

    def kill(self) -> None:
        """Kill it with all its descendants."""
        ...

    def last_words(self) -> str:
        """Return its output since its last match began, as text: the beginning and the end of much."""
        ...

    def output(self, since: int) -> tuple[bytes, int]:
        """Return its output after the first `since` bytes: the end that is kept, and how many bytes before that are lost."""
        ...

    def output_wait_s(self) -> float:
        """Return how long it has waited for its output to be read, in seconds, since it prints more than is read."""
        ...


@dataclass(frozen=True, slots=True)
class Printed:
    """The output of a process from some position on."""

    process: Process
    since: int
    waited_s: float = 0.0
    """Seconds that it had waited for its output to be read by then."""

    def read(self) -> tuple[bytes, int]:
        """Return its end, at most `KEPT_BYTES`, and how many bytes before that are lost."""
        return self.process.output(self.since)

    def wait_s(self) -> float:
        """Return how long it has waited since then for its output to be read, in seconds."""
        return self.process.output_wait_s() - self.waited_s


class Child(Protocol):
    """A process that leads a process group, with its output in a pipe; it is collected when it has ended."""

    pid: int
    output: IO[bytes]
    was_forked: bool

    def on_end(self, report: Callable[[int], None]) -> None:
        """Report its exit code once it has ended and is collected; negative for a signal."""
        ...


class PopenChild:
    """A child of this process."""

    was_forked = False

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        assert popen.stdout is not None  # noqa: S101 - it was started with a pipe
        self.pid = popen.pid
        self.output = popen.stdout
        self._popen = popen

    def on_end(self, report: Callable[[int], None]) -> None:
        """Report its exit code once it has ended and is collected; negative for a signal."""
        loop = asyncio.get_running_loop()
        ended = os.pidfd_open(self.pid)

        def collect() -> None:
            loop.remove_reader(ended)
            os.close(ended)
            report(self._popen.wait())

        loop.add_reader(ended, collect)


class ChildProcess:
    """A hosted bot's process by way of a child, which dies with its whole group."""

    def __init__(self, child: Child) -> None:
        self.pid = child.pid
        self.was_forked = child.was_forked
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[ProcessExit] = self._loop.create_future()
        self._head = b""
        self._tail = b""
        self._printed = 0
        self._marked_at = 0
        self._was_full = False
        self._wait_s = 0.0
        self._killed = False
        self._marked = False
        self._output = child.output
        os.set_blocking(self._output.fileno(), False)
        self._loop.add_reader(self._output.fileno(), self._read)
        child.on_end(self._end)

    @property
    def began(self) -> bool:
        """Whether the bot's own program has begun."""
        return True

    def mark(self) -> int:
        """Return how many bytes it has printed so far, as far as they were read; 0 the first time."""
        self._take()
        if self._marked:
            self._head, self._marked_at = b"", self._printed
        self._marked = True
        return self._marked_at

    async def wait(self) -> ProcessExit:
        """Wait for its exit; return how it ended."""
        return await asyncio.shield(self._ended)

    def kill(self) -> None:
        """Kill it with all its descendants."""
        self._killed = True
        self._kill_group()

    def last_words(self) -> str:
        """Return its output since its last match began, as text: the beginning and the end of much."""
        said = self._printed - self._marked_at
        if said <= _LAST_WORDS_BYTES:
            return self._tail[len(self._tail) - said :].decode(errors="replace").strip()
        tail = self._tail[_FIRST_WORDS_BYTES - _LAST_WORDS_BYTES :]
        return f"{self._head.decode(errors='replace')}\n…\n{tail.decode(errors='replace')}".strip()

    def output_wait_s(self) -> float:
        """Return how long it has waited for its output to be read, in seconds."""
        return self._wait_s

    def output(self, since: int) -> tuple[bytes, int]:
        """Return its output after the first `since` bytes: the end that is kept, and how many bytes before that are lost."""
        self._take()
        wanted = self._printed - since
        kept = self._tail[-wanted:] if wanted else b""
        return kept, wanted - len(kept)

    def _exit(self, code: int) -> ProcessExit:
        """Return how it ended, by its exit code; negative for a signal."""
        if code < 0:
            return ProcessExit(ended_by_signal(-code), name_signal(-code))
        return ProcessExit(f"its process ended with exit code {code}", is_success=code == 0)

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def _take(self) -> bool:
        """Read the available output; return whether there may be more."""
        if self._output.closed:
            return False
        try:
            read = os.read(self._output.fileno(), _READ_BYTES)
        except BlockingIOError:
            return True
        self._printed += len(read)
        self._tail = (self._tail + read)[-KEPT_BYTES:]
        if len(self._head) < _FIRST_WORDS_BYTES:
            self._head = (self._head + read)[:_FIRST_WORDS_BYTES]
        return bool(read)

    def _read(self) -> None:
        self._loop.remove_reader(self._output.fileno())
        before = self._printed
        more = self._take()
        # A pipe holds as much as is read at once: one that was full before a pause and after it made the bot wait.
        is_full = self._printed - before == _READ_BYTES
        if is_full and self._was_full:
            self._wait_s += _READ_PAUSE_S
        self._was_full = is_full
        if more:
            self._loop.call_later(_READ_PAUSE_S, self._read_on)

    def _read_on(self) -> None:
        if not self._output.closed:
            self._loop.add_reader(self._output.fileno(), self._read)

    def _end(self, code: int) -> None:
        self._kill_group()  # its child processes must not outlive it
        self._loop.remove_reader(self._output.fileno())
        self._take()
        self._output.close()
        self._ended.set_result(self._exit(code))
