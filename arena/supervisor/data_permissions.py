"""Permissions of the data directory: only its user may read it.

It holds password hashes, the secrets that deals follow from, and other people's programs.  New files are private since
every part runs under a umask (arena.core.child_process.keep_private); what an older version made is put right at each start.

`bundles/` is closed to others, but what is in it is left readable: a sandbox shows a bundle to a bot that is another
user where root runs the referee.  bubblewrap opens it before it gives up root's rights, so the closed folder above is no hindrance.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from pwd import getpwuid

from arena.core.errors import ArenaError

_OTHERS = 0o077
_OURS = frozenset({"version", "lock", "arena.db"})
"""Files that only a data directory has."""
_READABLE = frozenset({"bundles"})
_MAX_ENTRIES = 10_000
_MAX_DEPTH = 4


class DirectoryUnusable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when the data directory cannot be used as it is: another user's, a newer layout, no directory, no permission."""


@dataclass(slots=True)
class _Found:
    """Permissions that were corrected, and those that could not be."""

    changed: int = 0
    seen: int = 0
    left: list[str] = field(default_factory=list)


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
        raise DirectoryUnusable(
            f"data directory {data}: {error.strerror}; give another one with --data"
        ) from error
    if not stat.S_ISDIR(found.st_mode):
        raise DirectoryUnusable(f"data directory {data}: is a file; give another one with --data")
    if found.st_uid != os.getuid():
        raise DirectoryUnusable(
            f"data directory {data}: belongs to {_name(found.st_uid)}, and this process is {_name(os.getuid())};"
            " start it as that user, or give another data directory with --data"
        )
    shared = stat.S_IMODE(found.st_mode) & _OTHERS
    if shared and names and not names & _OURS:
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
    """Take the rights that others have on a data directory and what is in it.  Returns what was done, if anything.

    Symbolic links are not followed, and files with several names are left alone: they may belong to other programs.
    """
    found = _Found()
    descriptor = os.open(data, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _close(descriptor, str(data), found)
        _close_entries(descriptor, data, found, depth=1)
    finally:
        os.close(descriptor)
    told = []
    if found.changed:
        told.append(
            f"data directory {data}: {found.changed} files and folders could be read by other users of this machine;"
            " now only its owner can"
        )
    if found.left:
        told.append(f"left as they are, since they are not only the arena's: {', '.join(found.left[:5])}")
    return "; ".join(told)


def _close_entries(folder: int, path: Path, found: _Found, *, depth: int) -> None:
    for entry in os.scandir(folder):
        found.seen += 1
        if found.seen > _MAX_ENTRIES:
            return
        is_folder = entry.is_dir(follow_symlinks=False)
        if not is_folder and not entry.is_file(follow_symlinks=False):
            continue
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | (os.O_DIRECTORY if is_folder else 0)
        try:
            descriptor = os.open(entry.name, flags, dir_fd=folder)
        except OSError:  # it has gone, or is closed even to us
            continue
        try:
            _close(descriptor, str(path / entry.name), found)
            if is_folder and depth < _MAX_DEPTH and entry.name not in _READABLE:
                _close_entries(descriptor, path / entry.name, found, depth=depth + 1)
        finally:
            os.close(descriptor)


def _close(descriptor: int, name: str, found: _Found) -> None:
    status = os.fstat(descriptor)
    mode = stat.S_IMODE(status.st_mode)
    if not mode & _OTHERS:
        return
    several_names = stat.S_ISREG(status.st_mode) and status.st_nlink > 1
    if status.st_uid != os.getuid() or several_names:
        found.left.append(name)
        return
    os.fchmod(descriptor, mode & ~_OTHERS)
    found.changed += 1


def _name(uid: int) -> str:
    try:
        return f"user {getpwuid(uid).pw_name} ({uid})"
    except KeyError:
        return f"user {uid}"
