"""The guard of the bots' port against connections that never authenticate: few per origin, and for a limited time.

grpc accepts connections without telling the application, and has no limit per address.  So ten times a second this
process's file descriptors are checked, and these connections without a bot are closed:

    beyond `max_unauthenticated` of one origin    (an IP address, a local process, a sandbox)
    older than `unauthenticated_s`, over TCP

A TCP connection on which a bot has sent its Hello does not count any more; on a Unix socket grpc does not tell which
connection that is.  Reading and writing messages is not slowed down by any of this.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from stat import S_ISSOCK
from urllib.parse import unquote

from arena.net.client_groups import client_network, parse_address
from referee.limits.referee_limits import RefereeLimits

_log = logging.getLogger(__name__)

_DESCRIPTORS = "/proc/self/fd"
_TICKS_PER_FULL_CHECK = 10
"""Ticks after which the descriptors are checked even if their number has not changed."""
_CREDENTIALS = struct.Struct("3i")
"""struct ucred of unix(7): pid, uid, gid."""


@dataclass(frozen=True, slots=True)
class _Connection:
    """A connection to the bots' port."""

    origin: str
    """A key by which connections without a bot are counted."""
    peer: str
    """Its name as in `ConnectionGuard.on_hello`; empty on a Unix socket, where connections cannot be distinguished."""
    since_ms: float


class ConnectionGuard:
    """Limits connections without a bot.  Mutable; `on_tick` has to be called ten times a second."""

    def __init__(self, limits: RefereeLimits, addresses: Callable[[], Iterable[str]]) -> None:
        self._limits = limits
        self._addresses = addresses
        """Returns the addresses of the bots' port, once they are known."""
        self._bots: Counter[str] = Counter()
        """The number of connected bots, by peer."""
        self._known: dict[int, _Connection | None] = {}
        """By the socket's inode; None for a socket that is no connection to the bots' port."""
        self._ticks = 0
        self._descriptors = 0

    def on_hello(self, peer: str) -> None:
        """Count a bot that has sent its Hello; `peer` is grpc's name of the connection."""
        self._bots[_peer(peer)] += 1

    def on_stream_end(self, peer: str) -> None:
        """Count a bot whose stream has ended no longer."""
        self._bots[_peer(peer)] -= 1
        if not self._bots[_peer(peer)]:
            del self._bots[_peer(peer)]

    def on_tick(self, now_ms: float) -> None:
        """Close the connections that are too many or too old."""
        numbers = os.listdir(_DESCRIPTORS)  # noqa: PTH208 - numbers, ten times a second
        self._ticks += 1
        if len(numbers) == self._descriptors and self._ticks % _TICKS_PER_FULL_CHECK:
            return
        self._descriptors = len(numbers)
        sockets = {inode: int(number) for number in numbers if (inode := _socket(int(number)))}
        ports = frozenset(_port(address) for address in self._addresses())
        known = self._known
        self._known = {
            inode: known[inode] if inode in known else _inspect(number, inode, ports, now_ms)
            for inode, number in sockets.items()
        }
        for inode, connection in self._excess(now_ms):
            _shut_down(sockets[inode], inode)
            self._known[inode] = None
            _log.debug("closed a connection without a bot from %s (%s)", connection.origin, connection.peer)

    def _excess(self, now_ms: float) -> list[tuple[int, _Connection]]:
        """Return the connections to close, with their inodes."""
        origins: defaultdict[str, list[tuple[int, _Connection]]] = defaultdict(list)
        for inode, connection in self._known.items():
            if connection is not None and connection.peer in self._bots:
                self._known[inode] = replace(
                    connection, since_ms=now_ms
                )  # its time begins when its bot is gone
            elif connection is not None:
                origins[connection.origin].append((inode, connection))
        max_count = self._limits.max_unauthenticated
        oldest_ms = now_ms - self._limits.unauthenticated_s * 1000
        excess = []
        for connections in origins.values():
            if connections[0][1].peer:
                # The newest are kept: a bot among them sends its Hello soon, and then does not count any more.
                connections.sort(key=lambda each: each[1].since_ms, reverse=True)
                excess += connections[max_count:]
                excess += [each for each in connections[:max_count] if each[1].since_ms < oldest_ms]
            elif len(connections) > max_count:
                # The oldest are kept: one of them is the bot's own stream, if the process is a bot.
                connections.sort(key=lambda each: each[1].since_ms)
                excess += connections[max_count:]
        return excess


def _socket(number: int) -> int:
    """Return the unique inode of a socket; 0 if the descriptor is no socket, or has been closed meanwhile."""
    try:
        found = os.fstat(number)
    except OSError:
        return 0
    return found.st_ino if S_ISSOCK(found.st_mode) else 0


def _inspect(number: int, inode: int, ports: frozenset[str | int], now_ms: float) -> _Connection | None:
    connection = _share(number, inode)
    if connection is None:
        return None
    with connection, suppress(OSError):
        ours, theirs = connection.getsockname(), connection.getpeername()  # a listener has no peer: OSError
        if connection.family == socket.AF_UNIX and ours in ports:
            size = _CREDENTIALS.size
            pid, _, _ = _CREDENTIALS.unpack(
                connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
            )
            return _Connection(_pid_namespace_key(pid), "", now_ms)
        if connection.family in {socket.AF_INET, socket.AF_INET6} and ours[1] in ports:
            return _Connection(client_network(theirs[0]), _peer_name(theirs[0], theirs[1]), now_ms)
    return None


def _shut_down(number: int, inode: int) -> None:
    connection = _share(number, inode)
    if connection is not None:
        with connection, suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)  # grpc sees the end, and closes its descriptor itself


def _share(number: int, inode: int) -> socket.socket | None:
    """Duplicate one of grpc's sockets; None if it has been closed meanwhile, and its number perhaps reused."""
    try:
        copy = os.dup(number)
    except OSError:
        return None
    if _socket(copy) != inode:
        os.close(copy)
        return None
    return socket.socket(fileno=copy)


def _pid_namespace_key(pid: int) -> str:
    """Return the origin of a local process; all processes of one sandbox have the same, their PID namespace."""
    with suppress(OSError):
        space = Path(f"/proc/{pid}/ns/pid").readlink()
        if space != Path("/proc/self/ns/pid").readlink():
            return str(space)
    return f"pid {pid}"


def _peer_name(host: str, port: int | str) -> str:
    return f"{parse_address(host)} {port}"


def _peer(text: str) -> str:
    """Parse a peer as grpc writes it: `ipv4:192.0.2.1:4711`, `ipv6:%5B2001:db8::1%5D:4711`, `unix:`."""
    kind, _, rest = unquote(text).partition(":")
    if not kind.startswith("ipv"):
        return text
    host, _, port = rest.rpartition(":")
    return _peer_name(host.strip("[]"), port)


def _port(address: str) -> str | int:
    return address.removeprefix("unix:") if address.startswith("unix:") else int(address.rpartition(":")[2])
