"""One part of the arena: a program that is started, watched, started again when it dies or hangs, and stopped.

A part reports by systemd's notify protocol (arena/core/sd_notify.py): `READY=1` once it serves, `STATUS=` with what it is
doing, and `WATCHDOG=1` every second.  A program that does not, such as Redis, is asked instead.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from arena.core import child_process, logging_setup, sd_notify
from arena.core.errors import ArenaError
from arena.supervisor import log_files
from arena.supervisor.restart_policy import Restarts

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

SILENT_S = 30.0
"""The longest that a part may give no sign of life, as under systemd (`WatchdogSec` in deploy/systemd)."""
STARTING_S = 300.0
"""The longest that a part may give none before it serves: on a slow machine, imports take their time."""
_MAX_STEP_S = 2.0
"""The most silence that one look counts: where this process itself was stopped, the parts are not to blame."""
_ASK_EVERY_S = 2.0
_ASK_AT_START_EVERY_S = 0.1
_SAY_AFTER_S = 5.0
"""The time after which a start is reported as slow, and again each time that it has taken twice as long."""
_ROTATE_EVERY_S = 5.0

Say: TypeAlias = Callable[[str], None]


class PartFailed(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a part does not start."""


@dataclass(frozen=True, slots=True)
class Program:
    """The program of a part.

    One with `answers` is asked for signs of life; any other reports them by itself.  Unless it is `awaited`, what starts after
    it does not wait.  `began` is called with its status when it serves for the first time, `died` with the pid of each
    process that died by itself.
    """

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    answers: Callable[[], bool] | None = None
    awaited: bool = True
    began: Callable[[str], None] = lambda _status: None
    grace_s: float = 5.0
    died: Callable[[int], None] = lambda _pid: None
    private: bool = True
    """Whether its environment may lead to the store and to Redis."""


class Part:
    """A program and the process that runs it now.  To be used from the main thread only (arena.core.child_process.start)."""

    def __init__(self, program: Program, folder: Path, notify_socket: Path) -> None:
        """Its log is in `folder`."""
        self.program = program
        self.log = log_of(program.name, folder)
        self._environment = {
            **program.environment,
            logging_setup.FILE_VARIABLE: str(self.log),
            sd_notify.VARIABLE: os.fspath(notify_socket),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._restarts = Restarts()
        self._start_at: float | None = None
        self._rotated_at = 0.0
        self._begin()

    def _begin(self) -> None:
        """Set what is known of a process that has just started."""
        self._started_at = self._looked_at = time.monotonic()
        self._ask_at = self._silent_s = 0.0
        self._say_after_s = _SAY_AFTER_S
        self._ready = self._asked_to_stop = False
        self._status = ""

    @property
    def pid(self) -> int | None:
        """The process that runs it, if there is one."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it; its output goes into its log."""
        self._rotate()
        log = log_files.open_log(self.log)
        try:
            self._process = child_process.start(
                self.program.arguments,
                environment=self._environment,
                stdout=log,
                stderr=log,
                private=self.program.private,
            )
        finally:
            os.close(log)
        self._start_at = None
        self._begin()

    def hear(self, report: Mapping[str, str]) -> None:
        """Take in what its process reports (sd_notify(3)): each report is a sign of life, unless it is asked for them."""
        self._status = report.get("STATUS", self._status)
        if self.program.answers is None:
            self._silent_s = 0.0
            self._ready = self._ready or "READY" in report

    def serves(self, say: Say) -> bool:
        """Return whether it serves, while it starts; call this often.  Raises PartFailed."""
        problem = self._why_hung()
        if self._ready or not self.program.awaited:
            self.program.began(self._status)
            return True
        if not self._lives():
            problem = self.last_words()
        if problem:
            raise PartFailed(f"{self.program.name} did not start: {problem} (its log: {self.log})")
        waited_s = time.monotonic() - self._started_at
        if waited_s >= self._say_after_s:
            self._say_after_s *= 2
            doing = self._status or "it has not answered yet"
            say(f"Waiting for {self.program.name} for {waited_s:.0f} s: {doing}")
        return False

    def watch(self) -> list[str]:
        """Keep it running; call this often.  Returns messages for a person."""
        if self._process is None:
            return []
        now = time.monotonic()
        if now - self._rotated_at >= _ROTATE_EVERY_S:
            self._rotate()
        if self._lives():
            return self._end_if_hung()
        messages = [] if self._start_at is not None else self._take_death(now)
        if self._start_at is not None and now >= self._start_at:
            self._start_again()
        return messages

    def ask_to_stop(self) -> None:
        """Send SIGTERM, without waiting; once only, since a second one may mean not to finish what is begun."""
        if self._process is not None and self._process.poll() is None and not self._asked_to_stop:
            self._process.terminate()
            self._asked_to_stop = True

    def stop(self, grace_s: float | None = None) -> None:
        """Stop it, and kill what is left of it after its grace time."""
        if self._process is not None:
            self.ask_to_stop()
            child_process.await_end(
                self._process, grace_s=self.program.grace_s if grace_s is None else grace_s
            )
            self._process = None

    def last_words(self) -> str:
        """Return the last line of its log and how it ended."""
        code = self._process.returncode if self._process else None
        end = f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        line = log_files.last_line(self.log)
        return f"{line}; {end}" if line else end

    def _lives(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _why_hung(self) -> str:
        """Look for signs of life; return why it counts as hung, nothing while it does not."""
        now = time.monotonic()
        self._silent_s += min(now - self._looked_at, _MAX_STEP_S)
        self._looked_at = now
        if self.program.answers is not None and now >= self._ask_at:
            if self.program.answers():
                self._ready, self._silent_s = True, 0.0
            self._ask_at = time.monotonic() + (_ASK_EVERY_S if self._ready else _ASK_AT_START_EVERY_S)
        hung = self._silent_s >= (SILENT_S if self._ready else STARTING_S)
        return f"no sign of life for {self._silent_s:.0f} s" if hung else ""

    def _end_if_hung(self) -> list[str]:
        """Kill a process that gives no sign of life; it is then started again like one that has died."""
        if self._process is None or not (hung := self._why_hung()):
            return []
        self._process.kill()
        self._process.wait()
        return [f"{self.program.name} hangs: {hung}. It is ended and started again; its log is {self.log}"]

    def _take_death(self, now: float) -> list[str]:
        """Plan the next start of a process that has died."""
        self._restarts = self._restarts.died(now - self._started_at)
        self._start_at = now + self._restarts.pause_s
        if self._process is not None:
            self.program.died(self._process.pid)
        if not self._restarts.worrying:
            return []
        deaths = f"{self.program.name} has died {self._restarts.deaths} times in a row"
        return [f"{deaths} ({self.last_words()}); it is tried again, and its log is {self.log}"]

    def _start_again(self) -> None:
        # Its children died with it; the group is cleared of any that have not noticed yet.
        if self._process is not None:
            child_process.await_end(self._process, grace_s=0.0)
        self.start()

    def _rotate(self) -> None:
        self._rotated_at = time.monotonic()
        log_files.rotate(self.log)


def log_of(name: str, folder: Path) -> Path:
    """Return the path of a part's log."""
    return folder / f"{name.replace(' ', '-')}.log"
