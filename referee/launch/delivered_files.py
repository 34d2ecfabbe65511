"""Files that the arena delivers to this referee by their SHA-256: fetched when wanted, kept within a limit, least recently used removed."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from referee.launch.launcher import LaunchError

_log = logging.getLogger(__name__)


class DeliveredFiles:
    """The files, or folders, of one kind in a folder, each named by its SHA-256.  Mutable.

    Names that begin with a dot are on their way, or being removed.
    """

    kind: str
    """The kind, in the singular or plural that messages begin with."""
    late: str
    """The reason that waiting ends with, without the seconds."""

    def __init__(self, folder: Path, *, wait_s: float, max_bytes: int) -> None:
        """Wait at most `wait_s` from the last sign that one comes; `max_bytes` limits all of them."""
        self._folder = folder
        self._wait_s = wait_s
        self._max_bytes = max_bytes
        self._sizes: OrderedDict[str, int] = OrderedDict()
        """The bytes of each, least recently used first."""
        self._wanted: dict[str, asyncio.Future[None]] = {}
        self._heard_at: dict[str, float] = {}
        """The last sign of each that is wanted, by the monotonic clock."""
        self.on_wanted: Callable[[str], None] = lambda _sha256: None
        """Called when one is wanted that was not wanted before."""
        self.in_use: Callable[[], Collection[str]] = tuple
        """Returns the programs that have a process, or are being started, or what belongs to them."""

    @property
    def wanted(self) -> tuple[str, ...]:
        """The SHA-256 of those that are waited for."""
        return tuple(self._wanted)

    def used_by_programs(self) -> Collection[str]:
        """Return the SHA-256 of those that must not be removed now."""
        return self.in_use()

    def size_of(self, path: Path) -> int:
        """Return the bytes of one."""
        return path.stat().st_size

    def find(self) -> None:
        """Find those of an earlier referee."""
        for path in sorted(self._folder.glob("[!.]*"), key=lambda path: path.stat().st_mtime):
            self._sizes[path.name] = self.size_of(path)

    async def wait_for(self, sha256: str) -> None:
        """Mark one as used; if it is missing, wait until it is delivered.  Raises LaunchError."""
        if self.use(sha256):
            return
        waiting = self._wanted.get(sha256)
        if waiting is None:
            waiting = self._wanted[sha256] = asyncio.get_running_loop().create_future()
            self._heard_at[sha256] = time.monotonic()
            self.on_wanted(sha256)
        while not waiting.done():
            left_s = self._heard_at[sha256] + self._wait_s - time.monotonic()
            if left_s <= 0:
                self.fail(sha256, f"{self.late} within {self._wait_s:g} s")
            await asyncio.wait([waiting], timeout=max(0.0, left_s))
        waiting.result()

    def note_progress(self) -> None:
        """Note that a part of something has come: all that is wanted has more time."""
        self._heard_at = dict.fromkeys(self._wanted, time.monotonic())

    async def add(self, sha256: str) -> None:
        """Make room for one that has come, and resume those that wait for it."""
        self.use(sha256)
        await self._make_room()
        waiting = self._forget(sha256)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def fail(self, sha256: str, reason: str) -> None:
        """Raise LaunchError in those that wait for one which cannot be delivered."""
        waiting = self._forget(sha256)
        if waiting is not None and not waiting.done():
            waiting.set_exception(LaunchError(f"{self.kind} {sha256}: {reason}"))
            waiting.exception()  # the waiting task may have been cancelled

    def _forget(self, sha256: str) -> asyncio.Future[None] | None:
        """Take one off the list of those that are wanted; return what its waiters wait for, if there are any."""
        self._heard_at.pop(sha256, None)
        return self._wanted.pop(sha256, None)

    def use(self, sha256: str) -> bool:
        """Mark one as used now, in the file system too; return whether it is there."""
        path = self._folder / sha256
        if not path.exists():
            return False
        if sha256 not in self._sizes:
            self._sizes[sha256] = self.size_of(path)
        self._sizes.move_to_end(sha256)
        with suppress(OSError):
            os.utime(path)
        return True

    def hide(self, sha256: str) -> Path:
        """Rename one, so that it is not found any more; return where it is until it is deleted."""
        hidden = self.new_path(sha256)
        with suppress(OSError):
            (self._folder / sha256).rename(hidden)
        return hidden

    def new_path(self, sha256: str) -> Path:
        """Return where one is while it is gathered or removed."""
        return self._folder / f".{sha256}.{time.monotonic_ns()}"

    async def _make_room(self) -> None:
        """Remove the least recently used until the rest is within the limit."""
        kept = {*self._wanted, *self.used_by_programs()}
        hidden = []
        for sha256 in list(self._sizes):
            if sum(self._sizes.values()) <= self._max_bytes:
                break
            if sha256 not in kept:
                # Nothing else runs between the check and the renaming, so no program can be starting with it.
                _log.info("%s %s: removed to make room", self.kind, sha256)
                del self._sizes[sha256]
                hidden.append(self.hide(sha256))
        for path in hidden:
            await asyncio.to_thread(_delete, path)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
