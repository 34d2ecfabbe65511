"""The guard of a program that may be a stranger's: no process that the program starts outlives it, or the guard's parent.

Run as `python -I -S process_guard.py PARENT_PID PROGRAM ARGUMENT…`.  It starts the program, and ends as the program does,
after all of its descendants have been killed, those in sessions of their own and those without a parent among them: orphans
become children of the guard (PR_SET_CHILD_SUBREAPER of prctl(2)).  SIGTERM is passed on to the program.  SIGUSR1 kills
everything at once; the kernel sends it when the parent ends, even by SIGKILL (PR_SET_PDEATHSIG).  So does SIGHUP.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_SIGNALS = {signal.SIGUSR1, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD}
_TYPED = (signal.SIGINT, signal.SIGQUIT)
"""The signals that a terminal sends to its whole foreground group."""

_LOOK_AGAIN_S = 0.002
_KILL_S = 10.0
"""The time that the kernel may take to end processes that were killed, before those that remain are given up."""


def main() -> None:
    """Start the program, and wait for its end."""
    libc = ctypes.CDLL(None)
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # they wait until they are asked for
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would not be sent
    typed = {number: signal.signal(number, signal.SIG_IGN) for number in _TYPED}  # the program gets them, too
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGUSR1, 0, 0, 0)
    if os.getppid() != int(sys.argv[1]):
        os._exit(1)  # it is gone already
    guard = os.getpid()
    program = os.fork()
    if not program:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != guard:
            os._exit(1)
        if os.getsid(0) == guard:
            os.setsid()  # signals that the program sends to its own group must not reach the guard
        for each, handler in typed.items():
            signal.signal(each, handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - it is what this program is for
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)  # only the program holds the pipes open
    _end_as(_serve(program))


def _serve(program: int) -> int:
    """Handle signals until the program has ended; return its exit code, negative for a signal."""
    while True:
        match signal.sigwait(_SIGNALS):
            case signal.SIGTERM:
                with suppress(ProcessLookupError):
                    os.kill(program, signal.SIGTERM)
            case signal.SIGUSR1 | signal.SIGHUP:
                _kill_all()
                return -signal.SIGKILL
            case _:
                code = _reap().get(program)
                if code is not None:
                    _kill_all()
                    return code


def _reap() -> dict[int, int]:
    """Collect the children that have ended; return their exit codes."""
    codes: dict[int, int] = {}
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            codes[pid] = os.waitstatus_to_exitcode(status)
    return codes


def _kill_all() -> None:
    """Kill all descendants.  Those whose parents die become children, until none is left."""
    until = time.monotonic() + _KILL_S
    while _has_children() and time.monotonic() < until:
        for pid in _descendants():
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        _reap()
        time.sleep(_LOOK_AGAIN_S)


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _descendants() -> list[int]:
    """List all descendants, parents before their children."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            fields = (
                (folder / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            )
            children.setdefault(int(fields[1]), []).append(int(folder.name))
    found = [os.getpid()]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


def _end_as(code: int) -> None:
    """End with an exit code, or by a signal."""
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):  # SIGKILL cannot be handled, and needs not
            signal.signal(-code, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
