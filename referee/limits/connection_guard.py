"""Who stands at the bots' port without being a bot: few from one place, and not for long.

grpc takes connections by itself, tells nobody, and knows no limit per address.  So ten times a second we look through
our own file descriptors, and hang up on

    strangers of one place beyond `max_strangers`        (a place: an IP address, a local process, a sandbox)
    strangers older than `stranger_s`, over TCP

A connection over TCP on which a bot has said Hello is no stranger's and counts no more; on a Unix socket grpc does
not say which one that is.  All this costs nothing where messages are read and written.
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

_FOLDER = "/proc/self/fd"
_FULL_ROUND = 10
"""Every how many rounds we look even if there are as many descriptors as before."""
_CREDENTIALS = struct.Struct("3i")
"""struct ucred of unix(7): pid, uid, gid."""


@dataclass(frozen=True, slots=True)
class _Caller:
    """A connection to the bots' port."""

    place: str
    """Where it comes from: strangers are counted by this."""
    peer: str
    """As `ConnectionGuard.welcome` names it; empty on a Unix socket, where connections cannot be told apart."""
    since_ms: float


class ConnectionGuard:
    """One per referee.  Mutable; give `patrol` to the timekeeper."""

    def __init__(self, limits: RefereeLimits, addresses: Callable[[], Iterable[str]]) -> None:
        self._limits = limits
        self._addresses = addresses
        """Gives the bots' addresses that are listened at, once they are known."""
        self._bots: Counter[str] = Counter()
        self._known: dict[int, _Caller | None] = {}
        """By the socket's inode; None for what is no connection to the bots' port."""
        self._rounds = 0
        self._count = 0

    def welcome(self, peer: str) -> None:
        """Take note that a bot has said Hello over the connection that grpc gives this name."""
        self._bots[_peer(peer)] += 1

    def farewell(self, peer: str) -> None:
        """Take note that its stream has ended."""
        self._bots[_peer(peer)] -= 1
        if not self._bots[_peer(peer)]:
            del self._bots[_peer(peer)]

    def patrol(self, now_ms: float) -> None:
        """Look who is there."""
        numbers = os.listdir(_FOLDER)  # noqa: PTH208 - numbers, ten times a second
        self._rounds += 1
        if len(numbers) == self._count and self._rounds % _FULL_ROUND:
            return
        self._count = len(numbers)
        sockets = {inode: int(number) for number in numbers if (inode := _socket(int(number)))}
        ports = frozenset(_port(address) for address in self._addresses())
        known = self._known
        self._known = {
            inode: known[inode] if inode in known else _look(number, inode, ports, now_ms)
            for inode, number in sockets.items()
        }
        for inode, caller in self._excess(now_ms):
            _hang_up(sockets[inode], inode)
            self._known[inode] = None
            _log.debug("hung up on %s (%s)", caller.place, caller.peer)

    def _excess(self, now_ms: float) -> list[tuple[int, _Caller]]:
        """Choose on whom to hang up."""
        places: defaultdict[str, list[tuple[int, _Caller]]] = defaultdict(list)
        for inode, caller in self._known.items():
            if caller is not None and caller.peer in self._bots:
                self._known[inode] = replace(caller, since_ms=now_ms)  # once its bot is gone, its time begins
            elif caller is not None:
                places[caller.place].append((inode, caller))
        most = self._limits.max_strangers
        oldest_ms = now_ms - self._limits.stranger_s * 1000
        excess = []
        for strangers in places.values():
            if strangers[0][1].peer:
                # The newest may stay: a bot among them says Hello in a moment, and then is no stranger.
                strangers.sort(key=lambda each: each[1].since_ms, reverse=True)
                excess += strangers[most:]
                excess += [each for each in strangers[:most] if each[1].since_ms < oldest_ms]
            elif len(strangers) > most:
                # The oldest may stay: one of them is the process's own bot, if it is one.
                strangers.sort(key=lambda each: each[1].since_ms)
                excess += strangers[most:]
        return excess


def _socket(number: int) -> int:
    """Return the inode of a socket, which no other has; 0 for what is none, or has been closed in the meantime."""
    try:
        found = os.fstat(number)
    except OSError:
        return 0
    return found.st_ino if S_ISSOCK(found.st_mode) else 0


def _look(number: int, inode: int, ports: frozenset[str | int], now_ms: float) -> _Caller | None:
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
            return _Caller(_pid_namespace_key(pid), "", now_ms)
        if connection.family in {socket.AF_INET, socket.AF_INET6} and ours[1] in ports:
            return _Caller(client_network(theirs[0]), _name(theirs[0], theirs[1]), now_ms)
    return None


def _hang_up(number: int, inode: int) -> None:
    connection = _share(number, inode)
    if connection is not None:
        with connection, suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)  # grpc sees the end, and closes its descriptor itself


def _share(number: int, inode: int) -> socket.socket | None:
    """Get hold of a connection that is grpc's; None if it has been closed, and its number perhaps given to another."""
    try:
        copy = os.dup(number)
    except OSError:
        return None
    if _socket(copy) != inode:
        os.close(copy)
        return None
    return socket.socket(fileno=copy)


def _pid_namespace_key(pid: int) -> str:
    """Name a local process; all processes of one sandbox have one name, that of their PID namespace."""
    with suppress(OSError):
        space = Path(f"/proc/{pid}/ns/pid").readlink()
        if space != Path("/proc/self/ns/pid").readlink():
            return str(space)
    return f"pid {pid}"


def _name(host: str, port: int | str) -> str:
    return f"{parse_address(host)} {port}"


def _peer(text: str) -> str:
    """Read a peer as grpc writes it: `ipv4:192.0.2.1:4711`, `ipv6:%5B2001:db8::1%5D:4711`, `unix:`."""
    kind, _, rest = unquote(text).partition(":")
    if not kind.startswith("ipv"):
        return text
    host, _, port = rest.rpartition(":")
    return _name(host.strip("[]"), port)


def _port(address: str) -> str | int:
    return address.removeprefix("unix:") if address.startswith("unix:") else int(address.rpartition(":")[2])
