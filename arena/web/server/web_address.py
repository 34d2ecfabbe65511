"""The address that the web serves on.  Imported before the app is, so it needs nothing but the standard library."""

from __future__ import annotations

import socket

from arena.core.errors import UsageError

BACKLOG = 2048


def listen(host: str, port: int) -> socket.socket:
    """Bind the address.  Raises UsageError where it is taken or not ours."""
    try:
        return socket.create_server((host, port), family=_family(host), backlog=BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            f"address {host}:{port}: {reason}; choose another with --host or --port, or stop the program that has it"
        ) from error


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
