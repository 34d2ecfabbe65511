"""The system calls that a hosted bot may make, as a program for the kernel (seccomp, by way of libseccomp).

A list of what is allowed, since what new kernels bring is best unknown here.  What is missing fails with EPERM, or ENOSYS
where a C library then falls back to something older.  The list is what CPython, grpc, uvloop and numpy make use of, less
whatever reaches beyond the sandbox or holds memory that belongs to no process: sockets but Unix sockets, memory files,
System V and POSIX message queues, semaphores and shared memory, keys, io_uring, bpf, perf, ptrace, mounts, namespaces.
"""

from __future__ import annotations

import errno
import socket
import tempfile
from contextlib import suppress

from arena.errors import ArenaError


class FilterMissing(ArenaError):  # noqa: N818 - says what is the case
    """Raised when the library that makes the filter is not there."""


_FILES = """
access chdir chmod close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fallocate fchdir
fchmod fchmodat fcntl fdatasync flock fstat fstatfs fsync ftruncate futimesat getcwd getdents getdents64 link linkat lseek
lstat mkdir mkdirat newfstatat open openat openat2 pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink
readlinkat readv rename renameat renameat2 rmdir sendfile stat statfs statx symlink symlinkat sync_file_range truncate umask
unlink unlinkat utime utimensat utimes write writev pipe pipe2
"""
_WAITING = """
epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 poll ppoll pselect6 select
signalfd signalfd4 timerfd_create timerfd_gettime timerfd_settime nanosleep clock_nanosleep pause futex futex_waitv futex_wake futex_wait futex_requeue
"""
_MEMORY = """
brk madvise mincore mprotect mremap msync munmap membarrier pkey_alloc pkey_free pkey_mprotect
"""
_PROCESSES = """
arch_prctl capget execve execveat exit exit_group fork vfork getegid geteuid getgid getgroups getpgid getpgrp getpid getppid
getpriority getresgid getresuid getrlimit getrusage getsid gettid getuid kill prctl prlimit64 restart_syscall rseq
rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min sched_yield
set_robust_list get_robust_list set_tid_address setpgid setpriority setrlimit sigaltstack tgkill tkill wait4 waitid
pidfd_open pidfd_send_signal getcpu alarm getitimer setitimer timer_create timer_delete timer_getoverrun timer_gettime
timer_settime
"""
_TIME_AND_CHANCE = """
clock_getres clock_gettime gettimeofday time times getrandom sysinfo uname
"""
_STREAMS = """
accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto
setsockopt shutdown
"""

_CLONE_ANY_NEW = 0x7E020080
"""CLONE_NEWUSER, -PID, -NET, -IPC, -UTS, -CGROUP, -NS and -TIME of clone(2)."""
_SHARED_WITHOUT_FILE = 0x21
"""MAP_SHARED | MAP_ANONYMOUS of mmap(2): memory that stays when no process has it mapped, so that nobody counts it."""
_IOCTLS = {
    "TCGETS": 0x5401,  # Python asks whether a file is a terminal
    "TIOCGWINSZ": 0x5413,
    "FIONREAD": 0x541B,
    "FIONBIO": 0x5421,
    "FIONCLEX": 0x5450,
    "FIOCLEX": 0x5451,
}
_LOW_32_BITS = 0xFFFFFFFF


def program() -> bytes:
    """Make the program, for this machine's processor.  Raises FilterMissing."""
    try:
        import pyseccomp as seccomp  # noqa: PLC0415 - it looks for the C library at once
    except (ImportError, OSError, RuntimeError) as error:
        raise FilterMissing(f"the library libseccomp is missing: {error}") from error
    made = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    # Calls under the numbers of another processor, such as those of 32-bit programs, would be read wrongly.
    made.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    arg, masked = seccomp.Arg, seccomp.MASKED_EQ

    def rule(action: int, name: str, *arguments: object) -> None:
        with suppress(OSError):  # some have no number on some processors
            made.add_rule(action, name, *arguments)

    allow = seccomp.ALLOW
    for name in (_FILES + _WAITING + _MEMORY + _PROCESSES + _TIME_AND_CHANCE + _STREAMS).split():
        rule(allow, name)
    rule(allow, "clone", arg(0, masked, _CLONE_ANY_NEW, 0))
    rule(seccomp.ERRNO(errno.ENOSYS), "clone3")  # its flags stand in memory, which a filter cannot read
    for shape in (0x00, 0x01, 0x20):
        rule(allow, "mmap", arg(3, masked, _SHARED_WITHOUT_FILE, shape))
    for name in ("socket", "socketpair"):
        rule(allow, name, arg(0, seccomp.EQ, socket.AF_UNIX))
    for domain in (socket.AF_INET, socket.AF_INET6):
        rule(seccomp.ERRNO(errno.EAFNOSUPPORT), "socket", arg(0, seccomp.EQ, domain))
    for request in _IOCTLS.values():
        rule(allow, "ioctl", arg(1, masked, _LOW_32_BITS, request))
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()
