"""Bundles: the uploads that this referee has, unpacked, and how it comes to those that it lacks.

    <folder>/<sha256>/manifest.json, bot/…      complete, and never changed
    <folder>/.<sha256>.<…>/                     being unpacked; whoever finds it later may throw it away

A bundle is wanted when it is to be started; the arena brings it over `Control`, in parts.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from zipfile import BadZipFile

from arena.errors import UsageError
from arena.submit import bundle
from arena.v1.control_pb2 import BundlePart
from referee.launcher import LaunchError

_LEFT_BEHIND_S = 3600.0


class Bundles:
    """The bundles in one folder.  Mutable: what is wanted now, and who waits for it."""

    def __init__(self, folder: Path | None, *, wait_s: float = 30.0) -> None:
        """Keep bundles in a folder; without one there are none, and no program of a bundle can be started.

        `wait_s` is how long the arena has to bring one.
        """
        self._folder = folder
        self._wait_s = wait_s
        self._wanted: dict[str, asyncio.Future[None]] = {}
        self.tell: Callable[[str], None] = lambda _sha256: None
        """Called when a bundle is wanted that was not wanted before."""
        if folder is not None:
            # Closed to other users; what is in it is not, see _unpack.
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
            _sweep(folder)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The bundles that are waited for."""
        return tuple(self._wanted)

    def path(self, sha256: str) -> Path | None:
        """Give the folder of a bundle, None if it is not there."""
        if self._folder is None:
            return None
        path = self._folder / sha256
        return path if path.is_dir() else None

    async def prepare(self, program: str) -> None:
        """See to it that a program can be started: a bundle is brought if it is not there.  Raises LaunchError."""
        sha256 = bundle.sha256_of(program)
        if sha256 is None or self.path(sha256) is not None:
            return
        if self._folder is None:
            raise LaunchError(
                f"program {program!r}: this referee keeps no uploads; start it with --bundles DIR"
            )
        waiting = self._wanted.get(sha256)
        if waiting is None:
            waiting = self._wanted[sha256] = asyncio.get_running_loop().create_future()
            self.tell(sha256)
        try:
            await asyncio.wait_for(asyncio.shield(waiting), self._wait_s)
        except TimeoutError as error:
            if self._wanted.get(sha256) is waiting:
                del self._wanted[sha256]
            raise LaunchError(f"program {program!r}: was not brought within {self._wait_s:g} s") from error

    async def keep(self, sha256: str, data: bytes) -> None:
        """Take a bundle that was brought: it is there once it is complete."""
        try:
            await asyncio.to_thread(self._unpack, sha256, data)
        except (UsageError, BadZipFile, OSError) as error:
            self.lack(sha256, str(error))
            return
        waiting = self._wanted.pop(sha256, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def lack(self, sha256: str, reason: str) -> None:
        """Take note that a bundle cannot be had."""
        waiting = self._wanted.pop(sha256, None)
        if waiting is not None and not waiting.done():
            waiting.set_exception(LaunchError(f"bundle {sha256}: {reason}"))
            waiting.exception()  # whoever waited may have gone

    def _unpack(self, sha256: str, data: bytes) -> None:
        files = bundle.files_of(data, sha256)
        if self._folder is None or self.path(sha256) is not None:
            return
        made = Path(tempfile.mkdtemp(prefix=f".{sha256}.", dir=self._folder))
        try:
            for path, content in files.items():
                _write(made / path, content)
            # Whatever this process's umask is: in a sandbox the bot may be another user.  bubblewrap finds it as this user.
            for each in (made, *made.rglob("*")):
                each.chmod(0o755 if each.is_dir() else 0o644)
            made.rename(self._folder / sha256)
        except OSError:
            shutil.rmtree(made, ignore_errors=True)
            if self.path(sha256) is None:
                raise


class Delivery:
    """What comes over one stream: the parts of one bundle after the other.  Mutable."""

    def __init__(self, bundles: Bundles) -> None:
        self._bundles = bundles
        self._sha256 = ""
        self._data = bytearray()

    async def take(self, part: BundlePart) -> None:
        """Take a part; one that belongs to another bundle than the part before it begins that."""
        if part.unavailable:
            self._bundles.lack(part.sha256, part.unavailable)
            return
        if part.sha256 != self._sha256:
            self._sha256 = part.sha256
            self._data.clear()
        self._data += part.data
        if len(self._data) > bundle.MOST_BYTES:
            self._bundles.lack(part.sha256, f"it has more than {bundle.MOST_BYTES} bytes")
        elif part.last:
            await self._bundles.keep(part.sha256, bytes(self._data))
        else:
            return
        self._sha256 = ""
        self._data.clear()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # else a bundle that is there could be empty after a power cut


def _sweep(folder: Path) -> None:
    """Throw away what was being unpacked when a referee died."""
    for left in folder.glob(".*"):
        if left.stat().st_mtime < time.time() - _LEFT_BEHIND_S:
            shutil.rmtree(left, ignore_errors=True)
