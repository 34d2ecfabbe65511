"""The command line that runs a bot in a sandbox of its own: bubblewrap, then `inside.py`, then the bot."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.limits.sandbox_bounds import ADDRESSES_BYTES, STACK_BYTES, Bounds

SOCKET = "/run/referee.sock"
"""Where the sandbox shows the referee's socket for hosted bots."""

_INSIDE = Path(__file__).with_name("inside.py")
_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache")
_DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
_NOBODY = "65534"
_FIRST_UID = 0x60000000
"""Users of sandboxes that root starts: far above all that are given to people, services or containers."""
_UIDS = 1 << 28


@dataclass(frozen=True, slots=True)
class Program:
    """A bot's program as its sandbox shows it."""

    shown: Mapping[str, Path]
    """Files and folders, by their path inside."""
    file: str
    """The main program inside."""
    path: tuple[str, ...]
    """Where it imports from, beside Python's own."""
    emptied: tuple[str, ...] = ()
    """Folders in what is shown that are shown empty."""


def find() -> str:
    """Find bubblewrap; empty if it is not there."""
    return shutil.which("bwrap") or ""


def command(
    bwrap: str, program: Program, bounds: Bounds, *, filter_: bytes, socket: str, ready: int
) -> list[str]:
    """Return the command line.  `ready` is the number of a pipe's end that it inherits.

    Nothing in it is secret: all users of the machine can read it.
    """
    uid = _some_uid() if os.getuid() == 0 else 0
    config = {
        "filter": filter_.hex(),
        "uid": uid,
        "tmp": f"size={bounds.tmp_bytes},nr_inodes={bounds.tmp_files},mode=1777",
        "devices": _DEVICES,
        "limits": _limits(bounds),
        "file": program.file,
        "path": program.path,
        "ready": ready,
    }
    shown = {**program.shown, "/run/inside.py": _INSIDE}
    if socket:
        shown[SOCKET] = Path(socket)
    python = _python()
    return [
        bwrap,
        *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *("--hostname", "bot", "--new-session", "--die-with-parent"),
        *_rights(uid),
        *_system(python),
        *_show(shown),
        *_empty(program.emptied),
        *("--perms", "1777", "--size", str(bounds.tmp_bytes), "--tmpfs", "/tmp", "--chdir", "/tmp"),  # noqa: S108
        *("--remount-ro", "/"),
        *(str(python), "-I", "-S", "-u", "/run/inside.py", json.dumps(config)),
    ]


def _rights(uid: int) -> Iterator[str]:
    """Keep the rights that `inside.py` needs until it drops them: root stays root until then, other users get a user namespace."""
    yield from ("--cap-drop", "ALL")
    needed = ["CAP_SYS_ADMIN", "CAP_SETPCAP"]
    if uid:
        needed += ["CAP_SETUID", "CAP_SETGID"]
    else:
        yield from ("--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY)
    for capability in needed:
        yield from ("--cap-add", capability)


def _system(python: Path) -> Iterator[str]:
    """Show Python and the C libraries, nothing else: no /proc, no /sys, no /etc, no programs."""
    yield from _folders(Path("/usr"))
    yield from _folders(Path("/etc"))
    for path in map(Path, _LIBRARIES):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    folder = python.parent.parent
    yield from _folders(folder)
    if folder != Path("/usr"):
        yield from ("--ro-bind", str(folder / "lib"), str(folder / "lib"))
    yield from _show({str(python): python})
    yield from ("--perms", "0755", "--tmpfs", "/dev")
    for device in _DEVICES:
        yield from ("--dev-bind", device, device)
    yield from ("--remount-ro", "/dev")


def _show(shown: Mapping[str, Path]) -> Iterator[str]:
    """Show files and folders read-only."""
    for folder in sorted({str(Path(inside).parent) for inside in shown}):
        yield from _folders(Path(folder))
    for inside, outside in shown.items():
        yield from ("--ro-bind", str(outside), inside)


def _empty(folders: Sequence[str]) -> Iterator[str]:
    """Show folders as if nothing were in them."""
    for folder in folders:
        yield from ("--perms", "0755", "--tmpfs", folder, "--remount-ro", folder)


def _folders(folder: Path) -> Iterator[str]:
    """Return the options that make folders readable by all; those that bubblewrap makes by itself are closed to others."""
    for each in [*reversed(folder.parents), folder]:
        if each != Path("/"):
            yield from ("--perms", "0755", "--dir", str(each))


def _limits(bounds: Bounds) -> dict[str, tuple[int, int]]:
    same = {
        "RLIMIT_AS": bounds.memory_bytes + ADDRESSES_BYTES,
        "RLIMIT_DATA": bounds.memory_bytes,
        "RLIMIT_STACK": STACK_BYTES,
        "RLIMIT_FSIZE": bounds.tmp_bytes,
        "RLIMIT_NOFILE": bounds.open_files,
        "RLIMIT_NPROC": bounds.processes,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_SIGPENDING": 1024,
        "RLIMIT_CORE": 0,
    }
    # The soft limit's signal says what it was; the hard one ends a process that would not hear.
    return {name: (value, value) for name, value in same.items()} | {
        "RLIMIT_CPU": (bounds.cpu_s, bounds.cpu_s + 1)
    }


def _python() -> Path:
    """Return the interpreter itself, not an environment's link to it."""
    return Path(os.path.realpath(sys.executable))


def _some_uid() -> int:
    """Return a user of its own for one sandbox, so that the kernel counts its processes apart."""
    return _FIRST_UID + int.from_bytes(os.urandom(4)) % _UIDS
