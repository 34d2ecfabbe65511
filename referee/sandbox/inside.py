"""The first program inside a sandbox: gives up all rights, sets the bounds, then becomes the bot.

Run by bubblewrap as `python -I -S inside.py CONFIG`, with nothing of ours on the path; CONFIG is the JSON that
`command.py` writes.  Until it has written to `ready`, what goes wrong is the platform's fault and not the bot's.
"""

from __future__ import annotations

import _sitebuiltins
import builtins
import ctypes
import json
import os
import resource
import sys
from typing import Any

_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_MS_REMOUNT_NOSUID_NODEV = 0x20 | 0x2 | 0x4
_MS_REMOUNT_BIND_READONLY_NOSUID_NOEXEC = 0x20 | 0x1000 | 0x1 | 0x2 | 0x8


def main() -> None:
    """Set everything up and give the bot's program the process."""
    config = json.loads(sys.argv[1])
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", _MS_REMOUNT_NOSUID_NODEV, config["tmp"].encode()), "/tmp")
    for device in config["devices"]:
        # They stay writable, but no sandbox can change the times of a file that all sandboxes show.
        flags = _MS_REMOUNT_BIND_READONLY_NOSUID_NOEXEC
        _check(libc.mount(None, device.encode(), None, flags, None), device)
    for name, (soft, hard) in config["limits"].items():
        resource.setrlimit(getattr(resource, name), (soft, hard))
    # What it inherits as its standard input is the machine's /dev/null, whose times it could change.
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    _give_up_rights(libc, config["uid"])
    _load_filter(libc, bytes.fromhex(config["filter"]))
    ready = config["ready"]
    path = config["file"]
    *first, site = config["path"]
    sys.path[:] = [*first, *sys.path, site]
    sys.argv = [path]
    _run(path, ready)


def _run(path: str, ready: int) -> None:
    """Run a file as the main program, as if nothing had been run before it."""
    # The module that gives scripts their `exit()` would also look for packages elsewhere.
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D")
    os.write(ready, b"r")
    os.closerange(3, 1024)
    with open(path, "rb") as file:
        source = file.read()
    own: dict[str, Any] = vars(sys.modules["__main__"])
    for name in [name for name in own if not name.startswith("__") or name == "__annotations__"]:
        del own[name]
    own.update(__file__=path, __doc__=None)
    exec(compile(source, path, "exec"), own)  # noqa: S102 - it is what this program is for


def _give_up_rights(libc: ctypes.CDLL, uid: int) -> None:
    """Become a user who owns nothing and may do nothing.  `uid` is 0 where bubblewrap saw to the user."""
    capability = 0
    while libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    if uid:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    _check(libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "ambient capabilities")
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _check(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def _load_filter(libc: ctypes.CDLL, program: bytes) -> None:
    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    _check(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    filter_ = Program(len(program) // 8, program)
    _check(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(filter_), 0, 0), "seccomp")


def _check(result: int, what: str) -> None:
    if result:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    main()
