"""Starting hosted bots in sandboxes."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from arena.bundle_format.manifest import from_json
from arena.core import grpc_environment
from arena.core.errors import UsageError
from arena.referee_client.programs import PROGRAMS, house_module
from referee.launch.plain_launcher import LaunchError, Protection, own_file
from referee.limits.sandbox_bounds import Bounds
from referee.sandbox import command, packages
from referee.sandbox.cgroups import Cgroups
from referee.sandbox.command import Program
from referee.sandbox.sandboxed_process import SandboxedProcess
from referee.sandbox.watchdog_client import Watch

_SITE = "/site"
_BOT = "/bot"
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
        groups: Cgroups | None = None,
    ) -> None:
        """With `groups`, each sandbox is bounded by a control group of its own, too."""
        self.protection = Protection(level="none", words="not measured")
        self.bounds = bounds
        self._bwrap = bwrap
        self._allow_files = allow_files
        self._bundles = bundles
        self._filter = filter_
        self.groups = groups
        self._watch = Watch(bounds)

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
            )  # the bot runs as nobody; access is controlled by tokens, as on the other addresses
        environment = {"ARENA_REFEREE": f"unix:{command.SOCKET}", "ARENA_TOKEN": token}
        return self.run(self._program(program), environment, socket=socket)

    def run(self, program: Program, environment: dict[str, str], *, socket: str = "") -> SandboxedProcess:
        """Run a program in a sandbox.  Raises LaunchError."""
        ready, told = os.pipe()
        line = command.command(
            self._bwrap, program, self.bounds, filter_=self._filter, socket=socket, ready=told
        )
        group = None
        try:
            group = self.groups.new(self.bounds) if self.groups is not None else None
            popen = subprocess.Popen(
                group.enter(line) if group is not None else line,
                env={**_ENVIRONMENT, **environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(told,),
                start_new_session=True,
            )
        except OSError as error:
            os.close(ready)
            if self.groups is not None and group is not None:
                self.groups.remove(group)
            raise LaunchError(f"{self._bwrap} could not be started: {error}") from error
        finally:
            os.close(told)
        return SandboxedProcess(popen, ready, self._watch, self.groups, group)

    def bounded(self, bounds: Bounds) -> SandboxLauncher:
        """Return a launcher with other bounds."""
        return SandboxLauncher(
            self._bwrap,
            self._filter,
            bounds=bounds,
            allow_files=self._allow_files,
            bundles=self._bundles,
            groups=self.groups,
        )

    def program_at(self, path: Path) -> Program:
        """Return the program of a local file."""
        return _at(f"{_BOT}/{path.name}", {f"{_BOT}/{path.name}": path}, house=True)

    def check_watchdog(self) -> None:
        """Check that the watchdog works; to be called once a second."""
        self._watch.check()

    def close(self) -> None:
        """End all sandboxes that are still running."""
        self._watch.close()
        if self.groups is not None:
            self.groups.close()

    def _program(self, program: str) -> Program:
        kind, _, name = program.partition(":")
        match kind:
            case "house":
                module = house_module(program)
                return _at(f"{_SITE}/{module.replace('.', '/')}.py", {}, house=True)
            case "file":
                return self.program_at(own_file(program, allowed=self._allow_files).resolve())
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
        manifest = from_json((folder / "manifest.json").read_text())
        more = packages.installed(manifest.requires)
        shown = {_BOT: folder / "bot"} | {f"{_SITE}/{name}": path for name, path in more.items()}
        return _at(f"{_BOT}/{manifest.entry}", shown, house=False)


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


def _at(file: str, shown: dict[str, Path], *, house: bool) -> Program:
    site = {**packages.sdk(), **packages.ours(house=house)}
    site_shown = {f"{_SITE}/{name}": path for name, path in site.items()}
    folder = str(Path(file).parent)
    return Program(
        shown={**site_shown, **shown},
        emptied=() if house else tuple(f"{_SITE}/{folder}" for folder in packages.house_bots()),
        file=file,
        path=(folder, _SITE) if folder.startswith(_BOT) else (_SITE,),
    )
