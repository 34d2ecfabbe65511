"""Bots that ask the kernel for what it must not give them."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
from ast import literal_eval
from pathlib import Path

import pytest

from tests.hostile.inside.sandboxed_attacks import hostile, play
from tests.referee.running_referee import House

pytestmark = pytest.mark.asyncio(loop_scope="module")

# The commands of fcntl(2) that act on an inode, which other sandboxes show as well.
_COMMANDS = {
    "locks": fcntl.F_SETLK, "waiting_locks": fcntl.F_SETLKW, "asking_for_locks": fcntl.F_GETLK,
    "locks_of_open_files": 37, "asking_for_locks_of_open_files": 36, "leases": 1024, "asking_for_leases": 1025,
    "notifications": 1026, "owners_of_signals": 8, "signals": 10, "sizes_of_pipes": 1031, "seals": 1033, "hints": 1036,
}  # fmt: skip
_CALLS = {
    "ptrace_of_its_parent": "libc.ptrace(16, os.getppid(), 0, 0)",
    "ptrace_of_a_child": "libc.ptrace(16, child, 0, 0)",
    "reading_memory_of_another_process": "libc.process_vm_readv(os.getppid(), 0, 0, 0, 0, 0)",
    "mount": "libc.mount(b'tmpfs', b'/tmp', b'tmpfs', 0, None)",
    "unmount": "libc.umount2(b'/tmp', 2)",
    "pivot_root": "libc.syscall(155, b'/tmp', b'/tmp')",
    "chroot": "libc.chroot(b'/tmp')",
    "new_user_namespace": "libc.unshare(0x10000000)",
    "new_mount_namespace": "libc.unshare(0x00020000)",
    "namespace_of_another": "libc.setns(0, 0)",
    "becoming_root": "libc.setuid(0)",
    "changing_the_owner_of_a_file": "libc.chown(b'/tmp', 0, 0)",
    "keys": "libc.syscall(248, b'user', b'x', b'y', 1, -3)",
    "bpf": "libc.syscall(321, 0, 0, 0)",
    "io_uring": "libc.syscall(425, 1, 0)",
    "perf_events": "libc.syscall(298, 0, 0, -1, -1, 0)",
    "userfaultfd": "libc.syscall(323, 0)",
    "kernel_module": "libc.syscall(175, 0, 0, 0)",
    "reboot": "libc.reboot(0)",
    "clock": "libc.syscall(164, 0, 0)",
    "hostname": "libc.sethostname(b'x', 1)",
    "shared_memory_of_system_v": "libc.shmget(1, 4096, 0o1666)",
    "message_queue_of_system_v": "libc.msgget(1, 0o1666)",
    "memory_file": "libc.memfd_create(b'x', 0)",
    "secret_memory": "libc.syscall(447, 0)",
    "other_cores": "libc.sched_setaffinity(0, 8, ctypes.byref(ctypes.c_uint64(255)))",
    "session_of_its_own": "libc.setsid()",
    "lock_of_a_file": "libc.flock(0, 1)",
    "notifications_of_files": "libc.inotify_init()",
    "notifications_of_file_systems": "libc.fanotify_init(0, 0)",
    "what_of_a_file_is_in_memory": "libc.mincore(0, 0, 0)",
    "pages_from_the_cache_only": "libc.preadv2(0, 0, 0, ctypes.c_long(0), 8)",
    "state_of_the_page_cache": "libc.syscall(451, 0, 0, 0, 0)",
    "reading_ahead": "libc.madvise(0, 0, 3)",
    "merging_of_pages": "libc.madvise(0, 0, 12)",
    "free_space_of_the_disk": "libc.syscall(137, b'/usr/lib', ctypes.create_string_buffer(256))",
    "waking_futexes_of_others": "libc.syscall(202, 0, 1, 1, 0, 0, 0)",
    "cookies_of_sockets": "libc.getsockopt(0, 1, 57, 0, 0)",
    **{f"fcntl_{name}": f"libc.fcntl(0, {command}, 0)" for name, command in _COMMANDS.items()},
}
_ABSENT = {
    "system_information": "libc.sysinfo(ctypes.create_string_buffer(256))",
    "advice_about_the_cache": "libc.syscall(221, 0, 0, 0, 4)",
    "reading_ahead": "libc.readahead(0, 0, 0)",
    "files_if_their_names_are_cached": "libc.syscall(437, -100, b'/usr/lib', bytes(16) + b' ' + bytes(7), 24)",
    "descriptors_of_processes": "libc.syscall(434, os.getpid(), 0)",
    "several_futexes": "libc.syscall(449, 0, 0, 0, 0, 0)",
    "clone3": "libc.syscall(435, 0, 0)",
}


def a_bystander() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


@pytest.mark.parametrize(
    ("calls", "error"), [(_CALLS, errno.EPERM), (_ABSENT, errno.ENOSYS)], ids=["refused", "absent"]
)
async def test_each_call_is_refused(house: House, folder: Path, calls: dict[str, str], error: int) -> None:
    attack = """
    libc = ctypes.CDLL(None, use_errno=True)
    child = os.fork()
    if not child:
        time.sleep(60)
        os._exit(0)
    results = {}
"""
    for name, call in calls.items():
        attack += f"    ctypes.set_errno(0); results[{name!r}] = {call}, ctypes.get_errno()\n"
    attack += """
    os.kill(child, signal.SIGKILL)
    return results
    """
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is None
    results = literal_eval(outcome.said.removeprefix("result: "))
    assert results == dict.fromkeys(calls, (-1, error))


async def test_clone_into_a_new_user_namespace_is_refused(house: House, folder: Path) -> None:
    attack = "libc = ctypes.CDLL(None, use_errno=True); return libc.syscall(56, 0x10000011, 0, 0, 0, 0), ctypes.get_errno()"
    assert "result: (-1, 1)" in (await play(house, hostile(folder, attack))).said


async def test_calls_of_32_bit_programs_end_the_bot(house: House, folder: Path) -> None:
    # They have other numbers: a filter that did not know it would let the wrong ones through.
    attack = """
    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
    return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    """
    if os.uname().machine != "x86_64":
        pytest.skip("x86-64 only")
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is not None
    assert "(SIGSYS)" in outcome.fault.message


async def test_thread_of_a_library_can_still_be_joined(house: House, folder: Path) -> None:
    # Its end is waited for by a futex that is not private.
    attack = """
    libc = ctypes.CDLL(None)
    thread = ctypes.c_ulong()
    libc.pthread_create(ctypes.byref(thread), None, libc.usleep, ctypes.c_void_p(200_000))
    return libc.pthread_join(thread, None)
    """
    assert (await play(house, hostile(folder, attack))).said == "result: 0\n"


async def test_asking_how_much_memory_there_is_ends_nothing(house: House, folder: Path) -> None:
    outcome = await play(house, hostile(folder, "return type(os.sysconf('SC_PHYS_PAGES')).__name__"))
    assert outcome.said == "result: int\n"


async def test_signals_reach_no_process_of_the_machine(house: House, folder: Path) -> None:
    bystander = a_bystander()
    try:
        attack = f"""
        failed = []
        for pid in ({bystander.pid}, {os.getpid()}):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                failed.append(pid)
        return len(failed)
        """
        outcome = await play(house, hostile(folder, attack))
        assert outcome.said == "result: 2\n"
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


async def test_signal_to_everybody_hits_itself_only(house: House, folder: Path) -> None:
    bystander = a_bystander()
    try:
        await play(
            house, hostile(folder, "os.kill(-1, signal.SIGKILL); os.kill(1, signal.SIGKILL); return 'alive'")
        )
        assert bystander.poll() is None
    finally:
        bystander.send_signal(signal.SIGKILL)
        bystander.wait()
