"""Starting hosted bots in sandboxes."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from arena.core import grpc_environment
from arena.core.errors import UsageError
from arena.referee_client.programs import PROGRAMS
from referee.launch.bot_process import Child, PopenChild
from referee.launch.fork_server_client import ForkServer, modules
from referee.launch.launcher import LaunchError, Protection
from referee.launch.plain_launcher import own_file
from referee.limits.sandbox_bounds import Bounds
from referee.sandbox import bot_programs, command, oom, packages, type_stripping
from referee.sandbox.cgroups import Cgroups, Group
from referee.sandbox.command import FolderView, Program
from referee.sandbox.sandboxed_process import SandboxedProcess
from referee.sandbox.watchdog_client import Watch

_log = logging.getLogger(__name__)
_SHA256 = re.compile(r"[0-9a-f]{64}")

Bundles = Callable[[str], Path | None]
"""Returns the folder of an uploaded bot by its SHA-256; None if it is missing."""


class SandboxLauncher:
    """Starts each program in a sandbox of its own."""

    def __init__(
        self,
        bwrap: str,
        filter_: bytes,
        *,
        bounds: Bounds,
        allow_files: bool,
        bundles: Bundles,
        folder: Path | None = None,
        groups: Cgroups | None = None,
    ) -> None:
        """With `groups`, a separate control group also limits each sandbox; `folder` has the bundles."""
        self.protection = Protection(level="none", words="not measured")
        self.bounds = bounds
        self._bwrap = bwrap
        self._allow_files = allow_files
        self._bundles = bundles
        self._folder = folder
        self._filter = filter_
        self.groups = groups
        self._watch = Watch(bounds)
        self._view: FolderView | None = None
        self.fork_server: ForkServer | None = None
        self.bare_server: ForkServer | None = None
        """Another one, without the libraries of Python's bots: it is small, and so quicker where the child only executes a program."""
        self._not_stripped: set[str] = set()
        """The uploads that have no types to take out, or where that failed, by their SHA-256."""
        self._stripping: dict[str, asyncio.Lock] = {}
        self._proc = -1
        """The machine's /proc, by which a sandbox without root gets its user."""
        self._is_owner = True
        """Whether the fork server ends with this launcher."""

    def check(self, program: str) -> None:
        """Check that there is such a program.  Raises UsageError."""
        self._program(program)

    def start(self, program: str, *, referee: str, token: str) -> SandboxedProcess:
        """Start a program that will connect to an address with a token.  Raises LaunchError."""
        if not referee.startswith("unix:"):
            raise LaunchError(
                f"program {program!r}: a sandbox needs a bots' port on a Unix socket; add --bots unix:/PATH"
            )
        socket = referee.removeprefix("unix:")
        if os.getuid() == 0:
            Path(socket).chmod(
                0o666
            )  # the bot runs as a user without rights; access is controlled by tokens, as on the other addresses
        environment = {"ARENA_REFEREE": f"unix:{command.SOCKET}", "ARENA_TOKEN": token}
        return self.run(self._program(program), environment, socket=socket)

    async def prepare(self, program: str = "", *, referee: str = "") -> None:
        """Start the fork server for programs that will connect to an address, and wait until it forks.

        Of an upload in TypeScript it also takes the types out, once.
        """
        socket = referee.removeprefix("unix:") if referee.startswith("unix:") else ""
        if self._view is None or (socket and not self._view.place(Path(socket))):
            self._start_fork_server(socket)
        if self.fork_server is not None:
            await self.fork_server.wait_until_ready()
        try:
            bot = self._program(program)
        except UsageError:
            return  # its start says so
        if bot.arguments and self._view is not None:
            if self.bare_server is None:
                self.bare_server = self._server(self._view, ())
            await self.bare_server.wait_until_ready()
        kind, _, sha256 = program.partition(":")
        if kind == "bundle" and bot.arguments:
            async with self._stripping.setdefault(sha256, asyncio.Lock()):  # one upload holds up no other
                await self._strip_types(sha256, bot)

    async def _strip_types(self, sha256: str, bot: Program) -> None:
        """Take the types out of an upload for Node, if that was not done; where it fails, Node does so at each start."""
        folder = self._bundles(sha256)
        if folder is None or sha256 in self._not_stripped or type_stripping.is_done(folder):
            return
        within = type_stripping.bounds(self.bounds)

        def line(told: int) -> list[str]:
            program = type_stripping.program(bot)
            return command.command(self._bwrap, program, within, filter_=self._filter, socket="", ready=told)

        if not type_stripping.is_wanted(folder, bot):
            self._not_stripped.add(sha256)
        elif not await type_stripping.strip(folder, line, _ENVIRONMENT):
            self._not_stripped.add(sha256)
            _log.warning("bundle %s: its types could not be taken out; each start takes longer", sha256)

    def _start_fork_server(self, socket: str) -> None:
        for server in self._servers():
            server.retire()
        self.bare_server = None
        folders = [packages.folder()]
        folders += [self._folder] if self._folder is not None else []
        folders += [Path(socket).parent] if socket else []
        view = self._view = FolderView(bot_programs.site(house=True), folders)
        if self._proc < 0:
            self._proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
        self.fork_server = self._server(view, modules())

    def _server(self, view: FolderView, modules: Sequence[str]) -> ForkServer:
        return ForkServer(
            lambda control: view.command(self._bwrap, control, modules, self._proc),
            _ENVIRONMENT,
            inherited=(self._proc,),
        )

    def _servers(self) -> list[ForkServer]:
        return [server for server in (self.fork_server, self.bare_server) if server is not None]

    def run(
        self, program: Program, environment: dict[str, str], *, socket: str = "", fork: bool = True
    ) -> SandboxedProcess:
        """Run a program in a sandbox, by the fork server if it can and `fork` is set, otherwise by bubblewrap.  Raises LaunchError."""
        ready, told = os.pipe()
        group = None

        def admit(pid: int) -> None:
            oom.raise_oom_score(pid)
            if group is not None:
                group.add(pid)

        try:
            server = self._server_for(program) if fork else None
            order = None if server is None else self._order(program, environment, socket)
            group = self.groups.new(self.bounds) if self.groups is not None else None
            child = (
                self._start_by_bubblewrap(program, environment, socket, told, group)
                if order is None or server is None
                else server.fork(order, ready=told, admit=admit)
            )
        except (OSError, LaunchError) as error:
            os.close(ready)
            if self.groups is not None and group is not None:
                self.groups.remove(group)
            raise LaunchError(f"a sandbox could not be started: {error}") from error
        finally:
            os.close(told)
        return SandboxedProcess(child, ready, self._watch, self.groups, group)

    def _start_by_bubblewrap(
        self, program: Program, environment: dict[str, str], socket: str, ready: int, group: Group | None
    ) -> Child:
        line = oom.with_raised_oom_score(
            command.command(
                self._bwrap, program, self.bounds, filter_=self._filter, socket=socket, ready=ready
            )
        )
        return PopenChild(
            subprocess.Popen(
                group.enter(line) if group is not None else line,
                env={**_ENVIRONMENT, **environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(ready,),
                start_new_session=True,
            )
        )

    def _order(self, program: Program, environment: dict[str, str], socket: str) -> dict[str, Any] | None:
        """Return what a fork server needs to make a program's sandbox; None if it cannot."""
        if self._view is None:
            return None
        order = self._view.order(program, self.bounds, filter_=self._filter, socket=socket, proc=self._proc)
        return None if order is None else {**order, "environment": {**_ENVIRONMENT, **environment}}

    def _server_for(self, program: Program) -> ForkServer | None:
        """Return the fork server that can become a program now; None if none can."""
        for server in reversed(self._servers()) if program.arguments else self._servers()[:1]:
            if server.is_ready and not program.own_modules() & server.modules:
                return server
        return None

    def bounded(self, bounds: Bounds) -> SandboxLauncher:
        """Return a launcher with other bounds and the same fork server."""
        other = SandboxLauncher(
            self._bwrap,
            self._filter,
            bounds=bounds,
            allow_files=self._allow_files,
            bundles=self._bundles,
            folder=self._folder,
            groups=self.groups,
        )
        other.fork_server, other.bare_server = self.fork_server, self.bare_server
        other._view, other._proc = self._view, self._proc
        other._is_owner = False
        return other

    def check_helpers(self) -> None:
        """Check that the watchdog and the fork server work; to be called once a second."""
        self._watch.check()
        for server in self._servers():
            server.check()

    def close(self) -> None:
        """End all sandboxes that are still running."""
        for server in self._servers() if self._is_owner else ():
            server.close()
        if self._is_owner and self._proc >= 0:
            os.close(self._proc)
            self._proc = -1
        self._watch.close()
        if self.groups is not None:
            self.groups.close()

    def _program(self, program: str) -> Program:
        kind, _, name = program.partition(":")
        match kind:
            case "house":
                return bot_programs.house(program)
            case "file":
                return bot_programs.local_file(
                    own_file(program, allowed=self._allow_files).resolve(), self.bounds.memory_bytes
                )
            case "bundle":
                return self._bundle(name)
        raise UsageError(f"program {program!r}: must be {PROGRAMS}")

    def _bundle(self, sha256: str) -> Program:
        if not _SHA256.fullmatch(sha256):
            raise UsageError(f"program 'bundle:{sha256}': must be bundle: and 64 hexadecimal digits")
        if self.protection.level != "full":
            raise UsageError(f"program 'bundle:{sha256}': {self.protection.refusal}")
        folder = self._bundles(sha256)
        if folder is None:
            raise UsageError(f"program 'bundle:{sha256}': this referee does not have that bundle")
        return bot_programs.upload(sha256, folder, self.bounds.memory_bytes)


_ENVIRONMENT = {
    **grpc_environment.SETTINGS,
    # A bot may fork: its children have no use for grpc, and grpc's handlers abort where no more threads may start.
    "GRPC_ENABLE_FORK_SUPPORT": "0",
    "HOME": "/tmp",  # noqa: S108 - its own
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin",
    # A slot is one core: libraries that start a thread for each core would only take turns with themselves.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
