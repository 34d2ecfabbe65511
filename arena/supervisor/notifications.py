"""Reports of the parts by systemd's notify protocol (arena/core/sd_notify.py), each with its sender as the kernel names it."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")
"""struct ucred of unix(7): pid, uid, gid."""
_MAX_BYTES = 4096
_MAX_AT_A_TIME = 1000


class Notifications:
    """A socket that parts send datagrams to."""

    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._path = path
        self._socket = socket.socket(
            socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
        )
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._socket.bind(os.fspath(path))

    def read(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the pid of each sender since the last call, with its report.  Never blocks."""
        for _ in range(_MAX_AT_A_TIME):
            try:
                data, ancillary, _flags, _sender = self._socket.recvmsg(
                    _MAX_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size)
                )
            except OSError:  # nothing more
                return
            lines = data.decode(errors="replace").splitlines()
            report = dict(line.split("=", 1) for line in lines if "=" in line)
            for level, kind, value in ancillary:
                if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                    yield _CREDENTIALS.unpack(value)[0], report

    def close(self) -> None:
        """Close and remove the socket."""
        self._socket.close()
        self._path.unlink(missing_ok=True)
