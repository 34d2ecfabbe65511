"""A supervisor of the tests' own: hears what a part tells of itself by systemd's notify protocol."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LONGEST_S = 60.0


class Supervisor:
    """Hears one part, at the address that is to be its NOTIFY_SOCKET."""

    def __init__(self, listener: socket.socket, address: Path) -> None:
        self._listener = listener
        self.address = str(address)

    def hear(self, awaited: str) -> list[str]:
        """Listen until something is told; all that was told until then, it included."""
        told: list[str] = []
        while awaited not in told:
            told.extend(self._listener.recv(4096).decode().splitlines())
        return told


@contextmanager
def listening(folder: Path) -> Iterator[Supervisor]:
    """Listen at a socket in a folder; a part that tells nothing for a minute is a failure."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        address = folder / "notify"
        listener.bind(str(address))
        listener.settimeout(_LONGEST_S)
        yield Supervisor(listener, address)
