"""Bundles: the uploads that this referee has, unpacked, and how it comes to those that it lacks.

    <folder>/<sha256>/manifest.json, bot/…      complete, and never changed
    <folder>/.<sha256>.<…>/                     being unpacked or removed; whoever finds it later may throw it away

A bundle is wanted when it is to be started; the arena brings it over `Control`, in parts.  When they take more than they
may, those that have not been used for longest are removed, never one whose program runs; it is brought again when wanted.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile

from arena.bundle_format import bundle
from arena.core.errors import UsageError
from arena.v1.control_pb2 import BundlePart
from referee.launch.plain_launcher import LaunchError

DEFAULT_MAX_BYTES = 2 << 30
_log = logging.getLogger(__name__)
_LEFT_BEHIND_S = 3600.0


class Bundles:
    """The bundles in one folder.  Mutable: what is wanted now, and who waits for it."""

    def __init__(
        self, folder: Path | None, *, wait_s: float = 30.0, max_bytes: int = DEFAULT_MAX_BYTES
    ) -> None:
        """Keep bundles in a folder; without one there are none, and no program of a bundle can be started.

        `wait_s` is how long the arena has to bring one; `max_bytes` is what all of them may take, as disks count.
        """
        self._folder = folder
        self._wait_s = wait_s
        self._max_bytes = max_bytes
        self._sizes: OrderedDict[str, int] = OrderedDict()
        """Bytes of each bundle, the one that was used last at the end."""
        self.in_use: Callable[[], Collection[str]] = tuple
        """Programs that run now, or are about to."""
        self._wanted: dict[str, asyncio.Future[None]] = {}
        self.on_wanted: Callable[[str], None] = lambda _sha256: None
        """Called when a bundle is wanted that was not wanted before."""
        if folder is not None:
            # Closed to other users; what is in it is not, see _unpack.
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
            _sweep(folder)
            for path in sorted(folder.glob("[!.]*"), key=lambda path: path.stat().st_mtime):
                self._sizes[path.name] = _size(path)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The bundles that are waited for."""
        return tuple(self._wanted)

    def path(self, sha256: str) -> Path | None:
        """Return the folder of a bundle, None if it is not there."""
        if self._folder is None:
            return None
        path = self._folder / sha256
        return path if path.is_dir() else None

    async def fetch(self, program: str) -> None:
        """See to it that a program can be started: a bundle is brought if it is not there.  Raises LaunchError."""
        sha256 = bundle.sha256_of(program)
        if sha256 is None or self._use(sha256):
            return
        if self._folder is None:
            raise LaunchError(
                f"program {program!r}: this referee keeps no uploads; start it with --bundles DIR"
            )
        waiting = self._wanted.get(sha256)
        if waiting is None:
            waiting = self._wanted[sha256] = asyncio.get_running_loop().create_future()
            self.on_wanted(sha256)
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
        self._use(sha256)
        await self._make_room()
        waiting = self._wanted.pop(sha256, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def lack(self, sha256: str, reason: str) -> None:
        """Take note that a bundle cannot be had."""
        waiting = self._wanted.pop(sha256, None)
        if waiting is not None and not waiting.done():
            waiting.set_exception(LaunchError(f"bundle {sha256}: {reason}"))
            waiting.exception()  # whoever waited may have gone

    def _use(self, sha256: str) -> bool:
        """Note that a bundle is used now, for the next referee too; tells whether it is there."""
        path = self.path(sha256)
        if path is None:
            return False
        if sha256 not in self._sizes:
            self._sizes[sha256] = _size(path)
        self._sizes.move_to_end(sha256)
        with suppress(OSError):
            os.utime(path)
        return True

    async def _make_room(self) -> None:
        """Remove what was not used for longest until the rest is within its bound."""
        if self._folder is None or sum(self._sizes.values()) <= self._max_bytes:
            return
        kept = {f"{bundle.PREFIX}{sha256}" for sha256 in self._wanted} | set(self.in_use())
        removed = []
        for sha256 in list(self._sizes):
            if sum(self._sizes.values()) <= self._max_bytes:
                break
            if f"{bundle.PREFIX}{sha256}" in kept:
                continue
            # Nothing else runs between looking and renaming, so no program can be starting from it.
            removed.append(self._folder / f".{sha256}.{time.monotonic_ns()}")
            with suppress(OSError):
                (self._folder / sha256).rename(removed[-1])
            del self._sizes[sha256]
        for path in removed:
            _log.info("bundle %s: removed to make room", path.name.split(".")[1])
            await asyncio.to_thread(shutil.rmtree, path, ignore_errors=True)

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

    async def add(self, part: BundlePart) -> None:
        """Take a part; one that belongs to another bundle than the part before it begins that."""
        if part.unavailable:
            self._bundles.lack(part.sha256, part.unavailable)
            return
        if part.sha256 != self._sha256:
            self._sha256 = part.sha256
            self._data.clear()
        self._data += part.data
        if len(self._data) > bundle.MAX_BYTES:
            self._bundles.lack(part.sha256, f"it has more than {bundle.MAX_BYTES} bytes")
        elif part.last:
            await self._bundles.keep(part.sha256, bytes(self._data))
        else:
            return
        self._sha256 = ""
        self._data.clear()


def _size(folder: Path) -> int:
    """Return what a folder takes on its disk."""
    return sum(path.lstat().st_blocks * 512 for path in (folder, *folder.rglob("*")))


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
