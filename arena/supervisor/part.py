"""One part of the arena: a program that is started, watched, started again when it dies, and stopped."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from arena import process
from arena.errors import ArenaError
from arena.supervisor.restarts import Restarts

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

_LOG_BYTES = 4 * 1024 * 1024
"""A log that is longer when its part starts is put aside; the one before that is dropped."""

Ready: TypeAlias = Callable[["subprocess.Popen[bytes]"], bool]


class PartFailed(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a part does not start."""


def _at_once(_process: subprocess.Popen[bytes]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Program:
    """What a part runs.

    `ready` says whether it serves.  `died` is told the pid of each process that died by itself; `repair` is called after
    a second death in a row.
    """

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    ready: Ready = _at_once
    start_s: float = 30.0
    grace_s: float = 5.0
    died: Callable[[int], None] = lambda _pid: None
    repair: Callable[[], None] = lambda: None
    stdout: int | None = None
    private: bool = True
    """Whether its environment may lead to the store and to Redis."""


class Part:
    """A program and the process that runs it now.  To be used from the main thread only (arena.process.start)."""

    def __init__(self, program: Program, logs: Path) -> None:
        self.program = program
        self.log = logs / f"{program.name.replace(' ', '-')}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._restarts = Restarts()
        self._started_at = 0.0
        self._start_at: float | None = None

    @property
    def pid(self) -> int | None:
        """The process that runs it, if there is one."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it; what it has to say goes into its log."""
        _turn_over(self.log)
        with self.log.open("ab") as log:
            stdout = log if self.program.stdout is None else self.program.stdout
            self._process = process.start(
                self.program.arguments,
                environment=self.program.environment,
                stdout=stdout,
                stderr=log,
                private=self.program.private,
            )
        self._started_at = time.monotonic()
        self._start_at = None

    def await_ready(self, stopping: Callable[[], bool]) -> None:
        """Wait until it serves, or until we are to stop.  Raises PartFailed."""
        assert self._process is not None  # noqa: S101 - it was started
        deadline = self._started_at + self.program.start_s
        while not stopping() and not self.program.ready(self._process):
            if self._process.poll() is not None:
                raise PartFailed(
                    f"{self.program.name} did not start: {self.last_words()} (its log: {self.log})"
                )
            if time.monotonic() > deadline:
                raise PartFailed(
                    f"{self.program.name} did not start within {self.program.start_s:g} s; see its log {self.log}"
                )
            time.sleep(0.02)

    def watch(self) -> str | None:
        """See to it that it runs; call this often.  Gives a message when a person should know."""
        if self._process is None or self._process.poll() is None:
            return None
        now = time.monotonic()
        if self._start_at is None:
            self._restarts = self._restarts.died(now - self._started_at)
            self._start_at = now + self._restarts.pause_s
            self.program.died(self._process.pid)
            if self._restarts.deaths > 1:
                self.program.repair()
            if self._restarts.worrying:
                return (
                    f"{self.program.name} has died {self._restarts.deaths} times in a row"
                    f" ({self.last_words()}); it is tried again, and its log is {self.log}"
                )
        if now >= self._start_at:
            # What it started died with it; its group is cleared for those that did not notice yet.
            process.stop(self._process, grace_s=0.0)
            self.start()
        return None

    def ask_to_stop(self) -> None:
        """Send SIGTERM, without waiting."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def stop(self, grace_s: float | None = None) -> None:
        """Stop it, and kill what is left of it after its grace time."""
        if self._process is not None:
            process.stop(self._process, grace_s=self.program.grace_s if grace_s is None else grace_s)
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    def last_words(self) -> str:
        """Give the last line of its log and how it ended."""
        code = self._process.returncode if self._process else None
        end = f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        with self.log.open(errors="replace") as log:
            lines = deque((line for line in log if line.strip()), maxlen=1)
        return f"{lines[0].strip()}; {end}" if lines else end


def _turn_over(log: Path) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > _LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
