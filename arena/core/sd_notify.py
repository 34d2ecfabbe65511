"""Reports of this program's state to the one that started it, by systemd's notify protocol (sd_notify(3)).

`arena up` listens to its parts that way; under systemd (`Type=notify`, `WatchdogSec=`) the same parts report to systemd.
"""

from __future__ import annotations

import os
import socket
import threading
from contextlib import suppress
from functools import lru_cache

VARIABLE = "NOTIFY_SOCKET"
"""The environment variable with the path of the supervisor's socket; `@` begins an abstract one."""
ALIVE = "WATCHDOG=1"
READY = "READY=1"
STOPPING = "STOPPING=1"


def extend_timeout(seconds: float) -> str:
    """Return the assignment that makes systemd wait this long for the start or stop, over what the unit says."""
    return f"EXTEND_TIMEOUT_USEC={round(seconds * 1e6)}"


_lock = threading.Lock()
"""Held while the connection is made: threads that report for the first time at the same moment get the same one."""


def tell(*assignments: str) -> None:
    """Send assignments such as `STATUS=importing`; without a supervisor, or where it does not listen, do nothing."""
    with _lock:
        connection = _connection()
    if connection is not None:
        with suppress(OSError):  # it has gone, or has too much unread: never wait for it
            connection.send("\n".join(assignments).encode())


@lru_cache(maxsize=1)
def _connection() -> socket.socket | None:
    address = os.environ.pop(VARIABLE, "")  # not for this process's children: it is asked about, not they
    if not address:
        return None
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK)
    try:
        made.connect("\0" + address[1:] if address.startswith("@") else address)
    except OSError:
        made.close()
        return None
    return made
