"""The command line that runs a bot in a sandbox of its own: bubblewrap, then `inside.py`, then the bot.

The fork server has its own sandbox, which shows everything that any bot's may show; `inside.py` makes a bot's sandbox from it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.launch.fork_server_client import INSIDE, PROGRAM
from referee.limits.sandbox_bounds import ADDRESSES_BYTES, STACK_BYTES, Bounds

SOCKET = "/run/referee.sock"
"""Where the sandbox shows the referee's socket for hosted bots."""

SITE = "/site"
"""Where the sandbox shows the packages that a bot may import."""
BOT = "/bot"
"""Where it shows the bot's own files."""
NODE = "/run/node"
"""Where it shows Node to the bots that need it."""

_OUTSIDE = "/outside"
"""Where the fork server's sandbox shows folders of the machine."""
_MODULE_SUFFIXES = frozenset({".py", ".pyc", ".so"})
_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache")
_DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
_NOBODY = "65534"
_FIRST_UID = 0x60000000
"""Users of sandboxes that root starts: far above all that are given to people, services or containers."""
_UIDS = 1 << 28


@dataclass(frozen=True, slots=True)
class Program:
    """A bot's program as its sandbox shows it."""

    name: str
    """Its name in a list of processes."""
    shown: Mapping[str, Path]
    """Files and folders, by their path inside."""
    file: str
    """The main program inside."""
    path: tuple[str, ...]
    """Where it imports from, besides Python's own."""
    emptied: tuple[str, ...] = ()
    """Folders that the sandbox shows as empty."""
    arguments: tuple[str, ...] = ()
    """The command line that is executed; empty if this Python runs the main program."""
    reserved_bytes: int = 0
    """Bytes that it reserves of its limit on data without ever using it."""

    def own_modules(self) -> frozenset[str]:
        """Return the names of the modules next to the main program: they come before those of the same name elsewhere."""
        folder = self.shown.get(BOT)
        return (
            frozenset()
            if folder is None or self.arguments
            else frozenset(_module_names((folder / Path(self.file).relative_to(BOT)).parent))
        )


def _module_names(folder: Path) -> Iterator[str]:
    for path in folder.iterdir():
        if path.is_dir() or path.suffix in _MODULE_SUFFIXES:
            yield path.name.partition(".")[0]


def find() -> str:
    """Find bubblewrap; empty if it is not there."""
    return shutil.which("bwrap") or ""


def command(
    bwrap: str, program: Program, bounds: Bounds, *, filter_: bytes, socket: str, ready: int
) -> list[str]:
    """Return the command line.  `ready` is the number of a pipe's end that it inherits.

    Nothing in it is secret: all users of the machine can read it.
    """
    started = {"file": program.file, "path": program.path, "arguments": program.arguments, "ready": ready}
    config = {**_rules(program, bounds, filter_), **started}
    shown = {**program.shown, "/run/inside.py": INSIDE}
    if socket:
        shown[SOCKET] = Path(socket)
    python = _python()
    return [
        bwrap,
        *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *("--hostname", "bot", "--new-session", "--die-with-parent"),
        *_rights(),
        *_system(python),
        *_show(shown),
        *_empty(program.emptied),
        *("--perms", "1777", "--size", str(bounds.tmp_bytes), "--tmpfs", "/tmp", "--chdir", "/tmp"),  # noqa: S108
        *("--remount-ro", "/"),
        *(str(python), "-I", "-S", "-u", "/run/inside.py", json.dumps(config)),
    ]


class FolderView:
    """The files and folders that the fork server's sandbox shows, each at its own place; bots' sandboxes are made from them."""

    def __init__(self, site: Mapping[str, Path], folders: Iterable[Path]) -> None:
        """`site` are the packages that it imports from, by name; `folders` have what bots are shown in addition."""
        self._site = site
        real = {path.resolve() for path in (*folders, *site.values())}
        self._places = {folder: f"{_OUTSIDE}/{number}" for number, folder in enumerate(sorted(real))}

    def place(self, path: Path) -> str:
        """Return where it shows a file or folder of the machine; empty if it does not."""
        path = path.resolve()
        for folder in (path, *path.parents):
            if folder in self._places:
                return str(Path(self._places[folder], path.relative_to(folder)))
        return ""

    def command(self, bwrap: str, control: int, modules: Sequence[str], proc: int) -> list[str]:
        """Return the command line of the fork server; `control` and `proc` are descriptors that it inherits."""
        python = _python()
        site = {f"{SITE}/{name}": path for name, path in self._site.items()}
        programs = {f"/run/{path.name}": path for path in (INSIDE, PROGRAM)}
        return [
            bwrap,
            *("--unshare-net", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session"),
            *_rights(),
            *_system(python),
            *("--perms", "0755", "--tmpfs", _OUTSIDE),
            *_show({**site, **programs, **{place: folder for folder, place in self._places.items()}}),
            *_folders(Path(BOT)),
            *("--perms", "1777", "--tmpfs", "/tmp", "--chdir", "/tmp"),  # noqa: S108
            *("--remount-ro", "/"),
            *(str(python), "-I", "-S", "-u", f"/run/{PROGRAM.name}", str(control)),
            json.dumps({"path": ["/run", SITE], "modules": modules, "proc": proc}),
        ]

    def order(
        self, program: Program, bounds: Bounds, *, filter_: bytes, socket: str, proc: int
    ) -> dict[str, Any] | None:
        """Return what the fork server needs to make a program's sandbox; None if it does not show all that this shows."""
        shown = {**program.shown, **({SOCKET: Path(socket)} if socket else {})}
        files = {}
        for target, path in list(shown.items()):
            if not self.place(path) and path.is_file() and not program.arguments:
                files[target] = path.read_bytes().decode("latin-1")
                del shown[target]
        places = [(self.place(path), target) for target, path in shown.items()]
        if not all(place for place, _ in places):
            return None
        enclosed = {
            **_rules(program, bounds, filter_),
            "folders": (BOT, SITE, str(Path(SOCKET).parent)),
            "shown": places,
            "files": files,
            "emptied": program.emptied,
            "outside": _OUTSIDE,
            "proc": proc,
        }
        started = {"file": program.file, "path": program.path, "arguments": program.arguments}
        return {"title": program.name, **started, "sandbox": enclosed}


def _rules(program: Program, bounds: Bounds, filter_: bytes) -> dict[str, Any]:
    """Return what a bot is bound by, and the user that it becomes; 0 where it has a user namespace."""
    return {
        "filter": filter_.hex(),
        "uid": _some_uid() if os.getuid() == 0 else 0,
        "tmp": f"size={bounds.tmp_bytes},nr_inodes={bounds.tmp_files},mode=1777",
        "devices": _DEVICES,
        "limits": _limits(program, bounds),
    }


def _rights() -> Iterator[str]:
    """Keep the rights that `inside.py` needs until it drops them: root stays root until then, other users get a user namespace."""
    yield from ("--cap-drop", "ALL")
    needed = ["CAP_SYS_ADMIN", "CAP_SETPCAP"]
    if os.getuid() == 0:
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


def _limits(program: Program, bounds: Bounds) -> dict[str, tuple[int, int]]:
    same = {
        "RLIMIT_AS": bounds.memory_bytes + ADDRESSES_BYTES,
        "RLIMIT_DATA": bounds.memory_bytes + program.reserved_bytes,
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
    """Return a separate user for one sandbox, so that the kernel counts its processes separately."""
    return _FIRST_UID + int.from_bytes(os.urandom(4)) % _UIDS
