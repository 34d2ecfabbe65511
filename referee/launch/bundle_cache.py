"""The cache of bundles: the uploads that this referee has unpacked, and the delivery of those that it lacks.

    <folder>/<sha256>/manifest.json, bot/…      complete, and never changed, but for the weights in bot/weights
    <folder>/.<sha256>.<…>/                     being unpacked or removed; deleted if it is still there later
    <folder>/.weights/                          the weights that bundles name (weights_cache.py)

A bundle is wanted when it is to be started; the arena sends it over `Control`, in parts.  When the bundles exceed their
limit, the least recently used are removed, except those whose program runs; they are sent again when wanted.
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

from arena.bundle_format import bundle, named_weights
from arena.bundle_format.manifest import from_json
from arena.bundle_format.named_weights import WeightsFile
from arena.bundle_format.program_kind import ProgramKind
from arena.core.errors import UsageError
from arena.v1.control_pb2 import BundlePart
from referee.launch import weights_cache
from referee.launch.launcher import LaunchError
from referee.launch.weights_cache import WeightsCache

DEFAULT_MAX_BYTES = 2 << 30
_log = logging.getLogger(__name__)
_STALE_S = 3600.0


class Bundles:
    """The bundles in one folder.  Mutable."""

    def __init__(
        self,
        folder: Path | None,
        *,
        wait_s: float = 30.0,
        max_bytes: int = DEFAULT_MAX_BYTES,
        max_weights_bytes: int = weights_cache.DEFAULT_MAX_BYTES,
    ) -> None:
        """Use a folder; without one no bundle can be started.

        `wait_s` is how long the arena has to send a bundle, or may send no part of weights; `max_bytes` limits the disk usage of
        all bundles, `max_weights_bytes` that of the weights which they name.
        """
        self._folder = folder
        self._wait_s = wait_s
        self._max_bytes = max_bytes
        self._sizes: OrderedDict[str, int] = OrderedDict()
        """The bytes of each bundle, least recently used first."""
        self.in_use: Callable[[], Collection[str]] = tuple
        """Returns the programs that have a process, or are being started."""
        self._wanted: dict[str, asyncio.Future[None]] = {}
        self.on_wanted: Callable[[str], None] = lambda _sha256: None
        """Called when a bundle is wanted that was not wanted before."""
        self.weights: WeightsCache | None = None
        """The weights that bundles name; None without a folder."""
        self._named: dict[str, tuple[WeightsFile, ...]] = {}
        """The weights that each bundle names, of those that were started."""
        if folder is not None:
            # Closed to other users; the files in it are not, see _unpack.
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
            _sweep(folder)
            for path in sorted(folder.glob("[!.]*"), key=lambda path: path.stat().st_mtime):
                self._sizes[path.name] = _size(path)
            self.weights = WeightsCache(folder, stall_s=wait_s, max_bytes=max_weights_bytes)
            self.weights.in_use = self._weights_in_use

    @property
    def wanted(self) -> tuple[str, ...]:
        """The bundles that are waited for, by their SHA-256."""
        return tuple(self._wanted)

    def path(self, sha256: str) -> Path | None:
        """Return the folder of a bundle; None if it is missing."""
        if self._folder is None:
            return None
        path = self._folder / sha256
        return path if path.is_dir() else None

    async def fetch(self, program: str) -> None:
        """Fetch the bundle of a program, and the weights that it names, if they are missing; does nothing for other programs.

        Raises LaunchError.
        """
        sha256 = bundle.sha256_of(program)
        if sha256 is None:
            return
        await self._fetch(program, sha256)
        named = self._weights_of(sha256)
        if not named or self.weights is None:
            return
        with self.weights.held([each.sha256 for each in named]):
            for each in named:
                await self.weights.fetch(each.sha256)
            for each in named:
                self._link(sha256, self.weights, each)

    def _link(self, sha256: str, cache: WeightsCache, weights: WeightsFile) -> None:
        path = self.path(sha256)
        if path is None:
            raise LaunchError(f"bundle {sha256}: was removed while its weights were brought")
        cache.link(weights.sha256, path / bundle.FOLDER / named_weights.FOLDER / weights.name)

    def _weights_of(self, sha256: str) -> tuple[WeightsFile, ...]:
        """Return the weights that a bundle names, which is there.  Raises LaunchError."""
        path = self.path(sha256)
        if sha256 not in self._named and path is not None:
            try:
                self._named[sha256] = from_json((path / bundle.MANIFEST).read_text()).weights
            except (OSError, ValueError, UsageError) as error:
                raise LaunchError(f"bundle {sha256}: its manifest cannot be read: {error}") from error
        return self._named.get(sha256, ())

    def _weights_in_use(self) -> set[str]:
        programs = [sha256 for program in self.in_use() if (sha256 := bundle.sha256_of(program))]
        return {each.sha256 for sha256 in programs for each in self._named.get(sha256, ())}

    async def _fetch(self, program: str, sha256: str) -> None:
        if self._use(sha256):
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

    async def store(self, sha256: str, data: bytes) -> None:
        """Unpack a bundle that was delivered, and resume those that wait for it."""
        try:
            await asyncio.to_thread(self._unpack, sha256, data)
        except (UsageError, BadZipFile, OSError) as error:
            self.fail(sha256, str(error))
            return
        self._use(sha256)
        await self._make_room()
        waiting = self._wanted.pop(sha256, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def fail(self, sha256: str, reason: str) -> None:
        """Raise LaunchError in those that wait for a bundle which cannot be delivered."""
        waiting = self._wanted.pop(sha256, None)
        if waiting is not None and not waiting.done():
            waiting.set_exception(LaunchError(f"bundle {sha256}: {reason}"))
            waiting.exception()  # the waiting task may have been cancelled

    def _use(self, sha256: str) -> bool:
        """Mark a bundle as used now, in the file system too; return whether it exists."""
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
        """Remove the least recently used bundles until the rest is within the limit."""
        if self._folder is None or sum(self._sizes.values()) <= self._max_bytes:
            return
        kept = {f"{bundle.PREFIX}{sha256}" for sha256 in self._wanted} | set(self.in_use())
        removed = []
        for sha256 in list(self._sizes):
            if sum(self._sizes.values()) <= self._max_bytes:
                break
            if f"{bundle.PREFIX}{sha256}" in kept:
                continue
            # Nothing else runs between the check and the renaming, so no program can be starting from it.
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
            # Independent of the umask: in a sandbox the bot may run as another user.  bubblewrap opens the folder as this user.
            for each in (made, *made.rglob("*")):
                each.chmod(0o755 if each.is_dir() else 0o644)
            said = from_json(files[bundle.MANIFEST].decode())
            if said.kind is ProgramKind.STATIC:
                (made / bundle.FOLDER / said.entry).chmod(0o755)
            made.rename(self._folder / sha256)
        except OSError:
            shutil.rmtree(made, ignore_errors=True)
            if self.path(sha256) is None:
                raise


class Delivery:
    """Assembles the bundles that are sent over one stream, in parts.  Mutable."""

    def __init__(self, bundles: Bundles) -> None:
        self._bundles = bundles
        self._sha256 = ""
        self._data = bytearray()

    async def add(self, part: BundlePart) -> None:
        """Add a part; one of another bundle than the part before begins a new bundle."""
        if part.unavailable:
            self._bundles.fail(part.sha256, part.unavailable)
            return
        if part.sha256 != self._sha256:
            self._sha256 = part.sha256
            self._data.clear()
        self._data += part.data
        if len(self._data) > bundle.MAX_BYTES:
            self._bundles.fail(part.sha256, f"it has more than {bundle.MAX_BYTES} bytes")
        elif part.last:
            await self._bundles.store(part.sha256, bytes(self._data))
        else:
            return
        self._sha256 = ""
        self._data.clear()


def _size(folder: Path) -> int:
    """Return the disk usage of a bundle, in bytes, without its weights."""
    weights = folder / bundle.FOLDER / named_weights.FOLDER
    found = (
        path.lstat()
        for path in (folder, *folder.rglob("*"))
        if path.parent != weights or not _is_linked(path)
    )
    return sum(each.st_blocks * 512 for each in found)


def _is_linked(path: Path) -> bool:
    return path.lstat().st_nlink > 1 and path.is_file()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # else an existing bundle could have empty files after a power failure


def _sweep(folder: Path) -> None:
    """Delete half-unpacked bundles of a referee that died."""
    for left in folder.glob(".*"):
        if left.name != weights_cache.FOLDER and left.stat().st_mtime < time.time() - _STALE_S:
            shutil.rmtree(left, ignore_errors=True)
