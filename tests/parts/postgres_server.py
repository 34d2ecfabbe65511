"""A PostgreSQL server of the tests' own: made by initdb in a temporary directory, on a Unix socket, gone afterwards.

initdb refuses to run as root, so it is run as `postgres` or `nobody` then.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

import psycopg
import pytest

_FASTER = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c shared_buffers=16MB -c max_connections=40"


NO_SETTINGS: Mapping[str, str] = {}


def programs() -> Path | None:
    """The folder of the newest server programs there are."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name), reverse=True
    )
    found = shutil.which("initdb")
    return folders[0] if folders else Path(found).parent if found else None


@dataclass(frozen=True, slots=True)
class Server:
    """A running server; its databases are dropped with it."""

    socket: Path
    _numbers: Iterator[int]
    _control: Callable[..., None]

    def restart(self) -> None:
        """Stop it at once, as in a crash, and start it again."""
        self._control("-m", "immediate", "stop")
        self._control("start")

    def take_base_backup(self, folder: Path) -> None:
        """Copy all databases as they lie on the disk, without the write-ahead log."""
        found = programs()
        assert found is not None
        _run(
            _user(),
            found / "pg_basebackup",
            "-h",
            self.socket,
            "-U",
            "arena",
            "-D",
            folder,
            "-X",
            "none",
            "-c",
            "fast",
        )

    def url(self, database: str) -> str:
        return f"postgresql://arena@/{database}?host={self.socket}"

    def new_database(self, template: str = "template0") -> str:
        """Make a database and give its URL."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(
            host=str(self.socket), user="arena", dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.url(name)


@contextmanager
def folder() -> Iterator[Path]:
    """Make a folder of the server's user."""
    with tempfile.TemporaryDirectory(prefix="arena-pg-") as text:
        made = Path(text)
        _give(made)
        yield made


def make_folder(path: Path) -> None:
    """Make a folder for the server's user."""
    path.mkdir(mode=0o700)
    _give(path)


def _give(path: Path) -> None:
    user = _user()
    if user is not None:
        os.chown(path, user.pw_uid, user.pw_gid)


@contextmanager
def running(data: Path | None = None, settings: Mapping[str, str] = NO_SETTINGS) -> Iterator[Server]:
    """Run a server, on a folder of data if one is given; where its programs are missing the test is left out."""
    bin_folder = programs()
    if bin_folder is None:
        pytest.skip("PostgreSQL's server programs are missing: apt-get install postgresql")
    user = _user()
    with folder() as place:
        if data is None:
            data = place / "data"
            made = ("-U", "arena", "-A", "trust", "-N", "--no-locale", "-E", "UTF8")
            _run(user, bin_folder / "initdb", "-D", data, *made)
            with (data / "postgresql.auto.conf").open("a") as file:
                file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        options = f"-c listen_addresses='' -k {place} {_FASTER}"
        common = (user, bin_folder / "pg_ctl", "-D", data, "-w", "-s", "-l", place / "log", "-o", options)
        control = partial(_run, *common)
        control("start")
        try:
            yield Server(place, count(), control)
        finally:
            control("-m", "immediate", "stop")


def _user() -> pwd.struct_passwd | None:
    """Whom to run the server as; None for ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    pytest.skip("PostgreSQL refuses to run as root, and there is no user postgres or nobody")


def _run(user: pwd.struct_passwd | None, *arguments: object) -> None:
    result = subprocess.run(
        [str(argument) for argument in arguments],
        user=None if user is None else user.pw_uid,
        group=None if user is None else user.pw_gid,
        extra_groups=None if user is None else [],
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if arguments[-1] != "start" else subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{arguments[0]} ended with {result.returncode}: {result.stdout}"
