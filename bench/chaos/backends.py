"""PostgreSQL and Redis, each on a machine of its own, with passwords and the settings that they come with.

PostgreSQL's data are on a file system of its own, in memory, which can be filled.  Both also listen on a Unix socket, by which
this process reaches them even if the network is cut.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from arena.supervisor import embedded_redis
from bench.chaos.machines import Machine, MachineError, Service, children, inner_pid, wait_for
from tests.parts.postgres_server import programs

VOLUME_MIB = 768
_START_S = 60.0
_PORT = 6379
_STUCK_S = 5
_TRIES = 50
_ASK_S = 1
"""Seconds that this process waits for a backend that is stopped."""


class Postgres:
    """A PostgreSQL server."""

    service = "postgres"

    def __init__(self, machine: Machine, address: str, volume_mib: int = VOLUME_MIB) -> None:
        self.machine = machine
        password = secrets.token_hex(16)
        self._volume_mib = volume_mib
        self._folder = machine.folder
        self._data = machine.folder / "volume" / "data"
        self.url = f"postgresql://arena:{password}@{address}/arena"
        self.own_url = f"postgresql://arena:{password}@/arena?host={self._folder}"
        self._initialise(password)
        machine.start(
            Service(
                self.service,
                [
                    *_as_postgres(),
                    str(_programs() / "postgres"),
                    *("-D", str(self._data), "-c", f"listen_addresses={address}"),
                    *("-c", f"unix_socket_directories={self._folder}"),
                ],
                {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
            )
        )
        wait_for(self.answers, "PostgreSQL answers", _START_S)

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        """Connect past the network.  Raises psycopg.Error."""
        return psycopg.connect(
            self.own_url, autocommit=True, connect_timeout=_ASK_S, application_name="chaos"
        )

    def answers(self) -> bool:
        """Whether it takes a command."""
        try:
            with self.connect() as connection:
                connection.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def backend_of(self, address: str) -> int | None:
        """Find the process that serves a connection of a machine, the one that worked last; None if there is none."""
        query = "SELECT pid FROM pg_stat_activity WHERE client_addr = %s ORDER BY state_change DESC LIMIT 1"
        with self.connect() as connection:
            row = connection.execute(query, (address,)).fetchone()
        server = self.machine.pid(self.service)
        if row is None or server is None:
            return None
        return next((pid for pid in children(server) if inner_pid(pid) == row[0]), None)

    def stores(self, connection: psycopg.Connection[tuple[object, ...]], address: str) -> bool:
        """Whether a machine is inside a transaction that has added a result, and which waits for it to go on."""
        query = (
            "SELECT 1 FROM pg_stat_activity a WHERE client_addr = %s AND state = 'idle in transaction'"
            " AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = a.pid"
            " AND l.relation = 'match_result'::regclass AND l.mode = 'RowExclusiveLock')"
        )
        return connection.execute(query, (address,)).fetchone() is not None

    def stuck(self) -> int:
        """Count sessions that wait for a lock, or that others may wait for, since their machine has gone silent."""
        query = (
            "SELECT count(*) FROM pg_stat_activity WHERE client_addr IS NOT NULL AND (wait_event_type = 'Lock'"
            " OR state LIKE 'idle in transaction%%') AND now() - state_change > %s * interval '1 s'"
        )
        with self.connect() as connection:
            row = connection.execute(query, (_STUCK_S,)).fetchone()
        return int(str(row[0])) if row else 0

    def terminate(self, address: str) -> int:
        """End all sessions of a machine, as an administrator would by hand; count them."""
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_addr = %s"
        with self.connect() as connection:
            return len(connection.execute(query, (address,)).fetchall())

    def fill_volume(self) -> None:
        """Leave no room on its volume."""
        fill(self.machine, self._data.parent)

    def free_volume(self) -> None:
        """Make room again."""
        make_room(self.machine, self._data.parent, self._volume_mib)

    def _initialise(self, password: str) -> None:
        volume, user = self._data.parent, _user()
        volume.mkdir()
        os.chown(self._folder, user.pw_uid, user.pw_gid)
        options = f"size={self._volume_mib}m,uid={user.pw_uid},gid={user.pw_gid},mode=700"
        self.machine.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", str(volume))
        word = self._folder / "password"
        word.write_text(password)
        os.chown(word, user.pw_uid, user.pw_gid)
        initdb = [
            *(str(_programs() / "initdb"), "-D", str(self._data), "-U", "arena", "--pwfile", str(word)),
            *("-A", "scram-sha-256", "--no-locale", "-E", "UTF8"),
        ]
        self.machine.run(*_as_postgres(), *initdb)
        allow = 'echo "host all all samenet scram-sha-256" >> "$0"'
        self.machine.run("sh", "-c", allow, str(self._data / "pg_hba.conf"))
        single = [str(_programs() / "postgres"), "--single", "-D", str(self._data), "postgres"]
        self.machine.run(*_as_postgres(), *single, text="CREATE DATABASE arena\n")


class RedisServer:
    """A Redis server."""

    service = "redis"

    def __init__(self, machine: Machine, address: str) -> None:
        self.machine = machine
        password = secrets.token_hex(16)
        self._folder = machine.folder
        self._socket = machine.folder / "redis.sock"
        self.url = f"redis://:{password}@{address}:{_PORT}/0"
        here = f"unix://:{password}@{self._socket}?db=0"
        self.client = Redis.from_url(here, socket_timeout=_ASK_S, socket_connect_timeout=_ASK_S)
        machine.start(
            Service(
                self.service,
                [
                    str(embedded_redis.find_program()),
                    *("--bind", address, "--port", str(_PORT), "--requirepass", password),
                    *("--unixsocket", str(self._socket), "--unixsocketperm", "700"),
                    *("--dir", str(self._folder), "--appendonly", "yes", "--save", ""),
                ],
                {"PATH": os.environ["PATH"]},
            )
        )
        wait_for(self.answers, "Redis answers", _START_S)

    def answers(self) -> bool:
        """Whether it takes a command."""
        with suppress(RedisError, OSError):
            return bool(self.client.ping())
        return False

    def forget(self) -> None:
        """Delete its files."""
        shutil.rmtree(self._folder / "appendonlydir", ignore_errors=True)


def fill(machine: Machine, volume: Path) -> None:
    """Leave no room on a tmpfs: make it as small as its contents.

    To write it full takes minutes where the machine has to find the memory first.
    """
    for _ in range(_TRIES):
        used = machine.run("df", "--output=used", "--block-size=1", str(volume)).split()[-1]
        with suppress(MachineError):  # it has grown meanwhile
            machine.run("mount", "-o", f"remount,size={used}", str(volume))
            return
    raise MachineError(f"{machine.name}: {volume}: could not be made as small as its content")


def make_room(machine: Machine, volume: Path, mib: int) -> None:
    """Give a tmpfs its size again."""
    machine.run("mount", "-o", f"remount,size={mib}m", str(volume))


def why_not() -> str:
    """Return which server is missing; empty if both are there."""
    if programs() is None:
        return "needs PostgreSQL's server programs; `deploy/test-packages --chaos` installs them"
    try:
        _user()
    except KeyError:
        return "needs the user postgres, since PostgreSQL refuses to run as root"
    return ""


def _programs() -> Path:
    found = programs()
    if found is None:
        raise MachineError(why_not())
    return found


def _user() -> pwd.struct_passwd:
    return pwd.getpwnam("postgres")


def _as_postgres() -> tuple[str, ...]:
    return ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
