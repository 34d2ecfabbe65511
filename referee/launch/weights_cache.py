"""The cache of weights: the large files that bundles name, each once on this referee, and their delivery.

    <bundles>/.weights/<sha256>               whole, its SHA-256 checked, and never changed
    <bundles>/.weights/.<sha256>.<…>          on its way, or being removed; deleted at the next start
    <bundles>/<bundle>/bot/weights/<name>     the same file by another name (a hard link), for each bundle that names it

So all bots share one copy, and a sandbox shows it as any other file of the bot.  When the files exceed their limit, the
least recently used are removed with all their links, except those of bundles whose program runs.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256 as new_sha256
from pathlib import Path
from typing import IO

from arena.bundle_format import named_weights
from arena.v1.control_pb2 import WeightsPart
from referee.launch.launcher import LaunchError

DEFAULT_MAX_BYTES = 4 << 30
_log = logging.getLogger(__name__)
FOLDER = ".weights"


class WeightsCache:
    """The weights beside the bundles of one folder.  Mutable."""

    def __init__(self, bundles: Path, *, stall_s: float = 30.0, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        """`stall_s` is how long the arena may send no part of any file that is wanted; `max_bytes` limits all of them."""
        self._bundles = bundles
        self._folder = bundles / FOLDER
        self._stall_s = stall_s
        self._max_bytes = max_bytes
        self._sizes: OrderedDict[str, int] = OrderedDict()
        """The bytes of each file, least recently used first."""
        self._progress_at = 0.0
        self._wanted: dict[str, asyncio.Future[None]] = {}
        self.on_wanted: Callable[[str], None] = lambda _sha256: None
        """Called when weights are wanted that were not wanted before."""
        self.in_use: Callable[[], Collection[str]] = tuple
        """Returns the weights, by SHA-256, of the programs that have a process, or are being started."""
        self._held = Counter[str]()
        """The weights of bundles that are being made ready."""
        for path in sorted(self._folder.glob("*"), key=lambda path: path.stat().st_mtime):
            if path.name.startswith("."):
                path.unlink()
            else:
                self._sizes[path.name] = path.stat().st_size

    @property
    def wanted(self) -> tuple[str, ...]:
        """The weights that are waited for, by their SHA-256."""
        return tuple(self._wanted)

    @contextmanager
    def held(self, weights: Collection[str]) -> Iterator[None]:
        """Remove none of these as long as the block lasts."""
        self._held.update(weights)
        try:
            yield
        finally:
            self._held -= Counter(weights)

    async def fetch(self, sha256: str) -> None:
        """Fetch weights if they are missing, and mark them as used.  Raises LaunchError."""
        if self.use(sha256):
            return
        waiting = self._wanted.get(sha256)
        if waiting is None:
            waiting = self._wanted[sha256] = asyncio.get_running_loop().create_future()
            self._progress_at = time.monotonic()
            self.on_wanted(sha256)
        while not waiting.done():
            left_s = self._progress_at + self._stall_s - time.monotonic()
            if left_s <= 0:
                self.fail(sha256, f"no part of them was brought within {self._stall_s:g} s")
            await asyncio.wait([waiting], timeout=max(0.0, left_s))
        waiting.result()

    def link(self, sha256: str, path: Path) -> None:
        """Make weights, which are there, a file of a bundle.  Raises LaunchError."""
        found = self.path(sha256)
        try:
            if path.exists() and path.samefile(found):
                return
            path.parent.mkdir(mode=0o755, exist_ok=True)
            path.parent.chmod(0o755)
            path.unlink(missing_ok=True)
            path.hardlink_to(found)
        except OSError as error:
            raise LaunchError(f"weights {sha256}: {error}") from error

    def path(self, sha256: str) -> Path:
        """Return where weights are, once they are there."""
        return self._folder / sha256

    def new_file(self, sha256: str) -> Path:
        """Return where weights are gathered."""
        return self._folder / f".{sha256}.{time.monotonic_ns()}"

    def note_progress(self) -> None:
        """Note that a part has come."""
        self._progress_at = time.monotonic()

    async def add(self, sha256: str, size: int) -> None:
        """Add weights that have come, make room for them, and resume those that wait for them."""
        self._sizes[sha256] = size
        self.use(sha256)
        await self._make_room()
        waiting = self._wanted.pop(sha256, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def fail(self, sha256: str, reason: str) -> None:
        """Raise LaunchError in those that wait for weights which cannot be delivered."""
        waiting = self._wanted.pop(sha256, None)
        if waiting is not None and not waiting.done():
            waiting.set_exception(LaunchError(f"weights {sha256}: {reason}"))
            waiting.exception()  # the waiting task may have been cancelled

    def use(self, sha256: str) -> bool:
        """Mark weights as used now, in the file system too; return whether they are there."""
        if sha256 not in self._sizes or not (self.path(sha256)).is_file():
            return False
        self._sizes.move_to_end(sha256)
        with suppress(OSError):
            os.utime(self.path(sha256))
        return True

    async def _make_room(self) -> None:
        """Remove the least recently used files until the rest is within the limit."""
        kept = {*self._wanted, *self._held, *self.in_use()}
        removed = []
        for sha256 in list(self._sizes):
            if sum(self._sizes.values()) <= self._max_bytes:
                break
            if sha256 in kept:
                continue
            # Nothing else runs between the check and the renaming, so no program can be starting with it.
            removed.append(self._remove(sha256))
        for path in removed:
            await asyncio.to_thread(path.unlink, missing_ok=True)

    def _remove(self, sha256: str) -> Path:
        """Take away all names of a file; return the last one, under which it is not found."""
        _log.info("weights %s: removed to make room", sha256)
        del self._sizes[sha256]
        left = self.new_file(sha256)
        with suppress(OSError):
            (self.path(sha256)).rename(left)
            for path in self._bundles.glob(f"*/bot/{named_weights.FOLDER}/*"):
                if path.samefile(left):
                    path.unlink()
        return left


class WeightsDelivery:
    """Gathers weights that are sent over one stream, in parts, on the disk.  Mutable."""

    def __init__(self, cache: WeightsCache | None) -> None:
        self._cache = cache
        self._sha256 = ""
        self._path = Path()
        self._file: IO[bytes] | None = None
        self._digest = new_sha256()
        self._size = 0

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
            self._sha256, self._path = part.sha256, cache.new_file(part.sha256)
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
        await cache.add(part.sha256, self._size)

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
            self._file, self._digest, self._size = self._path.open("xb"), new_sha256(), 0
        assert self._file is not None  # noqa: S101 - the first part has come
        self._file.write(part.data)
        self._digest.update(part.data)
        self._size += len(part.data)
        if part.last:
            self._file.flush()
            os.fsync(self._file.fileno())  # else a file could be empty after a power failure
            self._file.close()
            self._file = None
            if self._digest.hexdigest() == part.sha256:
                self._path.chmod(0o444)
                self._path.rename(self._path.with_name(part.sha256))
