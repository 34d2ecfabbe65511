"""The data directory: one `arena up` at a time, and none of an older version on a newer one's data."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from arena.core.errors import ArenaError
from arena.supervisor.data_permissions import DirectoryUnusable, check_directory, make_private

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LAYOUT = 1
"""The version of the layout of a data directory; the store's schema has its own (arena/storage/migrations)."""


class DirectoryInUse(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when another process works on the data directory."""


@contextmanager
def locked(data: Path, sockets: Path) -> Iterator[None]:
    """Make the data directory if need be, and keep others off it.  Raises DirectoryInUse and DirectoryUnusable.

    The lock is the kernel's (flock), so it ends with this process however that ends.
    """
    check_directory(data)
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(data / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise DirectoryUnusable(
            f"data directory {data}: {error.strerror}; give another one with --data"
        ) from error
    try:
        _take(lock, data)
        _check_layout(data)
        for folder in (sockets, data / "logs", data / "bundles"):
            make_private(folder)
        yield
    finally:
        os.close(lock)


def _take(lock: int, data: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(lock, 32, 0).decode(errors="replace").strip() or "unknown"
        raise DirectoryInUse(
            f"data directory {data}: in use by process {holder}; stop that, or give another one with --data"
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)


def _check_layout(data: Path) -> None:
    file = data / "version"
    if not file.exists():
        file.write_text(f"{LAYOUT}\n")
        return
    text = file.read_text().strip()
    if not text.isdecimal():
        raise DirectoryUnusable(
            f"{file}: {text!r} is no version number; give another data directory with --data"
        )
    if int(text) > LAYOUT:
        raise DirectoryUnusable(
            f"data directory {data}: of version {text}, newer than this program's {LAYOUT};"
            " update bot-arena, or give another one with --data"
        )
