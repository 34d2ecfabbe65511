"""The system calls that a hosted bot may make, as a program for the kernel (seccomp, by way of libseccomp).

An allowlist, so that new calls of future kernels are refused.  Other calls fail with EPERM, or with ENOSYS if a C library
then falls back to an older call.  The list has the calls that CPython, grpc, uvloop and numpy use, without those that
reach beyond the sandbox or hold memory that belongs to no process: sockets except Unix sockets, memory files,
System V and POSIX message queues, semaphores and shared memory, keys, io_uring, bpf, perf, ptrace, mounts, namespaces.

All sandboxes show the same files, so anything that the kernel stores with an inode, or counts for the whole machine, could
carry a message from one to another: locks, leases, notifications, futexes, the page cache, counters.  docs/sandbox.md lists them.
"""

from __future__ import annotations

import errno
import fcntl
import socket
import tempfile
from contextlib import suppress

from arena.core.errors import ArenaError


class FilterMissing(ArenaError):  # noqa: N818 - says what is the case
    """Raised when the library that makes the filter is missing."""


_FILES = """
access chdir chmod close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fallocate fchdir fchmod
fchmodat fdatasync fstat fsync ftruncate futimesat getcwd getdents getdents64 link linkat lseek lstat mkdir mkdirat
newfstatat open openat pread64 preadv pwrite64 pwritev read readlink readlinkat readv rename renameat renameat2 rmdir
sendfile stat statx symlink symlinkat sync_file_range truncate umask unlink unlinkat utime utimensat utimes write writev
pipe pipe2
"""
_WAITING = """
epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 poll ppoll pselect6 select
signalfd signalfd4 timerfd_create timerfd_gettime timerfd_settime nanosleep clock_nanosleep pause
"""
_MEMORY = """
brk mprotect mremap msync munmap membarrier pkey_alloc pkey_free pkey_mprotect
"""
_PROCESSES = """
arch_prctl capget execve execveat exit exit_group fork vfork getegid geteuid getgid getgroups getpgid getpgrp getpid getppid
getpriority getresgid getresuid getrlimit getrusage getsid gettid getuid kill prctl prlimit64 restart_syscall rseq
rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min sched_yield
set_robust_list get_robust_list set_tid_address setpgid setpriority setrlimit sigaltstack tgkill tkill wait4 waitid
getcpu alarm getitimer setitimer timer_create timer_delete timer_getoverrun timer_gettime
timer_settime
"""
_TIME_AND_CHANCE = """
clock_getres clock_gettime gettimeofday time times getrandom uname
"""
_STREAMS = """
accept accept4 bind connect getpeername getsockname listen recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto shutdown
"""
_ABSENT = """
clone3 fadvise64 futex_requeue futex_wait futex_waitv futex_wake openat2 pidfd_open pidfd_send_signal readahead sysinfo
"""
"""Calls refused as if the kernel did not have them: callers fall back to older calls or do without.

The flags of clone3, futex_waitv and openat2 are in memory, which a filter cannot read.
"""

_INT = 0xFFFFFFFF
"""The only bits that the kernel reads of an int argument."""
_CLONE_REFUSED = 0x7E020080 | 0x1000
"""CLONE_NEWUSER, -PID, -NET, -IPC, -UTS, -CGROUP, -NS and -TIME of clone(2), and CLONE_PIDFD.

A pidfd's inode number counts the processes of the whole machine.
"""
_SHARED_WITHOUT_FILE = 0x21
"""MAP_SHARED | MAP_ANONYMOUS of mmap(2): memory that stays when no process has it mapped, so that it is counted for none."""
_HUGE_PAGES = 0x40000
"""MAP_HUGETLB of mmap(2): pages of a pool that all processes share."""
_FCNTL = (fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL)
"""Commands that affect only a descriptor: locks, leases, hints and notifications belong to the inode, which others share."""
_FUTEX_PRIVATE = 128
"""FUTEX_PRIVATE_FLAG of futex(2): without it, all processes that map a file share its futexes."""
_FUTEX_OPERATION = 0xFF
_FUTEX_WAITS = (0, 9)
"""FUTEX_WAIT and FUTEX_WAIT_BITSET: pthread_join(3) waits without the flag, and asks again as long as it gets EAGAIN."""
_MADVICE = (0, 1, 2, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 102, 103)
"""Advice of madvise(2) on the caller's own pages: NORMAL, RANDOM, SEQUENTIAL, DONTNEED, FREE, and those about forks, huge
pages, dumps and guards.  Not advice that affects the page cache (WILLNEED, COLD, PAGEOUT, POPULATE, COLLAPSE) or merges pages."""
_IOCTLS = {
    "TCGETS": 0x5401,  # Python asks whether a file is a terminal
    "TIOCGWINSZ": 0x5413,
    "FIONREAD": 0x541B,
    "FIONBIO": 0x5421,
    "FIONCLEX": 0x5450,
    "FIOCLEX": 0x5451,
}
_ALLOWED = (
    ("clone", 0, _CLONE_REFUSED, (0,)),
    ("mmap", 3, _SHARED_WITHOUT_FILE | _HUGE_PAGES, (0x00, 0x01, 0x20)),
    ("madvise", 2, _INT, _MADVICE),
    ("fcntl", 1, _INT, _FCNTL),
    ("ioctl", 1, _INT, tuple(_IOCTLS.values())),
    ("futex", 1, _FUTEX_PRIVATE, (_FUTEX_PRIVATE,)),
    ("preadv2", 5, _INT, (0,)),  # one of the flags asks whether a page is in the cache
    ("pwritev2", 5, _INT, (0,)),
    ("socket", 0, _INT, (socket.AF_UNIX,)),
    ("socketpair", 0, _INT, (socket.AF_UNIX,)),
)
"""Allowed if an argument, masked, is one of these values: name, number of the argument, mask, values."""
_ANSWERED = (
    (errno.EAGAIN, "futex", 1, _FUTEX_OPERATION, _FUTEX_WAITS),
    (errno.EAFNOSUPPORT, "socket", 0, _INT, (socket.AF_INET, socket.AF_INET6)),
)
"""Refused with an error that callers know how to take."""
_SOCKET_OPTIONS_BELOW = 57
"""SO_COOKIE: a number from a counter of the whole machine.  The later options are not needed on Unix sockets."""


def program() -> bytes:
    """Make the program, for this machine's processor.  Raises FilterMissing."""
    try:
        import pyseccomp as seccomp  # noqa: PLC0415 - it looks for the C library at once
    except (ImportError, OSError, RuntimeError) as error:
        raise FilterMissing(f"the library libseccomp is missing: {error}") from error
    made = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    # Calls under the numbers of another processor, such as those of 32-bit programs, would be read wrongly.
    made.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)

    def rule(action: int, name: str, *arguments: object) -> None:
        with suppress(OSError):  # some have no number on some processors
            made.add_rule(action, name, *arguments)

    for name in (_FILES + _WAITING + _MEMORY + _PROCESSES + _TIME_AND_CHANCE + _STREAMS).split():
        rule(seccomp.ALLOW, name)
    for name in _ABSENT.split():
        rule(seccomp.ERRNO(errno.ENOSYS), name)
    rules = [(seccomp.ALLOW, *allowed) for allowed in _ALLOWED]
    rules += [(seccomp.ERRNO(error), *answered) for error, *answered in _ANSWERED]
    for action, name, number, mask, values in rules:
        for value in values:
            rule(action, name, seccomp.Arg(number, seccomp.MASKED_EQ, mask, value))
    for name in ("getsockopt", "setsockopt"):
        rule(seccomp.ALLOW, name, seccomp.Arg(2, seccomp.LT, _SOCKET_OPTIONS_BELOW))
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()
