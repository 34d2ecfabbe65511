"""A bot that tries to get out: run in a sandbox, it prints which protections work as JSON, then uses too much memory.

Run with the smallest limits, so that it takes a quarter of a second.  With `PROBE=kernel` in its environment it has the
kernel hold too much memory that belongs to no process, and nothing else.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import select
import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress

_CLONE_NEWUSER = 0x10000000
_PTRACE_TRACEME = 0
_UNKNOWN_OPTION = 0x7FFFFFFF
"""An option that no kernel has: it answers EINVAL, the filter EPERM."""
_F_OFD_SETLK = 37
_SO_COOKIE = 57
_FUTEX = {"x86_64": 202, "aarch64": 98}
_FUTEX_WAIT, _FUTEX_WAKE = 0, 1
_MIB = 1 << 20
_WAITS_S = 10.0
_WAITS_FOR_KERNEL_S = 2.0
_OWN_PROCESSES = 4
"""Itself, and those that only wait for it."""


def rights() -> bool:
    """Return whether the process is not root, has no capability, and can get none."""
    libc = ctypes.CDLL(None)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    held = (ctypes.c_uint32 * 6)(*[1] * 6)
    return (
        os.getuid() != 0
        and libc.capget(header, held) == 0
        and not any(held)
        and libc.prctl(39, 0, 0, 0, 0) == 1
    )


def files() -> bool:
    """Return whether it sees no file of the machine's own, and can write only to its /tmp."""
    seen = (
        "/etc/passwd",
        "/proc/1/environ",
        "/sys/class",
        "/dev/shm",
        "/bin/sh",
        "/usr/bin/env",
        "/var",
        "/home",
    )
    return not any(map(os.path.exists, seen)) and not any(
        map(_writes, ("/", "/run", "/dev", "/site", "/bot", "/etc"))
    )


def processes() -> bool:
    """Return whether it sees no other process, and can start only a bounded number."""
    children = []
    try:
        for _ in range(resource.getrlimit(resource.RLIMIT_NPROC)[0] + 8):
            pid = os.fork()
            if not pid:
                time.sleep(_WAITS_S)
                os._exit(0)
            children.append(pid)
    except BlockingIOError:
        return os.getppid() == 1
    finally:
        for pid in children:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
    return False


def network() -> bool:
    """Return whether it has only Unix sockets."""
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET):
        with suppress(OSError):
            socket.socket(family, socket.SOCK_DGRAM).close()
            return False
    return True


def calls() -> bool:
    """Return whether the filter refuses calls and options that reach beyond the sandbox, and memory that no process owns."""
    libc = ctypes.CDLL(None, use_errno=True)
    allowed = (
        libc.ptrace(_PTRACE_TRACEME, 0, 0, 0) == 0,
        libc.unshare(_CLONE_NEWUSER) == 0,
        libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None) == 0,
        libc.shmget(0, 4096, 0o1600) >= 0,
        libc.memfd_create(b"", 0) >= 0,
    )
    try:
        mmap.mmap(-1, 4096).close()
    except OSError:
        return (
            not any(allowed) and libc.prctl(_UNKNOWN_OPTION, 0, 0, 0, 0) and ctypes.get_errno() == errno.EPERM
        )
    return False


def channels() -> bool:
    """Return whether the filter closes channels between sandboxes: shared files, counters of the whole machine."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    shared = os.open(os.__file__, os.O_RDONLY)
    page = ctypes.c_void_p(
        libc.mmap(None, ctypes.c_size_t(4096), 1, mmap.MAP_SHARED, shared, ctypes.c_long(0))
    )
    attempts: tuple[Callable[[], object], ...] = (
        lambda: fcntl.fcntl(shared, fcntl.F_SETLK, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 42, 7, 0)),
        lambda: fcntl.fcntl(shared, _F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 42, 7, 0)),
        lambda: fcntl.fcntl(shared, fcntl.F_NOTIFY, fcntl.DN_ACCESS),
        lambda: fcntl.fcntl(shared, fcntl.F_GETLEASE),
        lambda: fcntl.flock(shared, fcntl.LOCK_SH),
        lambda: os.posix_fadvise(shared, 0, 0, os.POSIX_FADV_DONTNEED),
        lambda: os.preadv(shared, [bytearray(1)], 0, os.RWF_NOWAIT),
        lambda: os.statvfs(os.__file__),
        lambda: os.pidfd_open(os.getpid()),
        lambda: os.utime("/dev/null"),
        lambda: os.utime(0),
        lambda: socket.socketpair()[0].getsockopt(socket.SOL_SOCKET, _SO_COOKIE, 8),
        lambda: _done(libc.sysinfo(ctypes.create_string_buffer(256))),
        lambda: _done(libc.mincore(page, 4096, ctypes.create_string_buffer(1))),
        lambda: _done(libc.inotify_init()),
        lambda: _done(libc.futimens(0, None)),
    )
    return not any(map(_works, attempts)) and _futex_refused(libc, page)


def _done(result: int) -> None:
    if result < 0:
        raise OSError("refused")


def _works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _futex_refused(libc: ctypes.CDLL, page: ctypes.c_void_p) -> bool:
    """Return whether it can neither wake a process that waits in a page of a shared file, nor wait there itself."""
    number = _FUTEX.get(os.uname().machine, 0)
    value = ctypes.c_uint.from_address(page.value or 0).value
    at_once = ctypes.byref((ctypes.c_long * 2)(0, 1))
    woken = libc.syscall(number, page, _FUTEX_WAKE, 1, None, None, 0)
    waited = libc.syscall(number, page, _FUTEX_WAIT, value, at_once, None, 0)
    return woken < 0 and waited < 0 and ctypes.get_errno() != errno.ETIMEDOUT


def space() -> bool:
    """Return whether its /tmp limits both bytes and files."""
    try:
        for number in range(10_000):
            with open(f"/tmp/{number}", "wb"):
                pass
    except OSError:
        pass
    else:
        return False
    for name in os.listdir("/tmp"):
        os.unlink(f"/tmp/{name}")
    try:
        for number in range(100):
            with open(f"/tmp/{number}", "wb") as file:
                file.write(bytes(_MIB))
    except OSError:
        return True
    return False


def _writes(folder: str) -> bool:
    try:
        with open(f"{folder}/x", "wb"):
            return True
    except OSError:
        return False


def use_too_much() -> None:
    """Use more memory than one sandbox may, with processes that each use less."""
    half = resource.getrlimit(resource.RLIMIT_DATA)[0] // 2
    for _ in range(4):
        if not os.fork():
            kept = bytearray(half)
            for position in range(0, len(kept), 4096):
                kept[position] = 1
            time.sleep(_WAITS_S)
            os._exit(0)
    time.sleep(_WAITS_S)


def have_the_kernel_hold_too_much() -> None:
    """Make watches of epoll, which belong to no process: each file under many numbers, by epolls that processes share."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    third = most // 3
    epolls = [select.epoll() for _ in range(third)]
    for _ in range(resource.getrlimit(resource.RLIMIT_NPROC)[0] - _OWN_PROCESSES):
        if os.fork():
            continue
        for file in [os.eventfd(0) for _ in range(third)]:
            for number in range(file + third, most):
                os.dup2(file, number)
                for epoll in epolls:
                    epoll.register(number, select.EPOLLIN)
                os.close(number)
        break
    time.sleep(_WAITS_FOR_KERNEL_S)


_TRIES = (rights, files, processes, network, calls, channels, space)


def main() -> None:
    """Try everything."""
    if os.environ.get("PROBE") == "kernel":
        have_the_kernel_hold_too_much()
        return
    print(json.dumps({each.__name__: each() for each in _TRIES}))  # noqa: T201
    sys.stdout.flush()
    use_too_much()


if __name__ == "__main__":
    main()
