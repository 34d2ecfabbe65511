"""Machines: each a process tree in namespaces of its own (network, PIDs, mounts, IPC, host name), gone with this process.

No namespace has a name, nothing is mounted outside of them, and the kernel kills a machine's first process with the one that
made it, and all others with that: so nothing can be left, however this process ends.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from arena.core import child_process
from arena.core.errors import ArenaError

_INIT = Path(__file__).with_name("init.py")
_UNSHARE = (
    "unshare",
    "--net",
    "--uts",
    "--ipc",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
)
DYING_WITH_US = ("setpriv", "--pdeathsig", "KILL")
"""Before a command line: the kernel kills it with the thread that waits for it."""
_START_S = 20.0
_ANSWER_S = 20.0
_PREFIX = "arena-chaos-"


class MachineError(ArenaError):
    """Raised when a machine cannot be made, or a command on it fails."""


@dataclass(frozen=True, slots=True)
class Service:
    """A program that a machine keeps running."""

    name: str
    argv: Sequence[str]
    environment: Mapping[str, str]


class Machine:
    """A running machine; make it from the main thread, whose end ends it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder / name
        self.folder.mkdir(exist_ok=True)
        self._lock = Lock()
        place = self.folder / "init.sock"
        place.unlink(missing_ok=True)
        log = (self.folder / "init.log").open("ab")
        self._outside = child_process.start(
            [*_UNSHARE, sys.executable, "-I", "-S", str(_INIT), name, str(place)],
            environment={},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        log.close()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_ANSWER_S)
        try:
            wait_for(lambda: self._connects(place), f"machine {name} starts", _START_S)
            self.init = children(self._outside.pid)[0]
        except (MachineError, IndexError) as error:
            self.close()
            raise MachineError(
                f"machine {name} could not be made: {(self.folder / 'init.log').read_text().strip() or error}"
            ) from error
        self._answers = self._socket.makefile("rb")

    def start(self, service: Service) -> None:
        """Start a service, and keep it running."""
        program = shutil.which(service.argv[0])
        if program is None:
            raise MachineError(f"{service.argv[0]}: there is no such program")
        self._ask(
            "start",
            service=service.name,
            argv=[program, *service.argv[1:]],
            environment=dict(service.environment),
            log=str(self.log(service.name)),
        )

    def log(self, service: str) -> Path:
        """Return the file to which a service prints."""
        return self.folder / f"{service}.log"

    def hold(self, service: str) -> None:
        """Keep a service from being started again when it dies."""
        self._ask("hold", service=service)

    def release(self, service: str) -> None:
        """Start a service again, at once if it is dead."""
        self._ask("release", service=service)

    def pid(self, service: str) -> int | None:
        """Return the process of a service as this process sees it; None while it is dead."""
        inner = self._ask("look")[service]
        if inner is None:
            return None
        return next((pid for pid in children(self.init) if inner_pid(pid) == inner), None)

    def wait_for(self, service: str, other_than: int | None = None) -> int:
        """Wait until a service runs as a process other than one; its number.  Raises MachineError."""
        found: list[int] = []

        def runs() -> bool:
            pid = self.pid(service)
            found[:] = [] if pid is None or pid == other_than else [pid]
            return bool(found)

        wait_for(runs, f"{service} of {self.name} runs", _START_S)
        return found[0]

    def run(self, *argv: str, text: str = "") -> str:
        """Run a program on this machine, with the rights of this process; its output.  Raises MachineError."""
        done = subprocess.run(
            [*DYING_WITH_US, "nsenter", f"--target={self.init}", "--net", "--mount", "--uts", "--ipc", *argv],
            input=text,
            cwd="/",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=60,
        )
        if done.returncode:
            raise MachineError(f"{self.name}: {' '.join(argv)}: {done.stdout.strip()}")
        return done.stdout

    def processes(self) -> list[int]:
        """List all processes of this machine, as this process sees them."""
        return descendants(self.init)

    def power_off(self) -> None:
        """End all processes at once.  Cut the link before, or the kernel says goodbye to their peers."""
        with suppress(ProcessLookupError):
            os.kill(self.init, signal.SIGKILL)
        self._outside.wait()

    def close(self) -> None:
        """Stop and remove it."""
        self._socket.close()
        with suppress(ProcessLookupError):
            os.killpg(self._outside.pid, signal.SIGKILL)
        self._outside.wait()

    def _connects(self, place: Path) -> bool:
        if self._outside.poll() is not None:
            raise MachineError("its first process ended")
        with suppress(OSError):
            self._socket.connect(str(place))
            return True
        return False

    def _ask(self, do: str, **fields: object) -> dict[str, int | None]:
        with self._lock:
            try:
                self._socket.sendall(json.dumps({"do": do, **fields}).encode() + b"\n")
                line = self._answers.readline()
            except OSError as error:
                raise MachineError(f"{self.name} does not answer: {error}") from error
        if not line:
            raise MachineError(f"{self.name} is gone: {(self.folder / 'init.log').read_text().strip()}")
        answer: dict[str, int | None] = json.loads(line)
        return answer


def folder_of_run() -> Path:
    """Make the folder of this run, and remove those of runs that were killed."""
    temporary = Path("/tmp")  # noqa: S108 - always: the paths of Unix sockets must be short
    for left in temporary.glob(f"{_PREFIX}*"):
        number = left.name.removeprefix(_PREFIX)
        if number.isdecimal() and not Path(f"/proc/{number}").exists():
            shutil.rmtree(left, ignore_errors=True)
    folder = temporary / f"{_PREFIX}{os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o755)
    return folder


def why_not() -> str:
    """Return why no machines can be made here; empty if they can."""
    if os.geteuid() != 0:
        return "needs root, for namespaces of network and processes; run it with sudo"
    for program, package in (
        ("unshare", "util-linux"),
        ("nsenter", "util-linux"),
        ("setpriv", "util-linux"),
        ("ip", "iproute2"),
        ("iptables", "iptables"),
    ):
        if shutil.which(program) is None:
            return f"needs {program}; `deploy/test-packages --chaos` installs {package}"
    tried = subprocess.run(
        [*_UNSHARE, "ip", "link", "add", "name", "br0", "type", "bridge"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if tried.returncode:
        return f"may not make namespaces here: {tried.stdout.strip()}"
    return ""


def wait_for(holds: Callable[[], object], what: str, within_s: float, every_s: float = 0.05) -> float:
    """Wait for a condition; the seconds it took.  Raises MachineError."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > within_s:
            raise MachineError(f"not within {within_s:g} s: {what}")
        time.sleep(every_s)
    return time.monotonic() - began


def children(parent: int) -> list[int]:
    """List the processes whose parent this is."""
    found: list[int] = []
    for place in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, place.read_text().split())
    return sorted(found)


def descendants(parent: int) -> list[int]:
    """List all processes below one."""
    found = children(parent)
    for pid in found:
        found.extend(children(pid))
    return found


def inner_pid(pid: int) -> int:
    """Return the number that a process has in its own PID namespace; 0 if it is gone."""
    for line in _lines(pid, "status"):
        if line.startswith("NSpid:"):
            return int(line.split()[-1])
    return 0


def command_line(pid: int) -> str:
    """Return the command line of a process, empty if it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def send(pid: int, number: signal.Signals) -> bool:
    """Send a signal; False if the process is gone."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def _lines(pid: int, name: str) -> Iterator[str]:
    with suppress(OSError):
        yield from Path(f"/proc/{pid}/{name}").read_text().splitlines()


def keep_logs(folder: Path, target: Path) -> None:
    """Copy what the services of a run have printed."""
    for log in sorted(folder.glob("*/*.log")):
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(log, target / f"{log.parent.name}-{log.name}")
