"""The address of a monitoring port, which must not be open to strangers."""

from __future__ import annotations

import socket
from ipaddress import ip_address

from arena.core.errors import UsageError
from arena.net.address_policy import look_up, why_forbidden

VARIABLE = "ARENA_MONITORING"


def listen(text: str) -> socket.socket:
    """Bind HOST:PORT.  Raises UsageError where it is public, taken, or not this machine's.

    Loopback and private addresses are accepted, and the wildcard, which containers need; an address that can be reached from
    the internet is refused, since neither metrics nor checks ask who is there.
    """
    host, _, port = text.rpartition(":")
    host = host.strip("[]")
    try:
        found = [ip_address(each) for each in look_up(host)]
    except OSError as error:
        raise UsageError(f"{VARIABLE} {text!r}: {host} has no address: {error.strerror or error}") from error
    if public := next((each for each in found if not why_forbidden(each)), None):
        raise UsageError(
            f"{VARIABLE} {text!r}: {public} is a public address, where strangers could read the metrics; use a loopback or"
            " private address, and a proxy that asks for a password where Prometheus is elsewhere"
        )
    family = socket.AF_INET6 if found[0].version == 6 else socket.AF_INET
    try:
        return socket.create_server((str(found[0]), int(port)), family=family)
    except OSError as error:
        raise UsageError(
            f"{VARIABLE} {text!r}: {error.strerror or error}; each process on a machine needs a port of its own"
        ) from error


def following(text: str, number: int) -> str:
    """Return the address `number` ports further on; empty if there is none."""
    if not text:
        return ""
    host, _, port = text.rpartition(":")
    return f"{host}:{int(port) + number}"
