"""Addresses of the wire: one small grammar for all that is dialled.

    unix:/path              a Unix socket, in the clear
    host:port               TLS, unless the host is this machine (localhost, 127.0.0.0/8, [::1])
    https://host:port       TLS
    http://host:port        in the clear

A host is a name, an IPv4 address, or an IPv6 address in brackets; a port is 1 to 65535.
"""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import quote

from arena.core import host_and_port
from arena.core.errors import UsageError
from arena.core.translatable import say

_DIALLED = re.compile(rf"(?P<unix>unix:/.+)|(?:(?P<scheme>https?)://)?(?P<target>{host_and_port.PATTERN})")


@dataclass(frozen=True, slots=True)
class Address:
    """Where to dial, and whether with TLS."""

    target: str
    """As gRPC writes it: `host:port` or `unix:/path`."""
    tls: bool
    authority: str = ""
    """Name of the other side if the target does not have it: TLS asks for this name."""


def parse(text: str, *, tls: bool = True) -> Address:
    """Read an address; `tls` is what holds for other machines where it does not say.  Raises UsageError."""
    found = _DIALLED.fullmatch(text)
    if found and found["unix"]:
        return Address(text, tls=False)
    if not found or not 0 < int(found["port"]) < 1 << 16:
        raise UsageError(
            say(
                "address {text!r}: must be HOST:PORT, https://HOST:PORT, http://HOST:PORT or unix:/PATH, with a port from"
                " 1 to 65535",
                text=text,
            )
        )
    target = found["target"]
    return Address(target, found["scheme"] == "https" if found["scheme"] else tls and not is_local(target))


def is_local(target: str) -> bool:
    """Return whether `host:port` or `unix:/path` is on this machine, judged by what it says: no name is looked up."""
    if target.startswith("unix:"):
        return True
    host = target.rpartition(":")[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_own(target: str) -> bool:
    """Return whether `host:port` or `unix:/path` is on this machine: loopback, its own name, or an address of its interfaces."""
    if is_local(target):
        return True
    host = target.rpartition(":")[0].strip("[]")
    try:
        family = socket.AF_INET6 if ip_address(host).version == 6 else socket.AF_INET
    except ValueError:
        return host == socket.gethostname()
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((host, 0))  # which only an address of one's own allows; nothing is sent
        except OSError:
            return False
    return True


def grpc_target(target: str) -> str:
    """Write `host:port` or `unix:/path` for gRPC, which reads the path of a socket as part of a URL."""
    return f"unix:{quote(target.removeprefix('unix:'))}" if target.startswith("unix:") else target


def means_this_machine(target: str) -> bool:
    """Return whether an address means the machine that uses it: loopback, or the wildcard of all interfaces."""
    host = target.rpartition(":")[0].strip("[]")
    try:
        return is_local(target) or ip_address(host).is_unspecified
    except ValueError:
        return host in {"", "*"}


def read_tls(text: str) -> bool:
    """Read ARENA_TLS: `on` (as is its being empty) or `off`.  Raises UsageError."""
    if text not in {"", "on", "off"}:
        raise UsageError(f"ARENA_TLS {text!r}: must be on or off")
    return text != "off"
