"""`fork_server.py DESCRIPTOR MODULE [IMPORTED...]`: imports a module of ours and the games once, and forks a process that runs it for each message.

A message at the socket of that descriptor has the process that asks, the arguments, the environment and the folder, and
brings the new process's stdout and stderr.  The new process is no child of this one but of the one that asks, which
adopts it (PR_SET_CHILD_SUBREAPER), and which is told its pid.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import signal
import socket
import sys
import time

from arena.core.import_speed import collector_paused
from arena.games.registry import GAMES

_PR_SET_PDEATHSIG = 1
_MESSAGE_BYTES = 1 << 20


def main() -> None:
    """Serve until the other end of the socket is closed."""
    descriptor, name, *imported = sys.argv[1:]
    before = dict(os.environ)
    with collector_paused():
        program = importlib.import_module(f"{name}.__main__")
        for other in imported:
            importlib.import_module(other)
        len(GAMES)  # finds and loads them, as each program would
    settled = {name: value for name, value in os.environ.items() if before.get(name) != value}
    server = socket.socket(fileno=int(descriptor))
    while True:
        message, outputs, _, _ = socket.recv_fds(server, _MESSAGE_BYTES, 2)
        if not message:
            return
        between = os.fork()
        if not between:
            break
        os.waitpid(between, 0)
        for output in outputs:
            os.close(output)
    if os.fork():
        os._exit(0)
    asked = json.loads(message)
    _await_parent(asked["parent"])
    server.send(str(os.getpid()).encode())
    server.close()
    os.setsid()
    for output, standard in zip(outputs, (1, 2), strict=True):
        os.dup2(output, standard)
        os.close(output)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update({**settled, **asked["environment"]})
    sys.argv = [str(program.__file__), *asked["arguments"]]
    program.main()


def _await_parent(parent: int) -> None:
    """Wait until that process is the parent of this one, which is killed when it ends."""
    until = time.monotonic() + 10
    while os.getppid() != parent and time.monotonic() < until:
        time.sleep(0.0005)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    main()
