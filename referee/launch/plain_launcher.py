"""The plain launcher of hosted bots, without a sandbox: for house bots, and for local files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arena.core import child_process, grpc_environment
from arena.core.errors import UsageError
from arena.referee_client.programs import command, house_module
from referee.launch.bot_process import ChildProcess, PopenChild, Process
from referee.launch.fork_server_client import INSIDE, PROGRAM, ForkServer, modules
from referee.launch.launcher import UNPROTECTED, LaunchError, Protection


class PlainLauncher:
    """Starts programs without a sandbox, as processes that die with the referee: house bots by a fork server."""

    def __init__(self, *, allow_files: bool, protection: Protection = UNPROTECTED) -> None:
        self._allow_files = allow_files
        self.protection = protection
        self._fork_server: ForkServer | None = None

    def check(self, program: str) -> None:
        """Check that there is such a program.  Raises UsageError."""
        self._arguments(program)

    async def prepare(self, program: str, *, referee: str) -> None:  # noqa: ARG002 - needs no address
        """Start the fork server if a program needs it, and wait until it forks."""
        if program.startswith(_HOUSE) and child_process.has_death_signal():  # else each is started by itself
            if self._fork_server is None:
                self._fork_server = ForkServer(_fork_server_command, {**os.environ, **_ENVIRONMENT})
            await self._fork_server.wait_until_ready()

    def start(self, program: str, *, referee: str, token: str) -> Process:
        """Start a program that will connect to an address with a token.  Raises LaunchError."""
        environment = {"ARENA_REFEREE": referee, "ARENA_TOKEN": token, **_ENVIRONMENT}
        server = self._fork_server
        if program.startswith(_HOUSE) and server is not None and server.is_ready:
            return ChildProcess(server.fork(_order(program, environment)))
        try:
            popen = child_process.start(
                self._arguments(program),
                environment=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                guarded=True,
            )
        except OSError as error:
            raise LaunchError(f"program {program!r} could not be started: {error}") from error
        return _GuardedProcess(popen)

    def check_helpers(self) -> None:
        """Start the fork server again if it has died; to be called once a second."""
        if self._fork_server is not None:
            self._fork_server.check()

    def close(self) -> None:
        """End the fork server, and with it the house bots; each other process ends with the referee."""
        if self._fork_server is not None:
            self._fork_server.close()

    def _arguments(self, program: str) -> list[str]:
        if program.startswith("bundle:"):
            raise UsageError(f"program {program!r}: {self.protection.refusal}")
        if program.startswith("file:"):
            own_file(program, allowed=self._allow_files)
        return [*command(program)]


class _GuardedProcess(ChildProcess):
    """A program with all that it starts: its guard kills them."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        super().__init__(PopenChild(popen))
        self._popen = popen

    def kill(self) -> None:
        """Kill it with all its descendants."""
        self._killed = True
        child_process.kill_guarded(self._popen)


def own_file(program: str, *, allowed: bool) -> Path:
    """Return the path of a `file:` program.  Raises UsageError if it is not allowed or missing."""
    path = Path(program.removeprefix("file:"))
    if not allowed:
        raise UsageError(f"program {program!r}: this referee starts no files; it runs without --allow-files")
    if not path.is_file():
        raise UsageError(f"program {program!r}: there is no such file")
    return path


_HOUSE = "house:"
_ENVIRONMENT = {**grpc_environment.SETTINGS, "GRPC_ENABLE_FORK_SUPPORT": "0", "PYTHONUNBUFFERED": "1"}


def _fork_server_command(control: int) -> list[str]:
    config = {"path": [str(INSIDE.parent)], "modules": modules(), "proc": None}
    return [sys.executable, "-P", "-B", "-u", str(PROGRAM), str(control), json.dumps(config)]


def _order(program: str, environment: dict[str, str]) -> dict[str, Any]:
    """Return what the fork server needs to become a house bot."""
    spec = find_spec(house_module(program))
    assert spec is not None  # noqa: S101 - there is such a house bot
    return {
        "title": program,
        "file": spec.origin,
        "path": (),
        "arguments": (),
        "sandbox": None,
        "environment": {**os.environ, **environment},
    }
