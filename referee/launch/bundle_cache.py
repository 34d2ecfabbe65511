"""The cache of bundles: the uploads that this referee has unpacked, and the delivery of those that it lacks.

    <folder>/<sha256>/manifest.json, bot/…      complete, and never changed, but for the weights in bot/weights
    <folder>/.<sha256>.<…>/                     being unpacked or removed; deleted if it is still there later
    <folder>/.weights/                          the weights that bundles name (weights_cache.py)

A bundle is wanted when it is to be started; the arena sends it over `Control`, in parts.  When the bundles exceed their
limit, the least recently used are removed, except those whose program runs; they are sent again when wanted.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from pathlib import Path
from zipfile import BadZipFile

from arena.bundle_format import bundle, named_weights
from arena.bundle_format.manifest import from_json
from arena.bundle_format.named_weights import WeightsFile
from arena.bundle_format.program_kind import ProgramKind
from arena.core.errors import UsageError
from arena.v1.control_pb2 import BundlePart
from referee.launch import weights_cache
from referee.launch.delivered_files import DeliveredFiles
from referee.launch.launcher import LaunchError
from referee.launch.weights_cache import WeightsCache

DEFAULT_MAX_BYTES = 2 << 30
_STALE_S = 3600.0


class Bundles(DeliveredFiles):
    """The bundles in one folder.  `in_use` returns the names of programs."""

    kind = "bundle"
    late = "was not brought"

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
        super().__init__(folder or Path(os.devnull), wait_s=wait_s, max_bytes=max_bytes)
        self.weights: WeightsCache | None = None
        """The weights that bundles name; None without a folder."""
        self._named: dict[str, tuple[WeightsFile, ...]] = {}
        """The weights that each bundle names, of those that were started."""
        if folder is not None:
            # Closed to other users; the files in it are not, see _unpack.
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
            _sweep(folder)
            self.find()
            self.weights = WeightsCache(folder, stall_s=wait_s, max_bytes=max_weights_bytes)
            self.weights.in_use = self._weights_in_use

    def path(self, sha256: str) -> Path | None:
        """Return the folder of a bundle; None if it is missing."""
        path = self._folder / sha256
        return path if path.is_dir() else None

    async def fetch(self, program: str) -> None:
        """Fetch the bundle of a program, and the weights that it names, if they are missing; does nothing for other programs.

        Raises LaunchError.
        """
        sha256 = bundle.sha256_of(program)
        if sha256 is None:
            return
        if self.weights is None:
            raise LaunchError(
                f"program {program!r}: this referee keeps no uploads; start it with --bundles DIR"
            )
        await self.wait_for(sha256)
        named = self._weights_of(sha256)
        with self.weights.held([each.sha256 for each in named]):
            for each in named:
                await self.weights.wait_for(each.sha256)
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

    def used_by_programs(self) -> set[str]:
        """Return the bundles of programs that have a process, or are being started."""
        return {sha256 for program in self.in_use() if (sha256 := bundle.sha256_of(program))}

    def _weights_in_use(self) -> set[str]:
        return {each.sha256 for used in self.used_by_programs() for each in self._named.get(used, ())}

    def size_of(self, path: Path) -> int:
        """Return the disk usage of a bundle, in bytes, without its weights."""
        weights = path / bundle.FOLDER / named_weights.FOLDER
        found = (
            each.lstat()
            for each in (path, *path.rglob("*"))
            if each.parent != weights or not _is_linked(each)
        )
        return sum(each.st_blocks * 512 for each in found)

    async def store(self, sha256: str, data: bytes) -> None:
        """Unpack a bundle that was delivered, and resume those that wait for it."""
        try:
            await asyncio.to_thread(self._unpack, sha256, data)
        except (UsageError, BadZipFile, OSError) as error:
            self.fail(sha256, str(error))
            return
        await self.add(sha256)

    def _unpack(self, sha256: str, data: bytes) -> None:
        files = bundle.files_of(data, sha256)
        if self.path(sha256) is not None:
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
