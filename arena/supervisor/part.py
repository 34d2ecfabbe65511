"""One part of the arena: a program that is started, watched, started again when it dies or hangs, and stopped."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from arena.core import child_process, logging_setup, sd_notify
from arena.core.errors import ArenaError
from arena.supervisor import log_files
from arena.supervisor.liveness import Vitals
from arena.supervisor.restart_policy import Restarts

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from arena.supervisor.liveness_probe import LivenessProbe

_SAY_AFTER_S = 5.0
"""A start that takes longer is spoken of, and again each time that it has taken twice as long."""
_ROTATE_EVERY_S = 5.0

Ready: TypeAlias = Callable[["subprocess.Popen[bytes]"], bool]
Say: TypeAlias = Callable[[str], None]


class PartFailed(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a part does not start."""


def _at_once(_process: subprocess.Popen[bytes]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Program:
    """Program of a part.

    `ready` says whether it serves; `began` is called when it serves for the first time.  A part with a `question`, or that
    `notifies`, is ended when it hangs.  `died` gets the pid of each process that died by itself; `repair` is called when it
    dies before it was ready, and after a second death in a row, and says what it repaired.
    """

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    ready: Ready = _at_once
    began: Callable[[], None] = lambda: None
    question: Callable[[], LivenessProbe] | None = None
    notifies: bool = False
    grace_s: float = 5.0
    died: Callable[[int], None] = lambda _pid: None
    repair: Callable[[], str] = str
    stdout: int | None = None
    private: bool = True
    """Whether its environment may lead to the store and to Redis."""


class Part:
    """A program and the process that runs it now.  To be used from the main thread only (arena.core.child_process.start)."""

    def __init__(self, program: Program, folder: Path, notify_socket: Path | None = None) -> None:
        """`folder` is the place of its log."""
        self.program = program
        self.log = log_of(program.name, folder)
        self._environment = {
            **program.environment,
            logging_setup.FILE_VARIABLE: str(self.log),
            sd_notify.VARIABLE: "" if notify_socket is None else os.fspath(notify_socket),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._vitals: Vitals | None = None
        self._status = ""
        self._asked_to_stop = False
        self._restarts = Restarts()
        self._started_at = self._rotated_at = 0.0
        self._start_at: float | None = None

    @property
    def pid(self) -> int | None:
        """The process that runs it, if there is one."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it; what it has to say goes into its log."""
        self._rotate()
        written = log_files.open_log(self.log)
        try:
            self._process = child_process.start(
                self.program.arguments,
                environment=self._environment,
                stdout=written if self.program.stdout is None else self.program.stdout,
                stderr=written,
                private=self.program.private,
            )
        finally:
            os.close(written)
        question = self.program.question
        self._vitals = Vitals(self._process.pid, None if question is None else question())
        self._started_at = time.monotonic()
        self._start_at = None
        self._status = ""
        self._asked_to_stop = False

    def await_ready(self, stopping: Callable[[], bool], say: Say) -> None:
        """Wait until it serves, or until we are to stop, as long as it lives and does something.  Raises PartFailed."""
        say_after_s = _SAY_AFTER_S
        repaired = False
        while not stopping() and not self._is_ready():
            if not self._lives():
                repair = "" if repaired else self.program.repair()
                if not repair:
                    raise PartFailed(
                        f"{self.program.name} did not start: {self.last_words()} (its log: {self.log})"
                    )
                say(f"{self.program.name} did not start ({self.last_words()}): {repair}")
                repaired = True
                self._start_again()
            if self._vitals is not None and (reason := self._vitals.look()):
                raise PartFailed(f"{self.program.name} did not start: {reason} (its log: {self.log})")
            waited_s = time.monotonic() - self._started_at
            if waited_s >= say_after_s:
                say_after_s *= 2
                doing = self._status or "it has not answered yet"
                say(f"Waiting for {self.program.name} for {waited_s:.0f} s: {doing}")
            time.sleep(0.02)

    def hear(self, told: Mapping[str, str]) -> None:
        """Process a notification of its process (sd_notify(3))."""
        self._status = told.get("STATUS", self._status)
        # A part that is asked must answer: other notifications do not show that it can.
        if self._vitals is not None and self.program.notifies:
            self._vitals.hear()

    def watch(self) -> list[str]:
        """See to it that it runs; call this often.  Gives what a person should know."""
        if self._process is None:
            return []
        now = time.monotonic()
        if now - self._rotated_at >= _ROTATE_EVERY_S:
            self._rotate()
        if self._lives():
            return self._end_if_hung()
        told = [] if self._start_at is not None else self._take_death(now)
        if self._start_at is not None and now >= self._start_at:
            self._start_again()
        return told

    def ask_to_stop(self) -> None:
        """Send SIGTERM, without waiting; once only, since a second one may mean not to finish what is begun."""
        if self._process is not None and self._process.poll() is None and not self._asked_to_stop:
            self._process.terminate()
            self._asked_to_stop = True

    def stop(self, grace_s: float | None = None) -> None:
        """Stop it, and kill what is left of it after its grace time."""
        if self._process is not None:
            self.ask_to_stop()
            self._clear(self.program.grace_s if grace_s is None else grace_s)
            self._process = None

    def last_words(self) -> str:
        """Return the last line of its log and how it ended."""
        code = self._process.returncode if self._process else None
        end = f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        line = log_files.last_line(self.log)
        return f"{line}; {end}" if line else end

    def _is_ready(self) -> bool:
        return self._process is not None and self.program.ready(self._process)

    def _lives(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _take_death(self, now: float) -> list[str]:
        """Plan the next start of a process that has died."""
        self._restarts = self._restarts.died(now - self._started_at)
        self._start_at = now + self._restarts.pause_s
        if self._process is not None:
            self.program.died(self._process.pid)
        told = []
        if self._restarts.deaths > 1 and (repair := self.program.repair()):
            told.append(f"{self.program.name} has died again ({self.last_words()}): {repair}")
        if self._restarts.worrying:
            told.append(
                f"{self.program.name} has died {self._restarts.deaths} times in a row"
                f" ({self.last_words()}); it is tried again, and its log is {self.log}"
            )
        return told

    def _end_if_hung(self) -> list[str]:
        """Kill a process that gives no sign of life; it is then started again like one that has died."""
        watched = self.program.notifies or self.program.question is not None
        if not watched or self._vitals is None or not (reason := self._vitals.look()):
            return []
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        return [f"{self.program.name} hangs: {reason}. It is ended and started again; its log is {self.log}"]

    def _start_again(self) -> None:
        # Its children died with it; its group is cleared for those that have not noticed yet.
        self._clear(0.0)
        self.start()

    def _clear(self, grace_s: float) -> None:
        if self._vitals is not None:
            self._vitals.close()
        if self._process is not None:
            child_process.await_end(self._process, grace_s=grace_s)
            if self._process.stdout is not None:
                self._process.stdout.close()

    def _rotate(self) -> None:
        self._rotated_at = time.monotonic()
        log_files.rotate(self.log)


def log_of(name: str, folder: Path) -> Path:
    """Return the path of a part's log."""
    return folder / f"{name.replace(' ', '-')}.log"
