"""Asking a server for a sign of life without ever waiting for it: the answer is looked for at the next look."""

from __future__ import annotations

import errno
import socket
import time

_MAX_ANSWER_BYTES = 64 * 1024
_PATIENCE_S = 60.0
"""Seconds without the end of an answer after which the question is repeated: a connection may have been lost."""


class LivenessProbe:
    """A request that is sent again and again, each time over a connection of its own.  Mutable."""

    def __init__(
        self, address: str | tuple[str, int], request: bytes, *, end: bytes = b"", every_s: float = 2.0
    ) -> None:
        """Ask at an address: the path of a Unix socket, or host and port.

        The answer ends with `end`, or, if that is empty, when the server closes the connection.
        """
        self._address = address
        self._request = request
        self._end = end
        self._every_s = every_s
        self._asked_at = -every_s
        self._connection: socket.socket | None = None
        self._sent = False
        self._answer = b""

    def look(self) -> bytes:
        """Return the answer if one has come since the last look, else nothing.  Never blocks."""
        now = time.monotonic()
        if self._connection is not None and now - self._asked_at > _PATIENCE_S:
            self.close()
        try:
            if self._connection is None:
                if now - self._asked_at < self._every_s:
                    return b""
                self._ask(now)
            return self._read()
        except OSError:  # no one listens, or the connection is closed
            self.close()
            return b""

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _ask(self, now: float) -> None:
        family = socket.AF_UNIX if isinstance(self._address, str) else socket.AF_INET
        self._asked_at, self._sent, self._answer = now, False, b""
        self._connection = socket.socket(family, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        code = self._connection.connect_ex(self._address)
        if code not in {0, errno.EINPROGRESS}:
            raise OSError(code, "not connected")

    def _read(self) -> bytes:
        assert self._connection is not None  # noqa: S101 - asked before
        try:
            if not self._sent:
                self._connection.sendall(self._request)  # smaller than any socket's buffer
                self._sent = True
            while read := self._connection.recv(4096):
                self._answer += read
                if (self._end and self._answer.endswith(self._end)) or len(self._answer) > _MAX_ANSWER_BYTES:
                    break
        except BlockingIOError:
            return b""
        self.close()
        return self._answer
