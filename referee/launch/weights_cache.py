"""The cache of weights: the large files that bundles name, each once on this referee, and their delivery.

    <bundles>/.weights/<sha256>               whole, its SHA-256 checked, and never changed
    <bundles>/.weights/.<sha256>.<…>          on its way, or being removed; deleted at the next start
    <bundles>/<bundle>/bot/weights/<name>     the same file by another name (a hard link), for each bundle that names it

So all bots share one copy, and a sandbox shows it as any other file of the bot.  When the files exceed their limit, the
least recently used are removed with all their links, except those of bundles whose program runs.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256 as new_sha256
from pathlib import Path
from typing import IO

from arena.bundle_format import named_weights
from arena.v1.control_pb2 import WeightsPart
from referee.launch.delivered_files import DeliveredFiles
from referee.launch.launcher import LaunchError

DEFAULT_MAX_BYTES = 4 << 30
FOLDER = ".weights"


class WeightsCache(DeliveredFiles):
    """The weights of the bundles in one folder.  `in_use` returns them by SHA-256."""

    kind = "weights"
    late = "no part of them was brought"

    def __init__(self, bundles: Path, *, stall_s: float = 30.0, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        """`stall_s` is how long the arena may send no part of any file that is wanted; `max_bytes` limits all of them."""
        super().__init__(bundles / FOLDER, wait_s=stall_s, max_bytes=max_bytes)
        self._bundles = bundles
        self._held = Counter[str]()
        """The weights of bundles that are being made ready."""
        for left in self._folder.glob(".*"):
            left.unlink()
        self.find()

    @contextmanager
    def held(self, weights: Collection[str]) -> Iterator[None]:
        """Remove none of these as long as the block lasts."""
        self._held.update(weights)
        try:
            yield
        finally:
            self._held -= Counter(weights)

    def used_by_programs(self) -> Collection[str]:
        """Return the weights of programs that have a process, are being started, or are being made ready."""
        return {*self._held, *self.in_use()}

    def link(self, sha256: str, path: Path) -> None:
        """Make weights, which are there, a file of a bundle.  Raises LaunchError."""
        found = self._folder / sha256
        try:
            if path.exists() and path.samefile(found):
                return
            path.parent.mkdir(mode=0o755, exist_ok=True)
            path.parent.chmod(0o755)
            path.unlink(missing_ok=True)
            path.hardlink_to(found)
        except OSError as error:
            raise LaunchError(f"weights {sha256}: {error}") from error

    def hide(self, sha256: str) -> Path:
        """Take away all names of a file; return the last one, under which it is not found."""
        hidden = super().hide(sha256)
        with suppress(OSError):
            for path in self._bundles.glob(f"*/bot/{named_weights.FOLDER}/*"):
                if path.samefile(hidden):
                    path.unlink()
        return hidden


class WeightsDelivery:
    """Gathers weights that are sent over one stream, in parts, on the disk.  Mutable."""

    def __init__(self, cache: WeightsCache | None) -> None:
        self._cache = cache
        self._sha256 = ""
        self._path = Path()
        self._file: IO[bytes] | None = None
        self._digest = new_sha256()

    async def take(self, part: WeightsPart) -> None:
        """Take a part; those of a file that nothing waits for are dropped."""
        cache = self._cache
        if cache is None:
            return
        cache.note_progress()
        if part.unavailable:
            self.close()
            cache.fail(part.sha256, part.unavailable)
            return
        if part.first and part.sha256 in cache.wanted:
            self.close()
            self._sha256, self._path = part.sha256, cache.new_path(part.sha256)
        if part.sha256 != self._sha256:
            return
        try:
            await asyncio.to_thread(self._write, part)
        except OSError as error:
            self.close()
            cache.fail(part.sha256, f"{error.strerror}: they cannot be kept here")
            return
        if not part.last:
            return
        found = self._digest.hexdigest()
        if found != part.sha256:
            self.close()
            cache.fail(part.sha256, f"the bytes that came have the SHA-256 {found}")
            return
        self._sha256 = ""
        await cache.add(part.sha256)

    def close(self) -> None:
        """Drop a file that is not whole."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._sha256:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
        self._sha256 = ""

    def _write(self, part: WeightsPart) -> None:
        if part.first:
            self._path.parent.mkdir(exist_ok=True)
            self._file, self._digest = self._path.open("xb"), new_sha256()
        assert self._file is not None  # noqa: S101 - the first part has come
        self._file.write(part.data)
        self._digest.update(part.data)
        if part.last:
            self._file.flush()
            os.fsync(self._file.fileno())  # else a file could be empty after a power failure
            self._file.close()
            self._file = None
            if self._digest.hexdigest() == part.sha256:
                self._path.chmod(0o444)
                self._path.rename(self._path.with_name(part.sha256))
