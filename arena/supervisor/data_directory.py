"""The data directory: its user's alone, used by one `arena up` at a time, and by none that is older than its layout.

It holds password hashes, the secrets that deals follow from, and other people's programs.  Others cannot enter it, so the
rights of the files inside do not matter; a sandbox shows a bundle to a bot that is another user where root runs the referee, since
bubblewrap opens it before it gives up root's rights.
"""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from pwd import getpwuid
from typing import TYPE_CHECKING

from arena.core.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Iterator

LAYOUT = 1
"""The version of the layout of a data directory; the store's schema has its own (arena/storage/migrations)."""
_OTHERS = 0o077
_OURS = frozenset({"version", "lock", "arena.db"})
"""Names that only a data directory has."""


class DirectoryInUse(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when another process works on the data directory."""


class DirectoryUnusable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when the data directory cannot be used as it is: another user's, a newer layout, no directory, no permission."""


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
        raise _unusable(data, str(error.strerror)) from error
    try:
        _take(lock, data)
        _check_layout(data)
        for folder in (sockets, data / "logs", data / "bundles"):
            make_private(folder)
        yield
    finally:
        os.close(lock)


def check_directory(data: Path) -> None:
    """Check that a directory may be made this user's data directory, or is one.  Raises DirectoryUnusable.

    One that is not there yet may be; so may an empty one.
    """
    try:
        found = data.stat()
        names = {entry.name for entry in os.scandir(data)} if stat.S_ISDIR(found.st_mode) else set()
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unusable(data, str(error.strerror)) from error
    if not stat.S_ISDIR(found.st_mode):
        raise _unusable(data, "is a file")
    if found.st_uid != os.getuid():
        raise DirectoryUnusable(
            f"data directory {data}: belongs to {_name(found.st_uid)}, and this process is {_name(os.getuid())};"
            " start it as that user, or give another data directory with --data"
        )
    if stat.S_IMODE(found.st_mode) & _OTHERS and names and not names & _OURS:
        raise DirectoryUnusable(
            f"data directory {data}: has other things in it, and others may read it; give an empty or a new one with --data"
        )
    if found.st_mode & stat.S_ISVTX or (names and found.st_mode & stat.S_IWOTH):
        raise DirectoryUnusable(
            f"data directory {data}: everybody on this machine can write to it, so its files may not be the arena's;"
            f" if you know that they are, run `chmod 700 {data}`, else give another one with --data"
        )


def make_private(folder: Path) -> None:
    """Make a folder that only this user can enter.  Raises DirectoryUnusable."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise DirectoryUnusable(
            f"{folder}: must be a directory of {_name(os.getuid())}; remove it, or give another data directory with --data"
        )
    folder.chmod(0o700)


def close_to_others(data: Path) -> str:
    """Take the rights that others have on the data directory; return a sentence about it, nothing if they had none."""
    if not stat.S_IMODE(data.stat().st_mode) & _OTHERS:
        return ""
    data.chmod(0o700)
    return f"data directory {data}: could be read by other users of this machine; now only its owner can"


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


def _unusable(data: Path, reason: str) -> DirectoryUnusable:
    return DirectoryUnusable(f"data directory {data}: {reason}; give another one with --data")


def _name(uid: int) -> str:
    try:
        return f"user {getpwuid(uid).pw_name} ({uid})"
    except KeyError:
        return f"user {uid}"
