"""Child processes that never outlive their parent, not even one that is killed with SIGKILL (on Linux; elsewhere one that is not)."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

_DIE_WITH_PARENT = """
import ctypes, os, signal, sys
PR_SET_PDEATHSIG = 1  # the kernel kills this process when the thread that started it ends (Linux, prctl(2))
if hasattr(ctypes.CDLL(None), "prctl"):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
if os.getppid() != int(sys.argv[1]):
    os._exit(1)  # it is gone already
os.execvp(sys.argv[2], sys.argv[2:])
"""

_GUARD = Path(__file__).with_name("guard") / "process_guard.py"

_PR_SET_PDEATHSIG = 1
_PRIVATE = frozenset({"ARENA_DATABASE_URL", "ARENA_REDIS_URL", "ARENA_SECRET"})
_PRIVATE_PREFIX = "PG"
"""PostgreSQL's own variables, such as PGPASSWORD."""


def without_private(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the variables that give access to the store, Redis, or browsers' sessions."""
    return {
        name: value
        for name, value in environment.items()
        if name not in _PRIVATE and not name.startswith(_PRIVATE_PREFIX)
    }


def has_death_signal() -> bool:
    """Return whether the kernel can end a process with its parent: Linux can, macOS cannot."""
    return hasattr(ctypes.CDLL(None), "prctl")


def die_with(parent: int) -> None:
    """Have the kernel, where it can, kill this process when the thread that started it in process `parent` ends."""
    if has_death_signal():
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # it has ended already


def name(pid: int) -> str:
    """Return a name for a process that is unique among all machines."""
    return f"{socket.gethostname()}-{pid}"


def keep_private() -> None:
    """Set the umask so that files which this process and its children make are readable by their user alone.

    From then on Python writes no bytecode: it would go next to the code, which other users run too.
    """
    os.umask(0o077)
    sys.dont_write_bytecode = True


def module(name: str, *arguments: str) -> tuple[str, ...]:
    """Return the command line that runs one of our own modules.

    The current folder is kept off the path: a `queue.py` there would hide the library's.
    It writes no bytecode (`keep_private`).
    """
    return (sys.executable, "-P", "-B", "-m", name, *arguments)


def start(
    arguments: Sequence[str],
    *,
    environment: Mapping[str, str],
    cwd: Path | None = None,
    stdout: int | IO[bytes] | None = None,
    stderr: int | IO[bytes] | None = None,
    terminal: bool = False,
    private: bool = True,
    guarded: bool = False,
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own that dies with this one.  Call it from the main thread.

    With `guarded`, a small process (8 MB) stays in between and ends all processes that the program has started, whatever ends
    first (guard/process_guard.py; Linux only); `stop_guarded` and `kill_guarded` end it.

    `environment` is added to this process's own; with `private` off, nothing in it leads to the store or Redis.  A small Python comes in between (10 ms) and asks the kernel for the
    death signal: code that runs between fork and exec of a process with grpc's threads crashes now and then.
    With `terminal` it reads what is typed here, and so stays in this process's group.
    """
    given = {**os.environ, **environment}
    return subprocess.Popen(
        [
            *(sys.executable, "-I", "-S"),
            *((str(_GUARD),) if guarded and has_death_signal() else ("-c", _DIE_WITH_PARENT)),
            *(str(os.getpid()), *arguments),
        ],
        env=given if private else without_private(given),
        cwd=cwd,
        stdin=None if terminal else subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        start_new_session=not terminal,
    )


def stop(process: subprocess.Popen[bytes], *, grace_s: float) -> None:
    """End a process that `start` began: SIGTERM to it, and SIGKILL to its whole group after the grace time."""
    if process.poll() is None:
        process.terminate()
    await_end(process, grace_s=grace_s)


def await_end(process: subprocess.Popen[bytes], *, grace_s: float) -> None:
    """Wait for the end of a process that was asked to stop, and send SIGKILL to its whole group after the grace time."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(grace_s)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def stop_guarded(process: subprocess.Popen[bytes], *, grace_s: float) -> None:
    """End a guarded program: SIGTERM to it, and SIGKILL to all that it has started after the grace time."""
    if process.poll() is None:
        process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(grace_s)
    kill_guarded(process)
    process.wait()


def kill_guarded(process: subprocess.Popen[bytes]) -> None:
    """Kill a guarded program, and all that it has started; where there is no guard, its process group."""
    if has_death_signal():
        process.send_signal(signal.SIGUSR1)  # does nothing once it has ended
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
