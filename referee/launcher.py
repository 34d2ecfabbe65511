"""Starting hosted bots.  The plain launcher runs them as they are: for house bots, and for one's own files at home."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from typing import Protocol

from arena import process
from arena.errors import ArenaError, UsageError
from arena.play.programs import command

_TAIL_BYTES = 4096
_READ_BYTES = 64 * 1024
_READ_PAUSE_S = 0.05
"""A process that prints without end is read at this pace, and waits for it itself."""


class LaunchError(ArenaError):
    """Raised when a process cannot be started, for a reason that is not the bot's."""


class Process(Protocol):
    """A hosted bot's process, sandboxed or not."""

    async def wait(self) -> str:
        """Wait for its end; says how it ended, in words."""
        ...

    def kill(self) -> None:
        """End it with all that it started."""
        ...

    def last_words(self) -> str:
        """Give the end of what it printed."""
        ...


class Launcher(Protocol):
    """Starts hosted bots."""

    def check(self, program: str) -> None:
        """Check that there is such a program.  Raises UsageError."""
        ...

    def start(self, program: str, *, referee: str, token: str) -> Process:
        """Start a program that will connect to an address with a token.  Raises LaunchError."""
        ...


class PlainLauncher:
    """Starts programs without a sandbox, as processes that die with the referee."""

    def __init__(self, *, allow_files: bool) -> None:
        self._allow_files = allow_files

    def check(self, program: str) -> None:
        """Check that there is such a program.  Raises UsageError."""
        self._arguments(program)

    def start(self, program: str, *, referee: str, token: str) -> Process:
        """Start a program that will connect to an address with a token.  Raises LaunchError."""
        try:
            return _PlainProcess(
                process.start(
                    self._arguments(program),
                    environment={"ARENA_REFEREE": referee, "ARENA_TOKEN": token, "PYTHONUNBUFFERED": "1"},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                )
            )
        except OSError as error:
            raise LaunchError(f"program {program!r} could not be started: {error}") from error

    def _arguments(self, program: str) -> list[str]:
        arguments = command(program)
        if program.startswith("file:") and not self._allow_files:
            raise UsageError(
                f"program {program!r}: this referee starts no files; it runs without --allow-files"
            )
        return [*arguments]


class _PlainProcess:
    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen = popen
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[str] = self._loop.create_future()
        self._tail = b""
        assert popen.stdout is not None  # noqa: S101 - it was started with a pipe
        self._output = popen.stdout
        os.set_blocking(self._output.fileno(), False)
        self._loop.add_reader(self._output.fileno(), self._read)
        self._pid_file = os.pidfd_open(popen.pid)
        self._loop.add_reader(self._pid_file, self._end)

    async def wait(self) -> str:
        return await asyncio.shield(self._ended)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)

    def last_words(self) -> str:
        return self._tail.decode(errors="replace").strip()

    def _read(self) -> None:
        fileno = self._output.fileno()
        self._loop.remove_reader(fileno)
        with suppress(BlockingIOError):
            read = os.read(fileno, _READ_BYTES)
            self._tail = (self._tail + read)[-_TAIL_BYTES:]
            if not read:
                return
        self._loop.call_later(_READ_PAUSE_S, self._read_on)

    def _read_on(self) -> None:
        if not self._output.closed:
            self._loop.add_reader(self._output.fileno(), self._read)

    def _end(self) -> None:
        self._loop.remove_reader(self._pid_file)
        os.close(self._pid_file)
        code = self._popen.wait()
        self.kill()  # what it started must not outlive it
        self._loop.remove_reader(self._output.fileno())
        with suppress(BlockingIOError):
            self._tail = (self._tail + os.read(self._output.fileno(), _READ_BYTES))[-_TAIL_BYTES:]
        self._output.close()
        how = f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
        self._ended.set_result(f"its process ended with {how}")
