"""The system calls that a hosted bot may make, and the values of their commands and options that it may give.

`FREE` has the calls without a command or option.  All others are in `RULES`, with the allowed values of each such argument
and a reason: what is not listed is refused, so that an option of a future kernel is, too.  The calls are those that CPython,
grpc, uvloop, NumPy, ONNX Runtime, Node and the C libraries make (`strace`), without those that reach beyond the sandbox or
take memory that belongs to no process.

All sandboxes show the same files, so anything that the kernel stores with an inode, or counts for the whole machine, could
carry a message from one to another: locks, leases, notifications, futexes, the page cache, counters.  docs/sandbox.md lists them.
"""

from __future__ import annotations

import errno
import fcntl
import mmap
import os
import socket
from dataclasses import dataclass
from itertools import product

INT = 0xFFFFFFFF
"""The bits that the kernel reads of an int argument."""
LONG = (1 << 64) - 1
_ANY_THREAD_CLOCK = 0x80000007
"""The sign and the kind of a processor clock that is named by a process or thread (CPUCLOCK_* of the kernel)."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call that must be one of these values, of the masked bits."""

    number: int
    mask: int
    values: tuple[int, ...]

    def allows(self, value: int) -> bool:
        """Return whether the argument may have a value."""
        return value & self.mask in self.values


@dataclass(frozen=True, slots=True)
class Rule:
    """Calls that are allowed if all of these arguments are."""

    calls: str
    arguments: tuple[Argument, ...]
    reason: str

    def alternatives(self) -> list[list[tuple[int, int, int]]]:
        """Return each combination of allowed values, as number, mask and value of each argument."""
        each = [[(one.number, one.mask, value) for value in one.values] for one in self.arguments]
        return [list(combination) for combination in product(*each)]


def _one_of(number: int, *values: int) -> Argument:
    return Argument(number, INT, values)


def _flags(number: int, known: int, width: int = INT) -> Argument:
    """Allow any combination of known bits."""
    return Argument(number, width & ~known, (0,))


FREE = {
    "files": """
access chdir chmod close creat dup dup2 faccessat fchdir fchmod fchmodat fdatasync fstat fsync ftruncate futimesat getcwd getdents
getdents64 link lstat mkdir mkdirat pread64 preadv pwrite64 pwritev read readlink readlinkat readv rename renameat rmdir sendfile
stat symlink symlinkat truncate umask unlink utime utimes write writev pipe
""",
    "waiting": """
epoll_create epoll_pwait epoll_pwait2 epoll_wait eventfd poll ppoll pselect6 select signalfd timerfd_gettime nanosleep pause
""",
    "memory": "brk munmap",
    "processes": """
alarm capget execve exit exit_group fork getcpu getegid geteuid getgid getgroups getpgid getpgrp getpid getppid getresgid getresuid
getsid gettid getuid get_robust_list kill restart_syscall rt_sigaction rt_sigpending rt_sigqueueinfo rt_sigreturn
rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max
sched_get_priority_min sched_yield set_robust_list set_tid_address setpgid sigaltstack tgkill timer_delete timer_getoverrun
timer_gettime tkill vfork
""",
    "time": "gettimeofday time times uname",
    "streams": "accept bind connect getpeername getsockname listen",
}
"""The calls without a command or option, by what they are for."""

ABSENT = """
clone3 fadvise64 futex_requeue futex_wait futex_waitv futex_wake openat2 pidfd_open pidfd_send_signal pkey_alloc pkey_free
pkey_mprotect readahead sysinfo
"""
"""Calls refused as if the kernel did not have them: callers fall back to older calls or do without.

The flags of clone3, futex_waitv and openat2 are in memory, which a filter cannot read.
"""

_LARGE_FILE = 0o100000 if os.uname().machine == "x86_64" else 0o400000
_OPEN = (
    os.O_ACCMODE
    | os.O_APPEND
    | os.O_CLOEXEC
    | os.O_CREAT
    | os.O_DIRECTORY
    | os.O_DSYNC
    | os.O_EXCL
    | _LARGE_FILE
    | os.O_NOCTTY
    | os.O_NOFOLLOW
    | os.O_NONBLOCK
    | os.O_PATH
    | os.O_SYNC
    | os.O_TMPFILE
    | os.O_TRUNC
)
"""All but O_ASYNC, O_DIRECT and O_NOATIME."""
_NEW_DESCRIPTOR = os.O_CLOEXEC | os.O_NONBLOCK
_AT_NOFOLLOW, _AT_REMOVEDIR, _AT_FOLLOW, _AT_NO_AUTOMOUNT, _AT_EMPTY_PATH = 0x100, 0x200, 0x400, 0x800, 0x1000
_AT_EACCESS = 0x200
_STATX_SYNC = 0x6000
_STATX_BASIC = 0xFFF
_PROT = 0x7 | 0x30 | 0x01000000
"""PROT_READ, _WRITE, _EXEC; _BTI and _MTE of arm64; _GROWSDOWN, by which glibc makes stacks executable."""
_MAP = 0x10 | 0x40 | 0x100 | 0x800 | 0x1000 | 0x4000 | 0x8000 | 0x10000 | 0x20000 | 0x100000
"""MAP_FIXED, _32BIT, _GROWSDOWN, _DENYWRITE, _EXECUTABLE, _NORESERVE, _POPULATE, _NONBLOCK, _STACK, _FIXED_NOREPLACE."""
_MADVICE = (0, 1, 2, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 102, 103)
_CLONE = 0xFF | 0xF00 | 0x4000 | 0x10000 | 0x40000 | 0x80000 | 0x300000 | 0x400000 | 0x1000000
"""The signal; CLONE_VM, _FS, _FILES, _SIGHAND; _VFORK, _THREAD, _SYSVSEM, _SETTLS; _PARENT_SETTID, _CHILD_CLEARTID; _DETACHED, which musl gives; _CHILD_SETTID."""
_FUTEX_PRIVATE, _FUTEX_REALTIME = 128, 256
_FUTEX_OPERATIONS = (0, 1, 3, 4, 5, 9, 10)
_WAIT = 0x1 | 0x2 | 0x4 | 0x8 | 0x01000000 | 0xE0000000
"""WNOHANG, WUNTRACED, WEXITED, WCONTINUED, WNOWAIT; __WNOTHREAD, __WALL, __WCLONE."""
_CLOCKS = (0, 1, 2, 3, 4, 5, 6, 7, 11)
"""CLOCK_REALTIME, _MONOTONIC, _PROCESS_CPUTIME_ID, _THREAD_CPUTIME_ID, _MONOTONIC_RAW, both _COARSE, _BOOTTIME, _TAI."""
_MESSAGES = 0x2 | 0x20 | 0x40 | 0x80 | 0x100 | 0x4000 | 0x8000 | 0x10000 | 0x40000000
"""MSG_PEEK, _TRUNC, _DONTWAIT, _EOR, _WAITALL, _NOSIGNAL, _MORE, _WAITFORONE, _CMSG_CLOEXEC."""
_SOCKET_KINDS = (int(socket.SOCK_STREAM), int(socket.SOCK_DGRAM), int(socket.SOCK_SEQPACKET))
_SETTABLE = (2, 7, 8, 9, 13, 15, 16, 18, 20, 21, 66, 67)
"""SO_REUSEADDR, _SNDBUF, _RCVBUF, _KEEPALIVE, _LINGER, _REUSEPORT, _PASSCRED, _RCVLOWAT, _RCVTIMEO, _SNDTIMEO."""
_READABLE = (*_SETTABLE, 3, 4, 17, 30, 38, 39)
"""Also SO_TYPE, _ERROR, _PEERCRED, _ACCEPTCONN, _PROTOCOL, _DOMAIN."""
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, by which Python asks whether a file is a terminal; TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""

_DESCRIPTOR = "closed when a program is executed, or without waiting"
_PATH = "how a path is followed"
_RESOURCES = tuple(range(16))

RULES = (
    Rule(
        "prctl",
        (_one_of(0, 1, 2, 3, 15, 16, 21, 23, 38, 39),),
        "the signal at the parent's death, the names of threads, and questions about dumps, filters and rights. "
        "Many others take kernel memory (futex tables, filters, names of mappings), merge pages, or change the processor's state",
    ),
    Rule("arch_prctl", (_one_of(0, 0x1001, 0x1002, 0x1003, 0x1004),), "where a thread's own variables lie"),
    Rule("open", (_flags(1, _OPEN),), "files as programs open them; not O_ASYNC, which allocates in the kernel"),
    Rule("openat", (_flags(2, _OPEN),), "the same"),
    Rule(
        "fcntl",
        (_one_of(1, fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL),),
        "commands that affect only a descriptor: locks, leases, hints and notifications belong to the inode, which others share",
    ),
    Rule("fcntl", (_one_of(1, fcntl.F_SETFL), _flags(2, _OPEN)), "waiting or not; not O_ASYNC"),
    Rule("ioctl", (_one_of(1, *_IOCTLS),), "questions about terminals, bytes to read, waiting or not"),
    Rule("dup3", (_flags(2, os.O_CLOEXEC),), _DESCRIPTOR),
    Rule("pipe2 epoll_create1", (_flags(1, _NEW_DESCRIPTOR),), _DESCRIPTOR),
    Rule("close_range", (_flags(2, 0x4),), "close, or close when a program is executed"),
    Rule("lseek", (_one_of(2, 0, 1, 2, 3, 4),), "SEEK_SET, _CUR, _END, _DATA, _HOLE"),
    Rule("copy_file_range", (_flags(5, 0),), "no option exists"),
    Rule("fallocate", (_one_of(1, 0, 1, 3),), "allocate, and punch holes"),
    Rule("faccessat2", (_flags(3, _AT_EACCESS | _AT_NOFOLLOW | _AT_EMPTY_PATH),), _PATH),
    Rule("newfstatat", (_flags(3, _AT_NOFOLLOW | _AT_NO_AUTOMOUNT | _AT_EMPTY_PATH),), _PATH),
    Rule(
        "statx",
        (
            _flags(2, _AT_NOFOLLOW | _AT_NO_AUTOMOUNT | _AT_EMPTY_PATH | _STATX_SYNC),
            _flags(3, _STATX_BASIC),
        ),
        "what stat(2) says, and the time of birth; not the numbers of mounts, which come from one counter of the machine",
    ),
    Rule("linkat", (_flags(4, _AT_FOLLOW | _AT_EMPTY_PATH),), _PATH),
    Rule("unlinkat", (_flags(2, _AT_REMOVEDIR),), "a file or a folder"),
    Rule("renameat2", (_one_of(4, 0, 1, 2),), "replace, do not replace, exchange; a whiteout is a device"),
    Rule("utimensat", (_flags(3, _AT_NOFOLLOW | _AT_EMPTY_PATH),), _PATH),
    Rule("preadv2 pwritev2", (_flags(5, 0),), "one of the flags asks whether a page is in the cache"),
    Rule("epoll_ctl", (_one_of(1, 1, 2, 3),), "add, remove, change"),
    Rule("eventfd2", (_flags(1, _NEW_DESCRIPTOR | 1),), _DESCRIPTOR),
    Rule("signalfd4", (_flags(3, _NEW_DESCRIPTOR),), _DESCRIPTOR),
    Rule("timerfd_create", (_one_of(0, 0, 1, 7), _flags(1, _NEW_DESCRIPTOR)), "clocks that wake no machine"),
    Rule("timerfd_settime", (_flags(1, 1),), "at a time, or after one; the other flag enters a list of the machine"),
    Rule("timer_create", (_one_of(0, 0, 1, 2, 3, 7, 11),), "clocks that wake no machine"),
    Rule("timer_settime", (_flags(1, 1),), "at a time, or after one"),
    Rule("getitimer setitimer", (_one_of(0, 0, 1, 2),), "time, processor time of the program, of all"),
    Rule("clock_nanosleep", (_one_of(0, 0, 1, 2, 7, 11), _flags(1, 1)), "clocks that wake no machine"),
    Rule("clock_getres clock_gettime", (_one_of(0, *_CLOCKS),), "the clocks of the machine and the caller's own"),
    Rule(
        "clock_getres clock_gettime",
        (Argument(0, _ANY_THREAD_CLOCK, tuple(0x80000000 | kind for kind in (0, 1, 2, 4, 5, 6))),),
        "processor time of its own processes and threads; not clocks of devices",
    ),
    Rule("getrandom", (_flags(2, 0x7),), "waiting or not, and from which source"),
    Rule(
        "mmap",
        (_flags(2, _PROT), Argument(3, LONG & ~_MAP, (mmap.MAP_SHARED, mmap.MAP_PRIVATE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))),
        "memory of its own, or files. Shared memory without a file stays when no process has it mapped, so that it is counted "
        "for none; huge pages come from a pool that all share",
    ),
    Rule("mprotect", (_flags(2, _PROT),), "read, write, execute"),
    Rule("mremap", (_flags(3, 0x7),), "whether it may move, and where to"),
    Rule("msync", (_flags(2, 0x7),), "wait or not"),
    Rule(
        "madvise",
        (_one_of(2, *_MADVICE),),
        "advice on the caller's own pages: use, forks, huge pages, dumps, guards. Not advice that affects the page cache "
        "(WILLNEED, COLD, PAGEOUT, POPULATE, COLLAPSE), and not merging of equal pages",
    ),
    Rule(
        "membarrier",
        (_one_of(0, 0, 8, 16, 32, 64), _flags(1, 0)),
        "barriers among the threads of a process; the others interrupt all cores of the machine",
    ),
    Rule(
        "clone",
        (_flags(0, _CLONE),),
        "processes and threads; no namespaces, and no pidfd, whose inode number counts the processes of the machine",
    ),
    Rule("execveat", (_flags(4, _AT_NOFOLLOW | _AT_EMPTY_PATH),), _PATH),
    Rule("wait4", (_flags(2, _WAIT),), "which children, waiting or not"),
    Rule("waitid", (_one_of(0, 0, 1, 2), _flags(3, _WAIT)), "the same, without pidfds"),
    Rule("getpriority setpriority", (_one_of(0, 0, 1, 2),), "of a process, a group, a user"),
    Rule("getrlimit setrlimit", (_one_of(0, *_RESOURCES),), "limits can only be lowered"),
    Rule("prlimit64", (_one_of(1, *_RESOURCES),), "the same"),
    Rule("getrusage", (_one_of(0, 0, 1, INT),), "of the process, the thread, the children"),
    Rule("rt_sigprocmask", (_one_of(0, 0, 1, 2),), "block, unblock, set"),
    Rule("rseq", (_one_of(2, 0, 1),), "register and unregister"),
    Rule("sched_getattr", (_flags(3, 0),), "no option exists"),
    Rule(
        "futex",
        (Argument(1, INT & ~_FUTEX_REALTIME, tuple(_FUTEX_PRIVATE | operation for operation in _FUTEX_OPERATIONS)),),
        "private to a process: otherwise all processes that map a file share its futexes. WAIT, WAKE, REQUEUE, CMP_REQUEUE, "
        "WAKE_OP, and both _BITSET; those with priorities allocate in the kernel",
    ),
    Rule(
        "socket socketpair",
        (_one_of(0, int(socket.AF_UNIX)), Argument(1, INT & ~_NEW_DESCRIPTOR, _SOCKET_KINDS), _one_of(2, 0)),
        "Unix sockets: the sandbox has no network",
    ),
    Rule("accept4", (_flags(3, _NEW_DESCRIPTOR),), _DESCRIPTOR),
    Rule("shutdown", (_one_of(1, 0, 1, 2),), "which direction"),
    Rule("recvfrom sendto recvmmsg sendmmsg", (_flags(3, _MESSAGES),), "waiting, and how much; not zero-copy, not out of band"),
    Rule("recvmsg sendmsg", (_flags(2, _MESSAGES),), "the same"),
    Rule(
        "setsockopt",
        (_one_of(1, int(socket.SOL_SOCKET)), _one_of(2, *_SETTABLE)),
        "options that servers set; not filters, which take kernel memory",
    ),
    Rule(
        "getsockopt",
        (_one_of(1, int(socket.SOL_SOCKET)), _one_of(2, *_READABLE)),
        "the same, and what a socket is; not SO_COOKIE, a number from a counter of the machine",
    ),
)  # fmt: skip
"""The calls with a command or option."""

ANSWERED = (
    (errno.EAGAIN, "futex", Argument(1, 0xFF, (0, 9))),
    # FUTEX_WAIT and _WAIT_BITSET: pthread_join(3) waits without the private flag, and asks again as long as it gets EAGAIN.
    (errno.EAFNOSUPPORT, "socket", _one_of(0, int(socket.AF_INET), int(socket.AF_INET6))),
    (errno.EOPNOTSUPP, "setsockopt", _one_of(1, int(socket.IPPROTO_TCP))),
    (errno.EOPNOTSUPP, "getsockopt", _one_of(1, int(socket.IPPROTO_TCP))),
)
"""Refused with an error that callers know how to take; all others with EPERM."""
