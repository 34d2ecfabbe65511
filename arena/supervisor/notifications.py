"""Notifications of the parts by systemd's protocol (arena/core/sd_notify.py), each with the process that the kernel names as sender."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")
"""struct ucred of unix(7): pid, uid, gid."""
_MAX_BYTES = 4096
_MAX_AT_A_TIME = 1000


class Notifications:
    """A socket that parts send datagrams to."""

    def __init__(self, path: Path) -> None:
        with suppress(FileNotFoundError):
            path.unlink()
        self.path = path
        self._socket = socket.socket(
            socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
        )
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._socket.bind(os.fspath(path))

    def read(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield what has come since the last call: the sender's pid, and what it said.  Never blocks."""
        for _ in range(_MAX_AT_A_TIME):
            try:
                data, ancillary, _flags, _sender = self._socket.recvmsg(
                    _MAX_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size)
                )
            except OSError:  # nothing more
                return
            for level, kind, value in ancillary:
                if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                    lines = data.decode(errors="replace").splitlines()
                    yield (
                        _CREDENTIALS.unpack(value)[0],
                        dict(line.split("=", 1) for line in lines if "=" in line),
                    )

    def close(self) -> None:
        """Listen no more."""
        self._socket.close()
        self.path.unlink(missing_ok=True)
