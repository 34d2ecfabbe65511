"""The fork server: a process that has imported what every bot in Python needs, and becomes each bot by a fork; other programs it executes.

Run as `python fork_server.py CONTROL CONFIG`: CONTROL is the number of an inherited Unix socket (SOCK_SEQPACKET), CONFIG is
JSON: `path`, where to import from, among it the folder of `inside.py`; `modules`, what to import; `proc`, the number of an
inherited descriptor of /proc, null where that is there.

    referee → server    `fork`, with four descriptors: the bot's order, its output, what it writes to when it begins, and
                        what it reads a byte from when it may
    server → referee    `ready NAME …`     the top-level modules that it has, once
                        `forked PID`       in the order of the requests
                        `ended PID CODE`   as subprocess.Popen has it: negative for a signal

It never runs a bot's code, and never sees an order, which has a bot's token: only the child reads it from its descriptor.
A child waits until it may begin, so that the referee can put it under watch first.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

_PR_SET_PDEATHSIG = 1
_ARG_START = 45
"""The field of /proc/PID/stat that has the address of the command line, counted from the state on (proc(5): 48 and 3)."""
_MAX_BYTES = 64
_DESCRIPTORS = 4
_READ_BYTES = 65536


def main() -> None:
    """Serve until the referee is gone; in a child, become the bot."""
    control = socket.socket(fileno=int(sys.argv[1]))
    config = json.loads(sys.argv[2])
    standard = sys.path[:]
    sys.path[:] = [*config["path"], *standard]
    for name in ("inside", *config["modules"]):
        import_module(name)
    sys.path[:] = standard
    # Imported objects stay for good: a child's collector need not write to their pages.
    gc.collect()
    gc.freeze()
    title = _title_memory(config["proc"])
    control.send(" ".join(["ready", *sorted({name.partition(".")[0] for name in sys.modules})]).encode())
    order = _serve(control)
    if order is not None:
        _set_title(title, order["title"])
        _become(order)


def _serve(control: socket.socket) -> dict[str, Any] | None:
    """Fork for each request.  Returns the order in a child that is to become a bot; None when the referee is gone."""
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # it ends after the referee
    server, libc = os.getpid(), ctypes.CDLL(None)
    wanted = control.fileno()
    while True:
        readable, _, _ = select.select([wanted, woken], [], [])
        if woken in readable:
            with suppress(BlockingIOError):
                os.read(woken, _READ_BYTES)
            _reap(control)
        if wanted not in readable:
            continue
        message = b""
        descriptors: list[int] = []
        with suppress(ConnectionResetError):  # the referee was killed before it had read all
            message, descriptors, _, _ = socket.recv_fds(control, _MAX_BYTES, _DESCRIPTORS)
        if not message:
            return None
        alone, until_alone = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            os.close(alone)
            os.close(until_alone)
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            os.close(woken)
            os.close(wake)
            control.close()
            return _order(libc, server, descriptors)
        for descriptor in (*descriptors, until_alone):
            os.close(descriptor)
        os.read(alone, 1)  # until it leads its own process group, by which it can be killed
        os.close(alone)
        _tell(control, f"forked {child}")


def _reap(control: socket.socket) -> None:
    """Report the children that have ended."""
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            _tell(control, f"ended {pid} {os.waitstatus_to_exitcode(status)}")


def _tell(control: socket.socket, message: str) -> None:
    with suppress(OSError):  # the referee is gone: that is noticed when the next message is read
        control.send(message.encode())


def _order(libc: ctypes.CDLL, server: int, descriptors: list[int]) -> dict[str, Any]:
    """Connect a child's output, wait until it may begin, and read its order.  Ends the process if it may not."""
    order, output, ready, go = descriptors
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    if os.getppid() != server or not os.read(go, 1):
        os._exit(1)  # it, or the referee, is gone
    read: dict[str, Any] = json.loads(os.pread(order, os.fstat(order).st_size, 0))
    for descriptor in (order, output, go):
        os.close(descriptor)
    return {**read, "ready": -1 if read["sandbox"] is None else ready}


def _title_memory(proc: int | None) -> tuple[int, int]:
    """Return the address and length of the command line in memory.  `proc` is a descriptor of /proc."""
    with open(
        "/proc/self/stat" if proc is None else "self/stat", opener=partial(os.open, dir_fd=proc)
    ) as file:
        fields = file.read().rpartition(")")[2].split()
    start, end = int(fields[_ARG_START]), int(fields[_ARG_START + 1])
    return start, end - start


def _set_title(memory: tuple[int, int], title: str) -> None:
    """Set the name of the process in lists of processes: the server's own command line does not identify the bot."""
    start, length = memory
    ctypes.memmove(start, title.encode()[: length - 1].ljust(length, b"\0"), length)


def _become(order: dict[str, Any]) -> None:
    """Become the bot, in a separate sandbox if the order has one."""
    os.environ.clear()
    os.environ.update(order["environment"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    inside = sys.modules["inside"]
    if order["sandbox"] is not None:
        inside.enclose(order["sandbox"])
    path, file = order["path"], order["file"]
    sys.path[:] = [*path[:-1], *sys.path, *path[-1:]]
    sys.argv = [file]
    inside.become(file, order["arguments"], order["ready"])


if __name__ == "__main__":
    main()
