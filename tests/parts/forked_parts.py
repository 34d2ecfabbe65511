"""Parts of an arena that start in a moment: forked from a process that has imported them, which takes most of a start.

Each is a process of its own that runs the same program, with the environment, arguments and output that it was given.
`arena up` and the tests of the programs themselves start them with `python -m`.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest

from arena.core import child_process

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SERVER = Path(__file__).with_name("fork_server.py")
IMPORTED: dict[str, tuple[str, ...]] = {
    "workers": (),
    "referee": (),
    "arena.web": ("arena.web.server.app_factory",),
}
"""The modules that are forked, and what else each of them imports when it starts."""
_PR_SET_CHILD_SUBREAPER = 36
_start = child_process.start


class Adopted(subprocess.Popen[bytes]):
    """A process that another has forked, and that is this one's child: it is ended and waited for like those it started."""

    def __init__(self, pid: int, stdout: IO[bytes] | None) -> None:
        self.args = ()
        self.pid = pid
        self.returncode: int | None = None
        self.stdin = self.stderr = None
        self.stdout = stdout
        self._child_created = True
        self._waitpid_lock = threading.Lock()


class ForkServer:
    """A process that has imported one of our modules (`fork_server.py`)."""

    def __init__(self, module: str) -> None:
        self._socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            other.set_inheritable(True)
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-B", str(SERVER), str(other.fileno()), module, *IMPORTED[module]],
                stdin=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
            )

    def start(
        self,
        arguments: Sequence[str],
        *,
        environment: Mapping[str, str],
        cwd: Path | None = None,
        stdout: int | IO[bytes] | None = None,
        stderr: int | IO[bytes] | None = None,
    ) -> Adopted:
        """Start the module's program, in this environment and no other."""
        asked = {
            "parent": os.getpid(),
            "arguments": arguments,
            "environment": dict(environment),
            "folder": str(cwd or Path.cwd()),
        }
        with ExitStack() as closing:
            reader = None
            if stdout == subprocess.PIPE:
                end, stdout = os.pipe()
                closing.callback(os.close, stdout)
                reader = os.fdopen(end, "rb")
            outputs = [_descriptor(stdout, 1), _descriptor(stderr, 2)]
            closing.enter_context(_adopting())
            socket.send_fds(self._socket, [json.dumps(asked).encode()], outputs)
            pid = int(self._socket.recv(100))
        return Adopted(pid, reader)

    def close(self) -> None:
        self._socket.close()
        self._process.wait()


@functools.cache
def server_of(module: str) -> ForkServer:
    """Return what forks a module for this process, and ends with it."""
    server = ForkServer(module)
    atexit.register(server.close)
    return server


def start(
    arguments: Sequence[str], *, environment: Mapping[str, str], private: bool = True, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a program as `child_process.start` does, forked where it is one of our modules."""
    module, its_own = _module(arguments)
    if module not in IMPORTED or "terminal" in options or options.get("stderr") == subprocess.PIPE:
        return _start(arguments, environment=environment, private=private, **options)
    given = {**os.environ, **environment}
    given = given if private else child_process.without_private(given)
    return server_of(module).start(its_own, environment=given, **options)


@pytest.fixture(autouse=True, scope="package")
def forked() -> Iterator[None]:
    """For the `conftest.py` of a folder: fork each part of an arena that its tests start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(child_process, "start", start)
        yield


def _module(arguments: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return which module a command line runs, "" if none, and with which arguments."""
    if arguments[0] != sys.executable or "-m" not in arguments:
        return "", ()
    at = arguments.index("-m")
    return arguments[at + 1], arguments[at + 2 :]


def _descriptor(output: int | IO[bytes] | None, standard: int) -> int:
    if output is None:
        return standard
    return output if isinstance(output, int) else output.fileno()


@contextmanager
def _adopting() -> Iterator[None]:
    """Become the parent of processes below this one whose own parent ends meanwhile."""
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
