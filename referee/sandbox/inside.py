"""The first program inside a sandbox: gives up all rights, sets the limits, then becomes the bot.

Run by bubblewrap as `python -I -S inside.py CONFIG`, with nothing of ours on the path; CONFIG is the JSON that
`command.py` writes.  The fork server imports it instead of running bubblewrap for each bot: `enclose` does the work of bubblewrap.
Until it has written to `ready`, failures are the platform's fault and not the bot's.
"""

from __future__ import annotations

import _sitebuiltins
import builtins
import ctypes
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, NoReturn

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_CLONE_NEWNS = 0x20000
_CLONE_NEWUSER = 0x10000000
_CLONE_APART = 0x2000000 | 0x4000000 | 0x8000000 | 0x20000000 | 0x40000000
"""CLONE_NEWCGROUP, -UTS, -IPC, -PID and -NET."""
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REMOUNT, _MS_BIND = 0x1, 0x2, 0x4, 0x8, 0x20, 0x1000
_MS_REC, _MS_PRIVATE = 0x4000, 0x40000
_MNT_DETACH = 2
_SIGNALLED = 128
"""The number that is added to a signal's to make it an exit code."""
_CANNOT_EXECUTE = 126
"""The exit code of shells for a file that is no program."""


def main() -> None:
    """Set everything up and give the bot's program the process."""
    config = json.loads(sys.argv[1])
    _mount(b"tmpfs", "/tmp", b"tmpfs", _MS_REMOUNT | _MS_NOSUID | _MS_NODEV, config["tmp"])
    _close_devices(config["devices"])
    _settle(config)
    file, path = config["file"], config["path"]
    sys.path[:] = [*path[:-1], *sys.path, *path[-1:]]
    sys.argv = [file]
    become(file, config["arguments"], config["ready"])


def enclose(config: dict[str, Any]) -> None:
    """Enclose a process that the fork server made, as bubblewrap does; returns in the bot's own process.

    As with bubblewrap, the result is three processes: the outermost only waits, outside the namespaces; the first inside
    collects ended processes; its child is the bot.
    """
    _check(_LIBC.unshare(_CLONE_NEWNS), "a mount namespace")
    _mount(b"none", "/", None, _MS_REC | _MS_PRIVATE)
    os.umask(0)
    for folder in config["folders"]:
        _mount(b"tmpfs", folder, b"tmpfs", _MS_NOSUID | _MS_NODEV, "mode=0755,size=1m")
    for source, target in config["shown"]:
        _show(source, target)
    for target, content in config["files"].items():
        with open(target, "x", encoding="latin-1", opener=_readable) as file:
            file.write(content)
    for folder in config["emptied"]:
        _mount(b"tmpfs", folder, b"tmpfs", _MS_RDONLY | _MS_NOSUID | _MS_NODEV, "mode=0755")
    for folder in config["folders"]:
        _mount(None, folder, None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)
    _mount(b"tmpfs", "/tmp", b"tmpfs", _MS_NOSUID | _MS_NODEV, config["tmp"])
    _close_devices(config["devices"])
    _check(_LIBC.umount2(config["outside"].encode(), _MNT_DETACH), config["outside"])
    os.chdir("/tmp")
    os.umask(0o022)
    _enter_namespaces(config)
    alive, held = os.pipe()
    first = os.fork()
    if first:
        _wait_for(first, keep=held)
    os.close(held)
    os.setsid()
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if select.select([alive], [], [], 0)[0]:
        os._exit(1)  # the outermost is gone already
    bot = os.fork()
    if bot:
        _wait_for(bot, keep=-1)
    os.setsid()
    _settle(config)


def become(path: str, arguments: list[str], ready: int) -> None:
    """Become the bot: a file that this Python runs, or, where there are arguments, the program that they start."""
    if arguments:
        execute(arguments, ready)
    run(path, ready)


def execute(arguments: list[str], ready: int) -> NoReturn:
    """Execute a program in place of this one.  Raises OSError before anything is written to `ready` if it may not be executed."""
    if not os.access(arguments[0], os.X_OK):
        raise PermissionError(f"{arguments[0]}: cannot be executed here")
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python ignores them, and programs would inherit that
    if ready >= 0:
        os.write(ready, b"r")
    os.closerange(3, 1024)
    try:
        os.execv(arguments[0], arguments)  # noqa: S606 - it is what this program is for
    except OSError as error:
        os.write(2, f"{arguments[0]}: {error.strerror}\n".encode())
        os._exit(_CANNOT_EXECUTE)


def run(path: str, ready: int) -> None:
    """Run a file as the main program, as if nothing had been run before it."""
    # The module that gives scripts their `exit()` would also look for packages elsewhere.
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D")
    if ready >= 0:
        os.write(ready, b"r")
    os.closerange(3, 1024)
    sys.excepthook = _printer()
    with open(path, "rb") as file:
        source = file.read()
    own: dict[str, Any] = vars(sys.modules["__main__"])
    for name in [name for name in own if not name.startswith("__") or name == "__annotations__"]:
        del own[name]
    own.update(__file__=path, __doc__=None)
    exec(compile(source, path, "exec"), own)  # noqa: S102 - it is what this program is for


def _printer() -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """Return a function that prints an error as if Python itself had run the bot's file, without using this module."""
    ours, show = (__file__, os.path.join(os.path.dirname(__file__), "fork_server.py")), sys.__excepthook__

    def print_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        while trace is not None and trace.tb_frame.f_code.co_filename in ours:
            trace = trace.tb_next
        show(kind, error.with_traceback(trace), trace)

    return print_error


def _settle(config: dict[str, Any]) -> None:
    """Set the limits and give up all rights but the bot's."""
    for name, (soft, hard) in config["limits"].items():
        resource.setrlimit(getattr(resource, name), (soft, hard))
    # It inherits the machine's /dev/null as its standard input, and could change its times.
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    _give_up_rights(config["uid"])
    _load_filter(bytes.fromhex(config["filter"]))


def _close_devices(devices: list[str]) -> None:
    """Make devices such that no sandbox can change the times of a file that all sandboxes show; they stay writable."""
    for device in devices:
        flags = _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NOEXEC
        _mount(None, device, None, flags)


def _show(source: str, target: str) -> None:
    """Show a file or folder of the fork server at another place, also read-only."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    _mount(source.encode(), target, None, _MS_BIND | _MS_REC)


def _readable(path: str, flags: int) -> int:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return os.open(path, flags, 0o644)


def _enter_namespaces(config: dict[str, Any]) -> None:
    """Enter new namespaces.  An ordinary user also enters a user namespace, so that the kernel counts its processes separately."""
    uid, gid = os.getuid(), os.getgid()
    _check(_LIBC.unshare(_CLONE_APART | (0 if config["uid"] else _CLONE_NEWUSER)), "namespaces")
    if not config["uid"]:
        for name, value in (
            ("setgroups", "deny"),
            ("gid_map", f"{gid} {gid} 1"),
            ("uid_map", f"{uid} {uid} 1"),
        ):
            file = os.open(f"self/{name}", os.O_WRONLY, dir_fd=config["proc"])
            os.write(file, value.encode())
            os.close(file)
    _check(_LIBC.sethostname(b"bot", 3), "the host's name")


def _wait_for(pid: int, *, keep: int) -> NoReturn:
    """Give up all rights, collect ended processes, and end as this child does.  Close all descriptors but `keep`."""
    os.closerange(0, max(keep, 0))
    os.closerange(keep + 1, 1024)
    _give_up_rights(0)
    while True:
        ended, status = os.wait()
        if ended == pid:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else _SIGNALLED - code)


def _give_up_rights(uid: int) -> None:
    """Become a user who owns nothing and may do nothing.  `uid` is 0 if bubblewrap has already changed the user."""
    capability = 0
    while _LIBC.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    if uid:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    _check(_LIBC.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "ambient capabilities")
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _check(_LIBC.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def _load_filter(program: bytes) -> None:
    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    _check(_LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    filter_ = Program(len(program) // 8, program)
    _check(_LIBC.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(filter_), 0, 0), "seccomp")


def _mount(source: bytes | None, target: str, kind: bytes | None, flags: int, options: str = "") -> None:
    _check(_LIBC.mount(source, target.encode(), kind, flags, options.encode() or None), target)


def _check(result: int, what: str) -> None:
    if result:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    main()
