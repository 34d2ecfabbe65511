"""Launchers of hosted bots, and the plain one, without a sandbox: for house bots, and for local files."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena.core import child_process
from arena.core.errors import ArenaError, UsageError
from arena.referee_client.programs import command
from referee.launch.bot_process import ChildProcess, Process


@dataclass(frozen=True, slots=True)
class Protection:
    """How well the machine is protected from hosted bots: `full`, `partial` (only house bots may run) or `none`."""

    level: str
    words: str
    """Why it is not full; what it consists of, if it is."""
    remedy: str = ""
    """What an operator can do to improve it."""

    def __str__(self) -> str:
        """Return the message as one line."""
        return "; ".join(filter(None, (f"{self.level}: {self.words}", self.remedy)))

    @property
    def refusal(self) -> str:
        """Return why other people's bots are not started."""
        return f"other people's bots run in a full sandbox only, and here it is {self}"


UNPROTECTED = Protection(
    "none", "hosted bots run with all the rights of the referee", "start it with --sandbox on"
)
"""The protection of a referee that runs without a sandbox."""


class LaunchError(ArenaError):
    """Raised when a process cannot be started for a reason that is not the bot's fault."""


class Launcher(Protocol):
    """Starts hosted bots."""

    @property
    def protection(self) -> Protection:
        """How well the machine is protected from hosted bots."""
        ...

    def check(self, program: str) -> None:
        """Check that there is such a program, and that it may be started here.  Raises UsageError."""
        ...

    def start(self, program: str, *, referee: str, token: str) -> Process:
        """Start a program that will connect to an address with a token.  Raises LaunchError."""
        ...

    def check_watchdog(self) -> None:
        """Check that the watchdog works; to be called once a second."""
        ...

    def close(self) -> None:
        """End all processes that are still running."""
        ...


class PlainLauncher:
    """Starts programs without a sandbox, as processes that die with the referee."""

    def __init__(self, *, allow_files: bool, protection: Protection = UNPROTECTED) -> None:
        self._allow_files = allow_files
        self.protection = protection

    def check(self, program: str) -> None:
        """Check that there is such a program.  Raises UsageError."""
        self._arguments(program)

    def start(self, program: str, *, referee: str, token: str) -> Process:
        """Start a program that will connect to an address with a token.  Raises LaunchError."""
        try:
            return ChildProcess(
                child_process.start(
                    self._arguments(program),
                    environment={"ARENA_REFEREE": referee, "ARENA_TOKEN": token, "PYTHONUNBUFFERED": "1"},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                )
            )
        except OSError as error:
            raise LaunchError(f"program {program!r} could not be started: {error}") from error

    def check_watchdog(self) -> None:
        """Do nothing: there is no watchdog."""

    def close(self) -> None:
        """Do nothing: each process ends with the referee."""

    def _arguments(self, program: str) -> list[str]:
        if program.startswith("bundle:"):
            raise UsageError(f"program {program!r}: {self.protection.refusal}")
        if program.startswith("file:"):
            own_file(program, allowed=self._allow_files)
        return [*command(program)]


def own_file(program: str, *, allowed: bool) -> Path:
    """Return the path of a `file:` program.  Raises UsageError if it is not allowed or missing."""
    path = Path(program.removeprefix("file:"))
    if not allowed:
        raise UsageError(f"program {program!r}: this referee starts no files; it runs without --allow-files")
    if not path.is_file():
        raise UsageError(f"program {program!r}: there is no such file")
    return path
